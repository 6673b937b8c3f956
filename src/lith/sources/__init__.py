"""Raw formats to records: one adapter per client, pure, knowing no database."""
