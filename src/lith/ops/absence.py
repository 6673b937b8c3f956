"""Why a list of sessions, or a table of them, is empty, and what to run next.

`sessions` and `stats` call it. As for a search that finds nothing, it counts what a looser question would have found, and widens nothing
by itself.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from lith.ops.runtime import Runtime
from lith.ops.selection import OPTIONS, Selection, to_options
from lith.records.record import SessionKind
from lith.records.scope import Scope
from lith.retrieval import read_coverage
from lith.retrieval.answers import Nothing, Obstacle
from lith.store.map import read, totals
from lith.store.map.narrow import listed_condition

if TYPE_CHECKING:
    import apsw

HIDDEN_KINDS = (SessionKind.REVIEW, SessionKind.WARMUP)
"""The kinds of sessions that are left out unless they are asked for."""


class LeftOut(msgspec.Struct, frozen=True):
    """Sessions of a scope that its counts leave out, of one kind."""

    sessions: int
    messages: int


def count_left_out(
    connection: "apsw.Connection", scope: Scope, kinds: Sequence[SessionKind] = HIDDEN_KINDS
) -> dict[str, LeftOut]:
    """The sessions of a scope that are of some kinds, and their messages, by kind; a kind without a session is not in the answer."""
    counted = {}
    for kind in kinds:
        sums = totals.sum_sessions(connection, listed_condition(connection, scope, [kind]))
        if sums.sessions:
            counted[kind.value] = LeftOut(sums.sessions, sums.messages)
    return counted


def explain_absence(
    connection: "apsw.Connection",
    command: str,
    selection: Selection,
    scope: Scope,
    kinds: Sequence[SessionKind],
    runtime: Runtime,
) -> Nothing:
    """Why a scope has no session of some kinds; `command` is repeated in what to run next."""

    def count(wider: Scope) -> int:
        return read.count_sessions(connection, listed_condition(connection, wider, kinds))

    if read.count_sessions(connection, listed_condition(connection, Scope(), list(SessionKind))) == 0:
        following = [runtime.argv("sync"), runtime.argv("status")]
        return Nothing(reason="nothing_indexed", message="the map holds no session", next=following)
    coverage = read_coverage(connection, scope)
    if scope.sources and coverage.state == "missing":
        named = [word for name in scope.sources for word in ("--source", name)]
        return Nothing(
            reason="not_synced",
            message=f"not every client that was asked for was ever synced: {coverage.requested}",
            next=[runtime.argv("sync", *named), runtime.argv("status")],
        )
    wider = [(name, count(_without(scope, name))) for name in OPTIONS if _without(scope, name) != scope]
    found = sorted(((name, without) for name, without in wider if without), key=lambda pair: -pair[1])
    if found:
        names = " or ".join(OPTIONS[name] for name, _ in found)
        return Nothing(
            reason="scope_too_narrow",
            message=f"no session within the scope; without {names} there would be some",
            conditions=[Obstacle(OPTIONS[name], without) for name, without in found],
            next=[runtime.argv(command, *to_options(selection, without=name)) for name, _ in found[:2]],
        )
    hidden = count_left_out(connection, scope, [kind for kind in SessionKind if kind not in kinds])
    if hidden:
        asked = [word for kind in hidden for word in ("--kind", kind)]
        return Nothing(
            reason="other_kinds",
            message=f"the sessions here are of other kinds: {', '.join(hidden)}",
            next=[runtime.argv("list", *to_options(selection), *asked)],
        )
    everything = count(Scope())
    return Nothing(
        reason="scope_too_narrow",
        message="no session fulfils these conditions together" if everything else "the map holds no session of this kind",
        conditions=[Obstacle("the scope", everything)] if everything else [],
        next=[runtime.argv(command) if everything else runtime.argv("status")],
    )


def _without(scope: Scope, name: str) -> Scope:
    return msgspec.structs.replace(scope, **{name: getattr(Scope(), name)})
