"""The map: every record of every transcript, down to its bytes, and what is searchable of it.

Derived: it can be rebuilt from the raw files and the archive at any time. Only `ingest` writes it.
"""
