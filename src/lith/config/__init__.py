"""Settings: one frozen `Config` that knows where each of its values came from, and the places where lith keeps its files.

`ops.runtime` reads it once per process. Nothing here writes, and nothing here knows a client: the names that are valid arrive as
an argument.
"""
