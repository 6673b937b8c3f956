"""Clock, ids, paths, files, SQLite connections, JSONL spans, text: no product words."""
