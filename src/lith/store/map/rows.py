"""Rows as they come: one way to run a query of the map, with the types that its columns have by schema, not by declaration.

Called by the modules of this folder that read.
"""

from collections.abc import Sequence
from typing import Any

import apsw


def select(connection: apsw.Connection, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
    """All rows of a query."""
    return connection.execute(query, values).fetchall()


def select_one(connection: apsw.Connection, query: str, values: Sequence[object] = ()) -> tuple[Any, ...] | None:
    """The first row of a query; None where there is none."""
    return next(iter(select(connection, query, values)), None)
