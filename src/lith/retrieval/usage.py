"""`stats --usage`: the tokens that were used, by day, project and session, each of them once.

Called by `sessions.stats`. A model call that stands in several records counts once; a client's running total counts by what it grew; what a
fork or a resume copied from an older session counts there, and not again.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby

import apsw
import msgspec

from lith.kernel.clock import from_ms
from lith.kernel.ids import Packed
from lith.records.record import SessionKind, Usage
from lith.records.scope import Scope
from lith.retrieval.answers import Tokens, UsageResult
from lith.store.map.narrow import session_condition
from lith.store.map.usage import UsageRow, UsageSession, find_session_ids, iter_usage, load_usage_sessions

SHOWN = 10
DAYS_SHOWN = 31

_QUARTER = 15 * 60_000  # no zone changes its day within one


class _Spent(msgspec.Struct, frozen=True):
    """The tokens of one model call, or of one step of a running total."""

    key: object
    at: int | None
    usage: Usage


def sum_usage(connection: apsw.Connection, scope: Scope) -> UsageResult:
    """The tokens of a scope; of any kind of session, since all of them cost."""
    wanted = find_session_ids(connection, session_condition(connection, scope, tuple(SessionKind)))
    spent = {
        session_id: list(_iter_spent(rows))
        for session_id, rows in groupby(iter_usage(connection), key=lambda row: row.session_id)
    }
    days: dict[str, _Sum] = {}
    projects: dict[str, _Sum] = {}
    sessions: dict[str, _Sum] = {}
    whole = _Sum()
    for session, one in _iter_once(load_usage_sessions(connection), spent):
        at = one.at if one.at is not None else session.ended_at
        if session.session_id not in wanted or not _within(at, scope):
            continue
        for sums, name in (
            (days, _day(at)),
            (projects, session.project or "(none)"),
            (sessions, session.ref),
        ):
            sums.setdefault(name, _Sum()).add(one.usage)
        whole.add(one.usage)
    return UsageResult(
        total=whole.tokens(None),
        days=[days[name].tokens(name) for name in sorted(days, reverse=True)[:DAYS_SHOWN]],
        projects=_biggest(projects),
        sessions=_biggest(sessions),
    )


class _Sum:
    """Tokens added up."""

    __slots__ = ("calls", "counts")

    def __init__(self) -> None:
        self.calls = 0
        self.counts = [0, 0, 0, 0]

    def add(self, usage: Usage) -> None:
        """One more."""
        self.calls += 1
        for number, count in enumerate((usage.input, usage.output, usage.cache_read, usage.cache_write)):
            self.counts[number] += count

    def tokens(self, name: str | None) -> Tokens:
        """The sum under a name."""
        return Tokens(name, self.calls, *self.counts)


def _iter_spent(rows: Iterable[UsageRow]) -> Iterator[_Spent]:
    """The model calls of one session, in order of appearance; of the records of one call the last counts, at the time of the first."""
    calls: dict[object, _Spent] = {}
    last = Usage()
    for row in rows:
        key: int | Packed = row.record_id if row.message is None else row.message
        if row.usage.cumulative:
            grown = row.usage if row.usage.output < last.output else _minus(row.usage, last)
            last = row.usage
            if grown != Usage():
                calls["total", len(calls)] = _Spent((row.record_id, "total"), row.timestamp, grown)
            continue
        known = calls.get(key)
        calls[key] = _Spent(key, row.timestamp if known is None else known.at, row.usage)
    yield from calls.values()


def _minus(now: Usage, before: Usage) -> Usage:
    return Usage(
        max(now.input - before.input, 0),
        max(now.output - before.output, 0),
        max(now.cache_read - before.cache_read, 0),
        max(now.cache_write - before.cache_write, 0),
    )


def _iter_once(sessions: Iterable[UsageSession], spent: dict[int, list[_Spent]]) -> Iterator[tuple[UsageSession, _Spent]]:
    """Every model call with the first session that holds it."""
    seen: set[object] = set()
    for session in sessions:
        for one in spent.get(session.session_id, ()):
            key = (session.source, one.key)
            if key not in seen:
                seen.add(key)
                yield session, one


def _within(at: int | None, scope: Scope) -> bool:
    if at is None:
        return scope.since is None and scope.until is None
    return (scope.since is None or at >= scope.since) and (scope.until is None or at < scope.until)


def _day(at: int | None) -> str:
    """The user's day of a moment."""
    return "(unknown)" if at is None else from_ms(at - at % _QUARTER, None).strftime("%Y-%m-%d")


def _biggest(sums: dict[str, _Sum]) -> list[Tokens]:
    order = sorted(sums, key=lambda name: (-sum(sums[name].counts), name))
    return [sums[name].tokens(name) for name in order[:SHOWN]]
