"""Sessions by address, by list and in sums.

Called by `ops` and by `reading`. An address may be shortened to whatever is unique; what is not unique is refused with the candidates.
"""

import apsw

from lith.errors import AmbiguousAddress, BadSelector, SessionNotFound, UsageError
from lith.records.address import SOURCES, parse_address
from lith.records.scope import Scope
from lith.retrieval.answers import (
    Counts,
    FileCounts,
    ListResult,
    SessionInfo,
    StatsResult,
    UsageResult,
    check_fields,
    keep_fields,
)
from lith.retrieval.coverage import read_coverage
from lith.retrieval.cursors import purpose_of, read_cursor, write_cursor
from lith.retrieval.moments import when
from lith.retrieval.requests import LISTED_KINDS, ListRequest
from lith.store.map import read, totals
from lith.store.map.narrow import listed_condition
from lith.store.map.read import SessionRow
from lith.store.map.totals import SessionTotals

MAX_LIMIT = 1_000
PROJECTS_SHOWN = 10

_CANDIDATES = 8
_SHORTEST_NEAR = 4


def resolve_session(connection: apsw.Connection, address: str) -> str:
    """The full address of the session that `address` names: whole or a unique prefix (of a sub-agent: of both parts of its id), with or
    without the client's name.

    Raises `BadSelector`, `UnknownSource`, `SessionNotFound` (naming what is near) and `AmbiguousAddress` (naming the candidates).
    """
    parsed = parse_address(address)
    if parsed.kind not in {"session", "message"}:
        raise BadSelector(
            f"{address!r} is not the address of a session", hint="a session is claude_code:<session id>, or the beginning of it"
        )
    sources = (parsed.source,) if parsed.source else SOURCES
    refs = _find(connection, sources, parsed.id)
    if len(refs) == 1:
        return refs[0]
    if refs:
        shown = ", ".join(refs[:_CANDIDATES]) + (", …" if len(refs) > _CANDIDATES else "")
        raise AmbiguousAddress(
            f"{address!r} fits several sessions: {shown}",
            hint="give more of the id",
            next=[["lith", "read", ref] for ref in refs[:_CANDIDATES]],
        )
    near = _near(connection, sources, parsed.id)
    raise SessionNotFound(
        f"there is no session {address!r} in the map",
        hint=f"near it are {', '.join(near)}" if near else "list shows the sessions there are; sync takes in new ones",
        next=[["lith", "read", ref] for ref in near] or [["lith", "list"], ["lith", "sync"]],
    )


def list_sessions(connection: apsw.Connection, request: ListRequest) -> ListResult:
    """A page of sessions, the newest first. Raises `UsageError` for a field, a limit or a cursor that is none."""
    check_fields(request.fields, SessionInfo)
    if not 0 < request.limit <= MAX_LIMIT:
        raise UsageError(f"a page has 1 to {MAX_LIMIT} sessions, not {request.limit}")
    purpose = purpose_of("list", request.kinds, scope=request.scope)
    after = read_cursor(request.cursor, purpose) if request.cursor else None
    condition = listed_condition(connection, request.scope, request.kinds)
    rows = read.page_sessions(connection, condition, after=after, limit=request.limit + 1)
    page = rows[: request.limit]
    more = len(rows) > request.limit
    return ListResult(
        items=[keep_fields(describe(row), request.fields) for row in page],
        total=read.count_sessions(connection, condition),
        next_cursor=write_cursor(page[-1].ended_at or 0, page[-1].session_id, purpose) if more else None,
    )


def stats(connection: apsw.Connection, scope: Scope, *, usage: bool = False) -> StatsResult:
    """Sums over the sessions of a scope (main ones and sub-agents), and over the files of its clients; with `usage` tokens by day too."""
    condition = listed_condition(connection, scope, LISTED_KINDS)
    files = totals.sum_files(connection, scope.sources)
    return StatsResult(
        total=_counts(totals.sum_sessions(connection, condition)),
        sources=[_counts(one) for one in totals.sum_by_source(connection, condition)],
        projects=[_counts(one) for one in totals.sum_by_project(connection, condition, limit=PROJECTS_SHOWN)],
        files=FileCounts(
            files=files.files, gone_files=files.gone, failed_files=files.failed, skipped_files=files.skipped, bytes=files.bytes
        ),
        map_bytes=totals.database_bytes(connection),
        last_sync=read_coverage(connection, scope).last_sync,
        usage=_usage(connection, scope) if usage else None,
    )


def _usage(connection: apsw.Connection, scope: Scope) -> UsageResult:
    from lith.retrieval.usage import sum_usage  # noqa: PLC0415 -- a pass over all records, and rarely asked for

    return sum_usage(connection, scope)


def describe(session: SessionRow) -> SessionInfo:
    """A session as it is given out."""
    return SessionInfo(
        session_ref=session.ref,
        source=session.source,
        kind=session.kind,
        parent=session.parent_ref,
        project=session.project,
        worktree=session.worktree,
        cwd=session.cwd,
        branch=session.branch,
        title=session.title,
        started_at=when(session.started_at),
        ended_at=when(session.ended_at),
        messages=session.messages,
        user_messages=session.user_messages,
        calls=session.calls,
        records=session.records,
        model=session.model,
        version=session.version,
        agent=session.agent,
        input_tokens=session.input_tokens or None,
        output_tokens=session.output_tokens or None,
        cache_read_tokens=session.cache_read_tokens or None,
        cache_write_tokens=session.cache_write_tokens or None,
        source_state=None if session.state == "live" else session.state,
    )


def _find(connection: apsw.Connection, sources: tuple[str, ...], prefix: str) -> list[str]:
    """The sessions that a prefix may mean: exactly that one, else main sessions, else sub-agents (whose parent is not asked for).

    Of `a/b` both parts may be shortened.
    """
    exact = [ref for source in sources if read.find_session(connection, ref := f"{source}:{prefix}")]
    if exact:
        return exact
    main, slash, agent = prefix.partition("/")
    for wanted in (agent,) if slash else (None, ""):
        refs = [
            ref for source in sources for ref in read.find_refs(connection, f"{source}:{main}", _CANDIDATES + 1, agent=wanted)
        ]
        if refs:
            return refs
    return []


def _near(connection: apsw.Connection, sources: tuple[str, ...], prefix: str) -> list[str]:
    """Sessions whose id begins as `prefix` does, as far as any does."""
    for length in range(len(prefix) - 1, _SHORTEST_NEAR - 1, -1):
        refs = _find(connection, sources, prefix[:length])
        if refs:
            return refs[:_CANDIDATES]
    return []


def _counts(one: SessionTotals) -> Counts:
    return Counts(
        name=one.name,
        sessions=one.sessions - one.subagents,
        subagents=one.subagents,
        gone=one.gone,
        messages=one.messages,
        user_messages=one.user_messages,
        calls=one.calls,
        records=one.records,
        input_tokens=one.input_tokens,
        output_tokens=one.output_tokens,
        cache_read_tokens=one.cache_read_tokens,
        cache_write_tokens=one.cache_write_tokens,
        first=when(one.first),
        last=when(one.last),
    )
