"""Threads, terms and citations: the rows, and how they are written and read.

Written by `ingest` only, and only where a row really changes; read by `retrieval`. A thread has a small number in the map and an address
that is the same in every map made from the same records.
"""

from collections.abc import Iterable, Mapping, Sequence

import apsw
import msgspec

from lith.kernel import sqlite
from lith.kernel.ids import Packed, prefix_range
from lith.store.map.narrow import Condition
from lith.store.map.rows import select, select_one
from lith.store.map.schema import COPY_SHIFT, DOCUMENT_SHIFT, PIECE_SHIFT

COLUMNS = (
    "thread_id", "transcript_id", "session_id", "kind", "title", "first_at", "last_at", "records", "turns", "tokens", "first_record",
    "leaf_record", "fingerprint",
)  # fmt: skip
TITLE, TOKENS, FINGERPRINT = COLUMNS.index("title"), COLUMNS.index("tokens"), COLUMNS.index("fingerprint")

Row = tuple[object, ...]

_SELECT = f"SELECT thread, {', '.join(COLUMNS)} FROM threads"  # noqa: S608
_INSERT = f"INSERT INTO threads ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))}) RETURNING thread"  # noqa: S608
_UPDATE = f"UPDATE threads SET {', '.join(name + ' = ?' for name in COLUMNS)} WHERE thread = ?"  # noqa: S608
_LAST_CHARACTER = "\U0010ffff"


class ThreadRow(msgspec.Struct, frozen=True):
    """A thread; times are milliseconds UTC. `session_id` is None for records that are in no session."""

    thread: int
    thread_id: Packed
    transcript_id: int
    session_id: int | None
    kind: str
    title: str | None
    first_at: int | None
    last_at: int | None
    records: int
    turns: int
    tokens: int
    first_record: Packed
    leaf_record: Packed
    fingerprint: int


class ThreadRecord(msgspec.Struct, frozen=True):
    """A record of a thread: its place in the parent graph, its best copy, and what the file was when it was read."""

    copy_id: int
    record_id: Packed
    seq: int | None
    abandoned: int
    type: str
    timestamp: int | None
    at: int
    parent: Packed | None
    logical_parent: Packed | None
    message: int | None
    tool_use_id: str | None
    target: Packed | None
    flags: int
    offset: int
    length: int
    line: int
    hash: bytes
    source: str
    root: str
    path: str
    state: str
    size: int
    mtime_ns: int
    context: str | None
    lineage: str
    archived: int


# --- writing -----------------------------------------------------------------------------------------------------------------


def load_transcript(connection: apsw.Connection, transcript_id: int) -> dict[Packed, tuple[int, Row]]:
    """The threads of a transcript by id: the number, and the values of `COLUMNS`."""
    rows = connection.execute(f"{_SELECT} WHERE transcript_id = ?", (transcript_id,))
    return {row[1]: (row[0], tuple(row[1:])) for row in rows}


def load_texts(connection: apsw.Connection, piece_ids: Sequence[int]) -> dict[int, str]:
    """The texts of pieces, by id."""
    query = "SELECT piece_id, text FROM pieces WHERE piece_id IN (SELECT value FROM json_each(?))"
    return dict(select(connection, query, (msgspec.json.encode(piece_ids).decode(),)))


def put_thread(connection: apsw.Connection, known: tuple[int, Row] | None, row: Row) -> int:
    """Insert a thread, or update the known one where it differs; returns its number."""
    if known is None:
        return int(sqlite.fetch(connection, _INSERT, row)[0][0])
    number, old = known
    if old != row:
        connection.execute(_UPDATE, (*row, number))
    return number


def put_terms(connection: apsw.Connection, thread: int, has_terms: bool, terms: Iterable[tuple[str, str, int]]) -> None:
    """Make the terms of a thread, which may have some, exactly these: (kind, term, count)."""
    if has_terms:
        connection.execute("DELETE FROM terms WHERE thread = ?", (thread,))
    connection.executemany("INSERT INTO terms VALUES (?, ?, ?, ?)", ((thread, *term) for term in terms))


def delete_threads(connection: apsw.Connection, threads: Iterable[int]) -> None:
    """Forget threads with all that hangs on them."""
    for thread in threads:
        for table in ("terms", "citations", "threads"):
            connection.execute(f"DELETE FROM {table} WHERE thread = ?", (thread,))  # noqa: S608


def iter_recalled(connection: apsw.Connection, transcript_id: int) -> list[tuple[int, Packed, int | None, int | None, str]]:
    """What the records of a transcript recall: (thread, record_id, seq, timestamp, arcs), from their best copies."""
    query = (
        "SELECT r.thread, r.record_id, r.seq, c.timestamp, a.arcs FROM transcript_files t JOIN recalls a"  # noqa: S608
        f" ON a.copy_id >= t.file_id << {COPY_SHIFT} AND a.copy_id < (t.file_id + 1) << {COPY_SHIFT}"
        " JOIN copies c ON c.copy_id = a.copy_id AND c.transcript_id = t.transcript_id"
        " JOIN records r ON r.record_id = c.record_id AND r.transcript_id = t.transcript_id AND r.copy_id = a.copy_id"
        " WHERE t.transcript_id = ?"
    )
    return select(connection, query, (transcript_id,))


def put_citations(connection: apsw.Connection, threads: Sequence[int], wanted: Mapping[tuple[int, str], Row]) -> None:
    """Make the citations of these threads exactly `wanted`: (thread, arc) to (record_id, seq, timestamp)."""
    query = "SELECT thread, arc, record_id, seq, timestamp FROM citations WHERE thread IN (SELECT value FROM json_each(?))"
    old = {(row[0], row[1]): tuple(row[2:]) for row in select(connection, query, (msgspec.json.encode(list(threads)).decode(),))}
    gone = old.keys() - wanted.keys()
    connection.executemany("DELETE FROM citations WHERE thread = ? AND arc = ?", gone)
    changed = ((*key, *row) for key, row in wanted.items() if old.get(key) != row)
    connection.executemany("INSERT OR REPLACE INTO citations VALUES (?, ?, ?, ?, ?)", changed)


# --- reading -----------------------------------------------------------------------------------------------------------------


def find_threads(connection: apsw.Connection, prefix: str, limit: int) -> list[ThreadRow]:
    """Threads whose id begins with `prefix`, in order."""
    packed = prefix_range(prefix)
    if packed is None:
        values: tuple[object, ...] = (prefix, prefix + _LAST_CHARACTER)
    else:
        values = packed
    rows = select(connection, f"{_SELECT} WHERE thread_id >= ? AND thread_id <= ? ORDER BY thread_id LIMIT ?", (*values, limit))
    return [ThreadRow(*row) for row in rows]


def find_session_threads(connection: apsw.Connection, session_id: int) -> list[ThreadRow]:
    """The threads of a session, in the order in which they began."""
    query = f"{_SELECT} WHERE session_id = ? ORDER BY kind = 'arc', first_at IS NULL, first_at, thread"
    return [ThreadRow(*row) for row in select(connection, query, (session_id,))]


def find_threads_of_record(connection: apsw.Connection, record_id: Packed, session_id: int | None = None) -> list[ThreadRow]:
    """The threads that hold a record, in one session or in any."""
    query = (
        f"{_SELECT} WHERE thread IN (SELECT thread FROM records WHERE record_id = ? AND (? IS NULL OR session_id = ?))"  # noqa: S608
        " ORDER BY thread_id"
    )
    return [ThreadRow(*row) for row in select(connection, query, (record_id, session_id, session_id))]


def find_thread_ids(connection: apsw.Connection, places: Iterable[tuple[int, Packed]]) -> dict[tuple[int, Packed], Packed]:
    """The thread id of each (session_id, record_id) that has one."""
    query = (
        "SELECT t.thread_id FROM sessions s JOIN records r ON r.record_id = ? AND r.transcript_id = s.transcript_id"
        " JOIN threads t ON t.thread = r.thread WHERE s.session_id = ?"
    )
    found = {}
    for session_id, record_id in places:
        row = select_one(connection, query, (record_id, session_id))
        if row is not None:
            found[session_id, record_id] = row[0]
    return found


def load_records(connection: apsw.Connection, thread: ThreadRow) -> list[ThreadRecord]:
    """The records of a thread, in the order of first appearance."""
    query = (
        "SELECT c.copy_id, c.record_id, r.seq, r.abandoned, c.type, c.timestamp, c.at, c.parent, c.logical_parent, c.message,"  # noqa: S608
        " c.tool_use_id, c.target, c.flags, c.offset, c.length, c.line, c.hash, f.source, f.root, f.path, f.state, f.size, f.mtime_ns,"
        " f.context, coalesce(f.origin, f.path) AS lineage, f.role = 'generation' AS archived"
        " FROM transcript_files t JOIN source_files f USING (file_id)"
        f" JOIN copies c ON c.copy_id >= f.file_id << {COPY_SHIFT} AND c.copy_id < (f.file_id + 1) << {COPY_SHIFT}"
        " JOIN records r ON r.record_id = c.record_id AND r.transcript_id = t.transcript_id AND r.copy_id = c.copy_id"
        " WHERE t.transcript_id = ? AND c.transcript_id = t.transcript_id AND r.thread = ?"
        " ORDER BY lineage, archived DESC, f.root, f.path, c.copy_id"
    )
    rows = [ThreadRecord(*row) for row in select(connection, query, (thread.transcript_id, thread.thread))]
    if len({row.path for row in rows}) > 1:
        rows.sort(key=lambda row: (row.at, row.lineage, not row.archived, row.root, row.path, row.copy_id))
    return rows


def load_shown(connection: apsw.Connection, thread: ThreadRow, copy_ids: Sequence[int]) -> set[int]:
    """The pieces of some copies that are documents of the thread's session: the others say again what stands elsewhere."""
    if thread.session_id is None or not copy_ids:
        return set()
    wanted = set(copy_ids)
    low, high = thread.session_id << DOCUMENT_SHIFT, (thread.session_id + 1) << DOCUMENT_SHIFT
    shown: set[int] = set()
    for piece_id, more in select(
        connection, "SELECT piece_id, more FROM documents WHERE doc_id >= ? AND doc_id < ?", (low, high)
    ):
        pieces = [piece_id] if more is None else [piece_id, *msgspec.json.decode(more, type=list[int])]
        shown.update(piece for piece in pieces if piece >> PIECE_SHIFT in wanted)
    return shown


def load_citations(connection: apsw.Connection, thread: int) -> list[tuple[str, Packed, int | None, int | None]]:
    """What a thread recalled: (arc, record_id, seq, timestamp), in order."""
    query = "SELECT arc, record_id, seq, timestamp FROM citations WHERE thread = ? ORDER BY timestamp IS NULL, timestamp, arc"
    return select(connection, query, (thread,))


def find_spawning_records(connection: apsw.Connection, native_id: Packed) -> list[tuple[int, Packed]]:
    """The records that say they started the session of this native id: (thread, record_id), the first one first."""
    query = (
        "SELECT r.thread, c.record_id FROM copies c"
        " JOIN records r ON r.record_id = c.record_id AND r.transcript_id = c.transcript_id AND r.copy_id = c.copy_id"
        " WHERE c.target = ? ORDER BY c.copy_id"
    )
    return select(connection, query, (native_id,))


def find_spawning_call(connection: apsw.Connection, session_id: int) -> tuple[int, Packed] | None:
    """The record whose call started a session that stands in its parent's file: (thread, record_id)."""
    query = (
        "SELECT r.thread, c.record_id FROM sessions s JOIN transcript_files t ON t.transcript_id = s.transcript_id JOIN copies c"  # noqa: S608
        f" ON c.copy_id >= t.file_id << {COPY_SHIFT} AND c.copy_id < (t.file_id + 1) << {COPY_SHIFT} AND c.tool_use_id = s.spawned_by"
        " JOIN records r ON r.record_id = c.record_id AND r.transcript_id = s.transcript_id AND r.copy_id = c.copy_id"
        " WHERE s.session_id = ? ORDER BY c.copy_id LIMIT 1"
    )
    row = select_one(connection, query, (session_id,))
    return None if row is None else (row[0], row[1])


def find_children(connection: apsw.Connection, ref: str) -> list[tuple[int, str, str | None]]:
    """The sessions that a session started: (session_id, native_id, tool use id), in order."""
    query = (
        "SELECT session_id, native_id, spawned_by FROM sessions WHERE parent_ref = ? ORDER BY started_at IS NULL, started_at, ref"
    )
    return select(connection, query, (ref,))


def find_thread_id(connection: apsw.Connection, thread: int) -> Packed | None:
    """The id of the thread of this number."""
    row = select_one(connection, "SELECT thread_id FROM threads WHERE thread = ?", (thread,))
    return None if row is None else row[0]


def threads_condition(sessions: Condition, *, since: int | None, until: int | None) -> Condition:
    """The threads (`threads AS t`) of sessions (`sessions AS s`) that a condition admits, and that touch a span of time."""
    condition = sessions
    if since is not None:
        condition &= Condition("coalesce(t.last_at, s.ended_at) >= ?", (since,))
    if until is not None:
        condition &= Condition("coalesce(t.first_at, s.started_at) < ?", (until,))
    return condition


def sum_terms(connection: apsw.Connection, condition: Condition, kind: str) -> list[tuple[str, int, int, int]]:
    """The terms of one kind in the threads of a condition: (term, threads, sessions, count), by threads and count, the most first."""
    query = (
        "SELECT w.term, count(*), count(DISTINCT t.session_id), sum(w.count) FROM sessions s JOIN threads t ON t.session_id = s.session_id"  # noqa: S608
        f" JOIN terms w ON w.thread = t.thread AND w.kind = ? WHERE {condition.sql or '1'}"
        " GROUP BY w.term ORDER BY 2 DESC, 4 DESC, w.term"
    )
    return select(connection, query, (kind, *condition.values))


def count_threads(connection: apsw.Connection, condition: Condition) -> int:
    """How many threads a condition admits."""
    query = f"SELECT count(*) FROM sessions s JOIN threads t ON t.session_id = s.session_id WHERE {condition.sql or '1'}"  # noqa: S608
    return int(select(connection, query, condition.values)[0][0])


def sum_facets(connection: apsw.Connection, thread_ids: Sequence[Packed]) -> list[tuple[str, str, int]]:
    """The terms of some threads: (kind, term, threads), the most shared first."""
    marks = ", ".join("?" * len(thread_ids))
    query = (
        "SELECT w.kind, w.term, count(*) FROM threads t JOIN terms w ON w.thread = t.thread"  # noqa: S608
        f" WHERE t.thread_id IN ({marks}) GROUP BY w.kind, w.term ORDER BY 3 DESC, sum(w.count) DESC, w.term"
    )
    return select(connection, query, tuple(thread_ids))
