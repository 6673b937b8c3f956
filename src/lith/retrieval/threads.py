"""Threads: which one an address means, and what the map knows of it.

Called by `ops`. It reads rows; the bytes of the records are read and checked by whoever asks.
"""

import apsw
import msgspec

from lith.errors import AmbiguousAddress, BadSelector, RecordNotFound, ThreadNotFound
from lith.kernel.ids import Packed, pack, unpack
from lith.records.address import parse_address
from lith.retrieval.sessions import resolve_session
from lith.store.map import read
from lith.store.map import threads as store
from lith.store.map.read import SessionRow
from lith.store.map.threads import ThreadRecord, ThreadRow

_CANDIDATES = 8


class Spawned(msgspec.Struct, frozen=True):
    """A session that a thread started, and the record that did."""

    session: SessionRow
    record_id: Packed


class Origin(msgspec.Struct, frozen=True):
    """The thread that started a session, and the record that did."""

    thread: str
    record: str


class ThreadView(msgspec.Struct, frozen=True):
    """A thread with what belongs to it: its records in order, the pieces of them that are shown, what it started and what started it."""

    thread: ThreadRow
    session: SessionRow | None
    records: list[ThreadRecord]
    shown: set[int]
    spawned: list[Spawned]
    origin: Origin | None
    citations: list[str]


def thread_address(thread_id: Packed) -> str:
    """The address of a thread."""
    return f"thread:{unpack(thread_id)}"


def resolve_thread(connection: apsw.Connection, address: str) -> ThreadRow:
    """The thread of an address: a thread's own, or that of a message or a record in it.

    Raises `ThreadNotFound`, `AmbiguousAddress`, `BadSelector`, and what resolving a session raises. A session's address is one only where
    the session has one thread.
    """
    parsed = parse_address(address)
    if parsed.kind == "thread" or (parsed.kind == "session" and parsed.source is None):
        rows = store.find_threads(connection, parsed.id, _CANDIDATES + 1)
        if rows or parsed.kind == "thread":
            return _only(rows, address)
    if parsed.kind == "rec":
        records = read.find_records(connection, parsed.id, 200)
        ids = list(dict.fromkeys(row.record_id for row in records))
        exact = [one for one in ids if unpack(one) == parsed.id] or ids
        return _only([row for one in exact for row in store.find_threads_of_record(connection, one)], address)
    if parsed.kind not in {"session", "message"}:
        raise BadSelector(f"{address!r} is not the address of a thread", hint="a thread is thread:<id>, as find gives it")
    ref = resolve_session(connection, address)
    session = read.find_session(connection, ref)
    session_id = -1 if session is None else session.session_id
    if parsed.seq is None:
        rows = store.find_session_threads(connection, session_id)
        arcs = [row for row in rows if row.kind == "arc"] or rows
        return _only(arcs, address, what=f"{ref} has several threads")
    messages = read.load_messages(connection, session_id, first=parsed.seq, last=parsed.seq)
    if not messages:
        raise RecordNotFound(f"{ref} has no message #{parsed.seq}", next=[["lith", "read", ref]])
    return _only(store.find_threads_of_record(connection, messages[0].record_id, session_id), address)


def load_thread(connection: apsw.Connection, address: str) -> ThreadView:
    """A thread and what belongs to it. Raises what `resolve_thread` raises."""
    thread = resolve_thread(connection, address)
    records = store.load_records(connection, thread)
    session = None
    if thread.session_id is not None:
        session = read.load_sessions(connection, [thread.session_id]).get(thread.session_id)
    return ThreadView(
        thread=thread,
        session=session,
        records=records,
        shown=store.load_shown(connection, thread, [row.copy_id for row in records]),
        spawned=[] if session is None else _find_spawned(connection, session, records),
        origin=None if session is None or session.parent_ref is None else _find_origin(connection, session),
        citations=[row[0] for row in store.load_citations(connection, thread.thread)],
    )


def _only(rows: list[ThreadRow], address: str, *, what: str | None = None) -> ThreadRow:
    if len(rows) == 1:
        return rows[0]
    if not rows:
        raise ThreadNotFound(
            f"there is no thread {address!r} in the map", hint="find gives the thread of every result; sync takes in new ones"
        )
    names = [thread_address(row.thread_id) for row in rows[:_CANDIDATES]]
    lines = [f"{name} ({row.title})" if row.title else name for name, row in zip(names, rows, strict=False)]
    raise AmbiguousAddress(
        f"{what or f'{address!r} fits several threads'}: {'; '.join(lines)}" + ("; …" if len(rows) > _CANDIDATES else ""),
        hint="name one of them",
        next=[["lith", "thread", name] for name in names],
    )


def _find_spawned(connection: apsw.Connection, session: SessionRow, records: list[ThreadRecord]) -> list[Spawned]:
    """The sub-agents that records of a thread started, in order."""
    by_target = {unpack(row.target): row.record_id for row in reversed(records) if row.target is not None}
    by_call = {row.tool_use_id: row.record_id for row in reversed(records) if row.tool_use_id is not None}
    found = []
    for session_id, native_id, spawned_by in store.find_children(connection, session.ref):
        record_id = by_target.get(native_id, by_call.get(spawned_by or ""))
        if record_id is not None:
            found.append((session_id, record_id))
    sessions = read.load_sessions(connection, [session_id for session_id, _ in found])
    return [Spawned(sessions[session_id], record_id) for session_id, record_id in found]


def _find_origin(connection: apsw.Connection, session: SessionRow) -> Origin | None:
    row = next(iter(store.find_spawning_records(connection, pack(session.native_id))), None)
    if row is None:
        row = store.find_spawning_call(connection, session.session_id)
    if row is None:
        return None
    thread = store.find_thread_id(connection, row[0])
    return None if thread is None else Origin(thread_address(thread), f"rec:{unpack(row[1])}")
