"""`stats`: how much there is, by client and by project."""

import msgspec

from lith import retrieval
from lith.ops.runtime import Runtime
from lith.ops.selection import Selection, to_scope
from lith.retrieval.answers import StatsResult


class StatsRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The counts of a selection."""

    selection: Selection = Selection()


def stats(request: StatsRequest, runtime: Runtime) -> StatsResult:
    """Counts and sums. Raises `UsageError`, `BadSelector`, `NoMap` and what else reading the map raises."""
    scope = to_scope(request.selection, runtime)
    with runtime.reading() as connection:
        return retrieval.stats(connection, scope)
