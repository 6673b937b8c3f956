"""`list`: sessions, the latest first."""

import msgspec

from lith import retrieval
from lith.ops.runtime import Runtime
from lith.ops.selection import Selection, to_scope
from lith.retrieval.answers import ListResult
from lith.retrieval.requests import ListRequest as Asked

DEFAULT_LIMIT = 20


class ListRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the sessions of a selection. `fields` names the fields to give (none: all)."""

    selection: Selection = Selection()
    limit: int = DEFAULT_LIMIT
    cursor: str | None = None
    fields: tuple[str, ...] = ()


def list_sessions(request: ListRequest, runtime: Runtime) -> ListResult:
    """Sessions, the latest first. Raises `UsageError`, `BadSelector`, `NoMap` and what else reading the map raises."""
    scope = to_scope(request.selection, runtime)
    asked = Asked(scope=scope, limit=request.limit, cursor=request.cursor, fields=request.fields)
    with runtime.reading() as connection:
        return retrieval.list_sessions(connection, asked)
