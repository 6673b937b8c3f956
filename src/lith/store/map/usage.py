"""Tokens, model call by model call: the rows that sums of usage are made from.

Called by `retrieval`. One pass over the copies that carry counts.
"""

from collections.abc import Iterator

import apsw
import msgspec

from lith.kernel.ids import Packed
from lith.records.record import Usage
from lith.store.map.narrow import Condition
from lith.store.map.rows import select

_USAGE = msgspec.json.Decoder(Usage)


class UsageSession(msgspec.Struct, frozen=True):
    """A session that may have used tokens."""

    session_id: int
    ref: str
    source: str
    title: str | None
    project: str | None
    started_at: int | None
    ended_at: int | None


class UsageRow(msgspec.Struct, frozen=True):
    """The counts that one record carries; records with one `message` are one model call."""

    session_id: int
    record_id: Packed
    message: int | None
    timestamp: int | None
    usage: Usage


def load_usage_sessions(connection: apsw.Connection) -> list[UsageSession]:
    """All sessions of any kind, the first one first."""
    query = (
        "SELECT s.session_id, s.ref, s.source, s.title, p.key, s.started_at, s.ended_at FROM sessions s"
        " LEFT JOIN projects p ON p.cwd = s.cwd ORDER BY s.started_at IS NULL, s.started_at, s.kind <> 'main', s.ref"
    )
    return [UsageSession(*row) for row in select(connection, query)]


def find_session_ids(connection: apsw.Connection, condition: Condition) -> set[int]:
    """The sessions that fulfil a condition."""
    query = f"SELECT s.session_id FROM sessions s WHERE {condition.sql or '1'}"  # noqa: S608
    return {row[0] for row in select(connection, query, condition.values)}


def iter_usage(connection: apsw.Connection) -> Iterator[UsageRow]:
    """The counts of all records, of the best copy of each, in the order in which they stand in a session."""
    query = (
        "SELECT r.session_id, c.record_id, c.message, c.timestamp, c.usage FROM copies c"
        " JOIN records r ON r.record_id = c.record_id AND r.transcript_id = c.transcript_id AND r.copy_id = c.copy_id"
        " WHERE c.usage IS NOT NULL AND r.session_id IS NOT NULL ORDER BY r.session_id, c.at, c.copy_id"
    )
    for session_id, record_id, message, timestamp, usage in connection.execute(query):
        yield UsageRow(session_id, record_id, message, timestamp, _USAGE.decode(usage))
