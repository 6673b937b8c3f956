"""`terms`, `files` and facets: what was run, touched and talked about in a part of the memory.

Called by `ops`. Terms were taken from each thread on its own; how rare a word is in the whole map is weighed here.
"""

import math
from collections.abc import Sequence

import apsw
import msgspec

from lith.errors import UsageError
from lith.kernel.ids import Packed, pack, unpack
from lith.records.scope import Scope
from lith.retrieval.answers import Evidence
from lith.retrieval.moments import when
from lith.retrieval.requests import LISTED_KINDS
from lith.store.map import threads as store
from lith.store.map import touches
from lith.store.map.narrow import session_condition
from lith.store.map.threads import threads_condition

KINDS = ("operative", "target", "concept", "wikilink")
MAX_LIMIT = 1_000


class TermCount(msgspec.Struct, frozen=True, kw_only=True):
    """A term: in how many threads and sessions it is, and how often in all of them."""

    kind: str
    term: str
    threads: int
    sessions: int
    count: int


class TermsResult(msgspec.Struct, frozen=True, kw_only=True):
    """The first terms of each kind; `total` counts all terms, `threads` the threads that were looked at."""

    items: list[TermCount]
    total: int
    threads: int


class Touch(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A session that touched a path: with how many calls of which tools, how many commands that only name it; the last time, and where."""

    session_ref: str
    title: str | None = None
    project: str | None = None
    calls: int = 0
    commands: int = 0
    tools: list[str] = []
    last_at: str | None = None
    seq: int | None = None
    evidence: Evidence


class FilesResult(msgspec.Struct, frozen=True, kw_only=True):
    """The sessions that touched a path, the latest first; `total` counts all of them."""

    items: list[Touch]
    total: int


def list_terms(connection: apsw.Connection, scope: Scope, *, kinds: Sequence[str], limit: int) -> TermsResult:
    """The terms of a scope: of each kind the `limit` that most threads share; concepts weighed by how rare they are elsewhere."""
    for kind in kinds:
        if kind not in KINDS:
            raise UsageError(f"there is no kind of term {kind!r}", hint=f"the kinds are {', '.join(KINDS)}")
    if not 0 < limit <= MAX_LIMIT:
        raise UsageError(f"a list has 1 to {MAX_LIMIT} terms of a kind, not {limit}")
    sessions = session_condition(connection, scope, LISTED_KINDS)
    condition = threads_condition(sessions, since=scope.since, until=scope.until)
    everywhere = threads_condition(session_condition(connection, Scope(), LISTED_KINDS), since=None, until=None)
    items: list[TermCount] = []
    total = 0
    for kind in kinds or KINDS:
        rows = store.sum_terms(connection, condition, kind)
        total += len(rows)
        if kind == "concept" and scope.narrow:
            rows = _by_rarity(connection, rows, {row[0]: row[1] for row in store.sum_terms(connection, everywhere, kind)})
        items += [TermCount(kind=kind, term=row[0], threads=row[1], sessions=row[2], count=row[3]) for row in rows[:limit]]
    return TermsResult(items=items, total=total, threads=store.count_threads(connection, condition))


def _by_rarity(
    connection: apsw.Connection, rows: list[tuple[str, int, int, int]], known: dict[str, int]
) -> list[tuple[str, int, int, int]]:
    """Terms by threads times inverse document frequency: what is typical here, and not everywhere."""
    everything = threads_condition(session_condition(connection, Scope(), LISTED_KINDS), since=None, until=None)
    threads = store.count_threads(connection, everything)
    return sorted(rows, key=lambda row: (-row[1] * math.log((threads + 1) / known.get(row[0], 1)), -row[3], row[0]))


def list_files(
    connection: apsw.Connection, paths: Sequence[str], scope: Scope, *, limit: int, data_dir: str | None
) -> FilesResult:
    """The sessions that touched a path, in any of its spellings."""
    if not 0 < limit <= MAX_LIMIT:
        raise UsageError(f"a list has 1 to {MAX_LIMIT} sessions, not {limit}")
    condition = session_condition(connection, scope, LISTED_KINDS)
    rows = touches.find_touches(connection, paths, condition, since=scope.since, until=scope.until)
    return FilesResult(items=[_touch(row, data_dir) for row in rows[:limit]], total=len(rows))


def _touch(row: touches.TouchRow, data_dir: str | None) -> Touch:
    argv = ["lith", "read", row.ref]
    if row.seq is not None:
        argv += ["--at", str(row.seq)]
    if data_dir is not None:
        argv += ["--data-dir", data_dir]
    return Touch(
        session_ref=row.ref,
        title=row.title,
        project=row.project,
        calls=row.calls,
        commands=row.commands,
        tools=row.tools,
        last_at=when(row.last_at),
        seq=row.seq,
        evidence=Evidence(argv, "none"),
    )


def find_facets(connection: apsw.Connection, places: Sequence[tuple[int, Packed]], *, limit: int) -> dict[str, list[str]]:
    """The terms that most of the threads of some (session_id, record_id) share, by kind."""
    ids = sorted({unpack(one) for one in store.find_thread_ids(connection, places).values()})
    facets: dict[str, list[str]] = {}
    for kind, term, _ in store.sum_facets(connection, [pack(one) for one in ids]) if ids else ():
        known = facets.setdefault(kind, [])
        if len(known) < limit:
            known.append(term)
    return facets
