"""`stats`: how much there is, by client and by project."""

import msgspec

from lith import retrieval
from lith.ops.absence import LeftOut, count_left_out, explain_absence
from lith.ops.runtime import Runtime
from lith.ops.selection import Selection, to_scope
from lith.retrieval.answers import Nothing, StatsResult
from lith.retrieval.requests import LISTED_KINDS


class StatsRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The counts of a selection; with `usage` its tokens by day, project and session as well."""

    selection: Selection = Selection()
    usage: bool = False


class StatsAnswer(StatsResult, frozen=True, kw_only=True, omit_defaults=True):
    """As `StatsResult`.

    `left_out` are the sessions that no sum counts, by kind: a client's warm-ups, automatic reviews. `nothing` says why there is no session
    to count.
    """

    left_out: dict[str, LeftOut] = {}  # noqa: RUF012 -- msgspec copies it
    nothing: Nothing | None = None


def stats(request: StatsRequest, runtime: Runtime) -> StatsAnswer:
    """Counts and sums. Raises `UsageError`, `BadSelector`, `NoMap` and what else reading the map raises."""
    scope = to_scope(request.selection, runtime)
    with runtime.reading() as connection:
        sums = retrieval.stats(connection, scope, usage=request.usage)
        nothing = None
        if not sums.total.sessions and not sums.total.subagents:
            nothing = explain_absence(connection, "stats", request.selection, scope, LISTED_KINDS, runtime)
        left_out = count_left_out(connection, scope)
    return StatsAnswer(**msgspec.structs.asdict(sums), left_out=left_out, nothing=nothing)
