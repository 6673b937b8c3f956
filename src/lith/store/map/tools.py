"""The tools that were called, by name.

Called by `ops`, to tell a tool that was never called from a name that was mistyped.
"""

import apsw

from lith.store.map.rows import select


def find_tools(connection: apsw.Connection) -> list[str]:
    """Every tool that a document names, those of the most documents first."""
    query = "SELECT tool FROM documents WHERE tool IS NOT NULL GROUP BY tool ORDER BY count(*) DESC, tool"
    return [row[0] for row in select(connection, query)]
