"""`find`: search what was said and done in past sessions."""

import os

import msgspec

from lith import retrieval
from lith.ops.runtime import Runtime
from lith.ops.selection import Selection, to_scope
from lith.retrieval.answers import FindResult
from lith.retrieval.requests import DEFAULT_LIMIT
from lith.retrieval.requests import FindRequest as Asked


class FindRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A search in the words of whoever asks. `query` is the user's syntax, `cursor` the `next_cursor` of the page before."""

    query: str
    selection: Selection = Selection()
    limit: int = DEFAULT_LIMIT
    cursor: str | None = None
    fields: tuple[str, ...] = ()
    max_tokens: int | None = None
    explain: bool = False
    facets: bool = False


def find(request: FindRequest, runtime: Runtime) -> FindResult:
    """The best places for a query. Raises `UsageError`, `BadSelector`, `NoMap` and what else reading the map raises."""
    asked = Asked(
        query=request.query,
        scope=to_scope(request.selection, runtime),
        limit=request.limit,
        cursor=request.cursor,
        fields=request.fields,
        max_tokens=request.max_tokens,
        near=None if runtime.near is None else os.fspath(runtime.near),
        explain=request.explain,
        facets=request.facets,
        data_dir=runtime.data_dir_word,
    )
    with runtime.reading() as connection:
        return retrieval.find(connection, asked)
