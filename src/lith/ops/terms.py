"""`terms`: what was run, touched and talked about, with counts."""

import msgspec

from lith.ops.runtime import Runtime
from lith.ops.selection import Selection, to_scope
from lith.retrieval import vocabulary
from lith.retrieval.vocabulary import KINDS, TermsResult

__all__ = ["DEFAULT_LIMIT", "KINDS", "TermsRequest", "TermsResult", "terms"]

DEFAULT_LIMIT = 20


class TermsRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The terms of a selection: of each kind (none named: of all) at most `limit`."""

    selection: Selection = Selection()
    kinds: tuple[str, ...] = ()
    limit: int = DEFAULT_LIMIT


def terms(request: TermsRequest, runtime: Runtime) -> TermsResult:
    """Terms with counts. Raises `UsageError`, `BadSelector`, `NoMap` and what else reading the map raises."""
    scope = to_scope(request.selection, runtime)
    with runtime.reading() as connection:
        return vocabulary.list_terms(connection, scope, kinds=request.kinds, limit=request.limit)
