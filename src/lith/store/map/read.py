"""Reading the map: sessions, what was said in them, records by id, coverage.

Called by `retrieval` (and by faces of `status`) with an open connection. It never writes, and it never looks at raw files: a place in one
is a row like any other.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import apsw
import msgspec

from lith.kernel.ids import Packed, prefix_range
from lith.records.record import Kind
from lith.store.map.narrow import Condition
from lith.store.map.rows import select, select_one
from lith.store.map.schema import COPY_SHIFT, DOCUMENT_SHIFT, OTHER_DOCUMENTS

_LAST_CHARACTER = "\U0010ffff"


class SessionRow(msgspec.Struct, frozen=True):
    """A session and its project; times are milliseconds UTC."""

    session_id: int
    ref: str
    source: str
    native_id: str
    parent_ref: str | None
    kind: str
    state: str
    cwd: str | None
    branch: str | None
    version: str | None
    model: str | None
    agent: str | None
    title: str | None
    started_at: int | None
    ended_at: int | None
    messages: int
    user_messages: int
    calls: int
    records: int
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    project: str | None
    worktree: str | None


class DocumentRow(msgspec.Struct, frozen=True):
    """One document with its text (a call's is a JSON object of its fields), cut where the caller set a limit."""

    doc_id: int
    kind: str
    role: str | None
    label: str | None
    tool: str | None
    seq: int | None
    timestamp: int | None
    record_id: Packed
    twin: int
    length: int
    abandoned: int
    text: str

    @property
    def session_id(self) -> int:
        """The session that it belongs to."""
        return self.doc_id >> DOCUMENT_SHIFT


class CopyRow(msgspec.Struct, frozen=True):
    """One place of a record's bytes: offset and length in the (decompressed) file, and what the file was when it was read."""

    record_id: Packed
    transcript_id: int
    copy_id: int
    source: str
    root: str
    path: str
    state: str
    offset: int
    length: int
    line: int
    hash: bytes
    dev: int
    inode: int
    size: int
    mtime_ns: int
    ctime_ns: int
    session_ref: str | None = None


_SESSION = (
    "SELECT s.session_id, s.ref, s.source, s.native_id, s.parent_ref, s.kind, s.state, s.cwd, s.branch, s.version, s.model, s.agent,"
    " s.title, s.started_at, s.ended_at, s.messages, s.user_messages, s.calls, s.records, s.input_tokens, s.output_tokens,"
    " s.cache_read_tokens, s.cache_write_tokens, p.key, p.worktree FROM sessions s LEFT JOIN projects p ON p.cwd = s.cwd"
)
_DOCUMENT = (
    "SELECT d.doc_id, d.kind, d.role, d.label, d.tool, d.seq, d.timestamp, d.record_id, d.twin, d.length, d.abandoned,"
    " substr(p.text, 1, ?), d.more FROM documents d LEFT JOIN pieces p ON p.piece_id = d.piece_id"
)
_COPY = "c.copy_id, f.source, f.root, f.path, f.state, c.offset, c.length, c.line, c.hash, f.dev, f.inode, f.size, f.mtime_ns, f.ctime_ns"
_WHOLE = 1 << 31
_MORE = msgspec.json.Decoder(list[int])


def load_sessions(connection: apsw.Connection, session_ids: Iterable[int]) -> dict[int, SessionRow]:
    """Sessions by id; an id without a session is not in the answer."""
    query = f"{_SESSION} WHERE s.session_id IN (SELECT value FROM json_each(?))"  # noqa: S608
    rows = select(connection, query, (_json(session_ids),))
    return {row[0]: SessionRow(*row) for row in rows}


def find_session(connection: apsw.Connection, ref: str) -> SessionRow | None:
    """The session of a full address."""
    row = select_one(connection, f"{_SESSION} WHERE s.ref = ?", (ref,))
    return SessionRow(*row) if row else None


def find_refs(connection: apsw.Connection, prefix: str, limit: int, *, agent: str | None = None) -> list[str]:
    """Addresses of main sessions that begin with `prefix`, which holds the client's name, in order.

    With `agent` those of sub-agents instead: `prefix` begins what stands before the slash, `agent` what stands behind it.
    """
    part = "instr(ref, '/') = 0" if agent is None else "instr(ref, '/') > 0 AND substr(ref, instr(ref, '/') + 1, ?) = ?"
    values = () if agent is None else (len(agent), agent)
    query = f"SELECT ref FROM sessions WHERE ref >= ? AND ref < ? AND {part} ORDER BY ref LIMIT ?"  # noqa: S608
    return [row[0] for row in select(connection, query, (prefix, prefix + _LAST_CHARACTER, *values, limit))]


def page_sessions(
    connection: apsw.Connection, condition: Condition, *, after: tuple[int, int] | None, limit: int
) -> list[SessionRow]:
    """Sessions that fulfil a condition, the newest end first, from behind `after` (end in milliseconds, session id) on."""
    where, values = condition.sql or "1", condition.values
    if after is not None:
        where += " AND (coalesce(s.ended_at, 0), s.session_id) < (?, ?)"
        values += after
    query = f"{_SESSION} WHERE {where} ORDER BY coalesce(s.ended_at, 0) DESC, s.session_id DESC LIMIT ?"
    return [SessionRow(*row) for row in select(connection, query, (*values, limit))]


def count_sessions(connection: apsw.Connection, condition: Condition) -> int:
    """How many sessions fulfil a condition."""
    query = f"SELECT count(*) FROM sessions s WHERE {condition.sql or '1'}"  # noqa: S608
    return int(select(connection, query, condition.values)[0][0])


def load_documents(connection: apsw.Connection, doc_ids: Iterable[int], *, characters: int = _WHOLE) -> dict[int, DocumentRow]:
    """Documents by id, with at most so many characters of each piece of their text."""
    query = f"{_DOCUMENT} WHERE d.doc_id IN (SELECT value FROM json_each(?))"  # noqa: S608
    return {row.doc_id: row for row in _documents(connection, query, (characters, _json(doc_ids)), characters)}


def load_profiles(connection: apsw.Connection, session_id: int) -> list[DocumentRow]:
    """The texts about a session, in the order in which they came up. Their `seq` is the message after which they were written, if any."""
    low = (session_id << DOCUMENT_SHIFT) + OTHER_DOCUMENTS
    high = (session_id + 1) << DOCUMENT_SHIFT
    query = f"{_DOCUMENT} WHERE d.doc_id >= ? AND d.doc_id < ? AND d.kind = ? ORDER BY d.piece_id, d.doc_id"
    rows = _documents(connection, query, (_WHOLE, low, high, Kind.PROFILE.value), _WHOLE)
    places = find_places(connection, [(session_id, row.record_id) for row in rows])
    return [msgspec.structs.replace(row, seq=places.get((session_id, row.record_id))) for row in rows]


def find_places(connection: apsw.Connection, records: Iterable[tuple[int, Packed]]) -> dict[tuple[int, Packed], int]:
    """The message that each of some (session, record) belongs to or was written after; what precedes every message has none."""
    places = {}
    for session_id, record_id in records:
        query = "SELECT max(seq) FROM records WHERE record_id = ? AND session_id = ?"
        row = select_one(connection, query, (record_id, session_id))
        if row and row[0] is not None:
            places[session_id, record_id] = int(row[0])
    return places


def load_messages(connection: apsw.Connection, session_id: int, *, first: int, last: int) -> list[DocumentRow]:
    """The messages of a session whose seq lies in `first` to `last`, in order."""
    base = session_id << DOCUMENT_SHIFT
    low, high = base + max(first, 0), base + min(last, OTHER_DOCUMENTS - 1)
    query = f"{_DOCUMENT} WHERE d.doc_id BETWEEN ? AND ? ORDER BY d.doc_id"
    return _documents(connection, query, (_WHOLE, low, high), _WHOLE)


def load_others(
    connection: apsw.Connection, session_id: int, kinds: Sequence[Kind], *, first: int = 0, last: int = OTHER_DOCUMENTS
) -> list[DocumentRow]:
    """The documents of a session that are not messages, of some kinds, in the order in which they came up.

    Only those whose message has a seq in `first` to `last`; what belongs to no message counts as 0.
    """
    low = (session_id << DOCUMENT_SHIFT) + OTHER_DOCUMENTS
    high = (session_id + 1) << DOCUMENT_SHIFT
    marks = ", ".join("?" * len(kinds))
    query = (
        f"{_DOCUMENT} WHERE d.doc_id >= ? AND d.doc_id < ? AND d.kind IN ({marks}) AND coalesce(d.seq, 0) BETWEEN ? AND ?"
        " ORDER BY d.piece_id, d.doc_id"
    )
    return _documents(connection, query, (_WHOLE, low, high, *(kind.value for kind in kinds), first, last), _WHOLE)


def message_numbers(connection: apsw.Connection, session_id: int) -> list[int]:
    """The seq of every message of a session, in order."""
    base = session_id << DOCUMENT_SHIFT
    query = "SELECT doc_id FROM documents WHERE doc_id >= ? AND doc_id < ? ORDER BY doc_id"
    return [row[0] - base for row in select(connection, query, (base, base + OTHER_DOCUMENTS))]


def find_records(connection: apsw.Connection, prefix: str, limit: int) -> list[CopyRow]:
    """The best copies of the records whose id begins with `prefix`, in every transcript that has them, by record."""
    query = (
        f"SELECT r.record_id, r.transcript_id, {_COPY}, s.ref FROM records r JOIN copies c ON c.copy_id = r.copy_id"  # noqa: S608
        f" JOIN source_files f ON f.file_id = c.copy_id >> {COPY_SHIFT} LEFT JOIN sessions s ON s.session_id = r.session_id"
        " WHERE r.record_id >= ? AND r.record_id <= ? AND (? OR substr(r.record_id, 1, ?) = ?)"
        " ORDER BY r.record_id, r.transcript_id LIMIT ?"
    )
    # The test by substr is for digits, which a column without a type compares as a number.
    ranges: list[tuple[object, ...]] = [(prefix, prefix + _LAST_CHARACTER, 0, len(prefix), prefix)]
    packed = prefix_range(prefix)
    if packed is not None:
        ranges.append((*packed, 1, 0, ""))
    return [CopyRow(*row) for values in ranges for row in select(connection, query, (*values, limit))]


def find_other_copies(connection: apsw.Connection, best: CopyRow) -> list[CopyRow]:
    """The further copies of a record in the files of its transcript: the same bytes first, then by file and place."""
    query = (
        f"SELECT c.record_id, c.transcript_id, {_COPY} FROM transcript_files t JOIN source_files f USING (file_id)"  # noqa: S608
        f" JOIN copies c ON c.copy_id >= f.file_id << {COPY_SHIFT} AND c.copy_id < (f.file_id + 1) << {COPY_SHIFT}"
        " WHERE t.transcript_id = ? AND c.transcript_id = t.transcript_id AND c.record_id = ? AND c.copy_id <> ?"
        " ORDER BY c.hash <> ?, f.state <> 'live', c.copy_id"
    )
    values = (best.transcript_id, best.record_id, best.copy_id, best.hash)
    return [CopyRow(*(*row, best.session_ref)) for row in select(connection, query, values)]


def _documents(connection: apsw.Connection, query: str, values: tuple[object, ...], characters: int) -> list[DocumentRow]:
    rows = select(connection, query, values)
    further = [piece_id for row in rows if row[-1] is not None for piece_id in _MORE.decode(row[-1])]
    texts: dict[int, str] = {}
    if further:
        pieces = "SELECT piece_id, substr(text, 1, ?) FROM pieces WHERE piece_id IN (SELECT value FROM json_each(?))"
        texts = dict(select(connection, pieces, (characters, _json(further))))
    return [_document(row, texts) for row in rows]


def _document(row: tuple[Any, ...], texts: Mapping[int, str]) -> DocumentRow:
    *values, text, more = row
    text = text or ""
    if more is not None:
        text = "\n\n".join((text, *(texts.get(piece_id, "") for piece_id in _MORE.decode(more))))
    return DocumentRow(*(*values, text))


def _json(values: Iterable[int]) -> str:
    return msgspec.json.encode(list(values)).decode()
