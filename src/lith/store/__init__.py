"""lith's own databases: their schemas and all the SQL that touches them."""
