"""Sums over the map: sessions, messages, tokens, files.

Called by `retrieval`. Every sum is one pass over a small table.
"""

from collections.abc import Sequence

import apsw
import msgspec

from lith.store.map.narrow import Condition
from lith.store.map.rows import select


class SessionTotals(msgspec.Struct, frozen=True):
    """Sums over sessions; `first` and `last` are milliseconds UTC."""

    name: str | None
    sessions: int
    subagents: int
    gone: int
    messages: int
    user_messages: int
    calls: int
    records: int
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    first: int | None
    last: int | None


class FileTotals(msgspec.Struct, frozen=True):
    """Sums over raw files as they were when they were last looked at."""

    files: int
    gone: int
    failed: int
    skipped: int
    bytes: int


_SUMS = (
    "count(*), coalesce(sum(s.kind = 'subagent'), 0), coalesce(sum(s.state = 'gone'), 0), coalesce(sum(s.messages), 0),"
    " coalesce(sum(s.user_messages), 0), coalesce(sum(s.calls), 0), coalesce(sum(s.records), 0), coalesce(sum(s.input_tokens), 0),"
    " coalesce(sum(s.output_tokens), 0), coalesce(sum(s.cache_read_tokens), 0), coalesce(sum(s.cache_write_tokens), 0),"
    " min(s.started_at), max(s.ended_at)"
)


def sum_sessions(connection: apsw.Connection, condition: Condition) -> SessionTotals:
    """One sum over all sessions that fulfil a condition."""
    query = f"SELECT NULL, {_SUMS} FROM sessions s WHERE {condition.sql or '1'}"  # noqa: S608
    return SessionTotals(*select(connection, query, condition.values)[0])


def sum_by_source(connection: apsw.Connection, condition: Condition) -> list[SessionTotals]:
    """A sum for each client, by name."""
    query = f"SELECT s.source, {_SUMS} FROM sessions s WHERE {condition.sql or '1'} GROUP BY s.source ORDER BY s.source"  # noqa: S608
    return [SessionTotals(*row) for row in select(connection, query, condition.values)]


def sum_by_project(connection: apsw.Connection, condition: Condition, *, limit: int) -> list[SessionTotals]:
    """A sum for each of the projects with the most messages, the biggest first; sessions without a directory have none."""
    query = (
        f"SELECT p.key, {_SUMS} FROM sessions s JOIN projects p ON p.cwd = s.cwd WHERE {condition.sql or '1'}"  # noqa: S608
        " GROUP BY p.key ORDER BY sum(s.messages) DESC, p.key LIMIT ?"
    )
    return [SessionTotals(*row) for row in select(connection, query, (*condition.values, limit))]


def sum_files(connection: apsw.Connection, sources: Sequence[str]) -> FileTotals:
    """A sum over the raw files of some clients (none named: of all)."""
    where = f"source IN ({', '.join('?' * len(sources))})" if sources else "1"
    query = (
        "SELECT coalesce(sum(state <> 'skipped'), 0), coalesce(sum(state = 'gone'), 0), coalesce(sum(state = 'failed'), 0),"  # noqa: S608
        " coalesce(sum(state = 'skipped'), 0), coalesce(sum(CASE WHEN state <> 'skipped' THEN size END), 0)"
        f" FROM source_files WHERE role = 'transcript' AND {where}"
    )
    return FileTotals(*select(connection, query, sources)[0])


def database_bytes(connection: apsw.Connection) -> int:
    """The size of the map's file."""
    pages, size = select(connection, "PRAGMA page_count")[0][0], select(connection, "PRAGMA page_size")[0][0]
    return int(pages) * int(size)
