"""From the copies of one transcript to its records, sessions and documents: the second half of a sync.

`sync` calls it inside its transaction, once for every transcript whose copies or files changed. It reads the copies back, lets the adapter
arrange them, composes the rows and writes those that differ.
"""

from collections.abc import Mapping
from itertools import chain

import apsw
import msgspec

from lith.ingest.choosing import best_copies, stronger
from lith.ingest.compose import Document, Located, Session, Summary, compose
from lith.ingest.kept import searchable
from lith.ingest.threads import assign_threads
from lith.ingest.weaving import cite, weave
from lith.kernel.ids import Packed, unpack
from lith.kernel.text import index_text
from lith.records.arrangement import Outline, PieceOutline
from lith.records.record import Kind, Label, Role, Usage
from lith.sources.base import Source
from lith.store.map import copies as copies_store
from lith.store.map import derived
from lith.store.map.schema import DOCUMENT_SHIFT, OTHER_DOCUMENTS, PIECE_SHIFT

TITLE_LENGTH = 120
DOCUMENTS_AT_ONCE = 2_000

_USAGE = msgspec.json.Decoder(Usage)
_KINDS = {kind.value: kind for kind in Kind}
_ROLES: dict[str | None, Role | None] = {None: None, **{role.value: role for role in Role}}
_LABELS: dict[str | None, Label | None] = {None: None, **{label.value: label for label in Label}}
_ATTRIBUTES = msgspec.json.Decoder(tuple[tuple[str, str], ...])


class Summaries:
    """Summaries that files hold about records, of their own sessions or of others."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._by_target: dict[Packed, tuple[Summary, ...]] | None = None

    def about(self, record_id: Packed) -> tuple[Summary, ...]:
        """The summaries about a record, in an order that does not depend on when they came."""
        if self._by_target is None:
            by_target: dict[Packed, list[Summary]] = {}
            for target, *row in copies_store.iter_summaries(self._connection):
                by_target.setdefault(target, []).append(Summary(*row))
            self._by_target = {
                target: tuple(sorted(found, key=lambda one: (one.text_hash, unpack(one.record_id))))
                for target, found in by_target.items()
            }
        return self._by_target.get(record_id, ())

    def reset(self) -> None:
        """Read them anew on the next question: copies have come or gone."""
        self._by_target = None


def derive(
    connection: apsw.Connection,
    source: Source,
    transcript: tuple[int, str],
    *,
    removed: set[Packed],
    summaries: Summaries,
    index_texts: Mapping[int, str],
) -> int:
    """Bring the records, sessions and documents of one transcript (its id, its native id) up to date with its copies.

    Returns how many messages it brought.

    `removed` are ids of records that lost a copy: those with none left are forgotten. `index_texts` maps piece ids to their index text
    where that is at hand.
    """
    transcript_id, native_id = transcript
    located = _locate(connection, transcript_id, summaries)
    arrangement = source.arrange(native_id, [one.outline for one in located])
    composition = compose(source.name, located, arrangement)
    session_of = arrangement.session_of
    states = ["gone"] * len(composition.sessions)
    for one, session_index in zip(located, session_of, strict=True):
        if session_index >= 0:
            states[session_index] = stronger(states[session_index], one.state)
    woven = assign_threads(source.name, native_id, [one.outline for one in located], arrangement)
    record_ids, copy_ids = [one.outline.record_id for one in located], [one.copy_id for one in located]
    del located  # the outlines of a big session are most of the memory that deriving it takes
    rows = {
        session.ref: _session_row(connection, source.name, transcript_id, session, states[number])
        for number, session in enumerate(composition.sessions)
    }
    ids = derived.put_sessions(connection, transcript_id, rows)
    messages = sum(_put_documents(connection, ids[session.ref], session, index_texts) for session in composition.sessions)
    session_ids: list[int | None] = [*(ids[session.ref] for session in composition.sessions), None]  # index -1: no session
    threads = weave(connection, transcript_id, woven, record_ids, composition, session_ids)
    derived.put_records(
        connection,
        (
            (record_id, transcript_id, copy_id, session_ids[session], seq, int(index in arrangement.abandoned), threads[thread])
            for index, (record_id, copy_id, session, seq, thread) in enumerate(
                zip(record_ids, copy_ids, session_of, composition.seqs, woven.thread_of, strict=True)
            )
        ),
    )
    cite(connection, transcript_id, threads)
    if removed:
        derived.delete_records(connection, transcript_id, removed.difference(record_ids))
    return messages


def _locate(connection: apsw.Connection, transcript_id: int, summaries: Summaries) -> list[Located]:
    """The outlines of a transcript's records, each with its place."""
    waiting = best_copies(connection, transcript_id)
    waiting.reverse()
    pieces: dict[int, list[PieceOutline]] = {}
    for row in copies_store.iter_piece_outlines(connection, transcript_id):
        piece_id, kind, role, label, tool, position, native, text_hash, length, message = row
        piece = PieceOutline(_KINDS[kind], _ROLES[role], _LABELS[label], tool, position, bool(native), text_hash, length, message)
        pieces.setdefault(piece_id >> PIECE_SHIFT, []).append(piece)
    attributes: dict[str, tuple[tuple[str, str], ...]] = {}
    located = []
    while waiting:
        copy = waiting.pop()
        own, first_piece = pieces.pop(copy.copy_id, ()), copies_store.first_piece(copy.copy_id)
        text = copy.attributes
        if text is not None and text not in attributes:
            attributes[text] = _ATTRIBUTES.decode(text)
        outline = Outline(
            copy.record_id,
            copy.type,
            copy.at,
            copy.timestamp,
            copy.parent,
            copy.logical_parent,
            copy.prompt_id,
            copy.message,
            copy.tool_use_id,
            copy.target,
            copy.flags,
            None if copy.usage is None else _USAGE.decode(copy.usage),
            () if text is None else attributes[text],
            tuple(own),
        )
        located.append(
            Located(
                outline,
                copy.copy_id,
                tuple(range(first_piece, first_piece + len(own))),
                summaries.about(copy.record_id),
                copy.state,
            )
        )
    return located


def _session_row(connection: apsw.Connection, source: str, transcript_id: int, session: Session, state: str) -> derived.Row:
    title, title_source = _title(connection, session)
    attributes = session.attributes
    user_messages = sum(1 for message in session.messages if message.role is Role.USER)
    calls = sum(1 for document in session.others if document.kind is Kind.CALL)
    usage = session.usage
    return (
        transcript_id, session.ref, source, session.plan.native_id, session.parent_ref, session.plan.kind.value, state,
        attributes.get("cwd"), attributes.get("branch"), attributes.get("version"), attributes.get("model"), attributes.get("agent"),
        attributes.get("spawned_by"), title, title_source, session.started_at, session.ended_at,
        len(session.messages), user_messages, calls, session.records,
        usage.input, usage.output, usage.cache_read, usage.cache_write,
    )  # fmt: skip


def _title(connection: apsw.Connection, session: Session) -> tuple[str | None, str | None]:
    """The title of a session and where it comes from: set by someone, made by a model, a summary, else the first prompt."""
    for piece_id, label in session.titles:
        text = " ".join(copies_store.piece_texts(connection, [piece_id])[0].split())
        if text:
            return (text if len(text) <= TITLE_LENGTH else text[: TITLE_LENGTH - 1].rstrip() + "…"), label
    return None, None


def _put_documents(connection: apsw.Connection, session_id: int, session: Session, index_texts: Mapping[int, str]) -> int:
    """Write what differs, a slice at a time; returns how many messages are new."""
    old = derived.load_documents(connection, session_id)
    base = session_id << DOCUMENT_SHIFT
    before = sum(1 for doc_id in old if doc_id < base + OTHER_DOCUMENTS)
    keys = [(one.kind.value, one.record_id, one.piece_ids[0] & ((1 << PIECE_SHIFT) - 1)) for one in session.others]
    numbers = derived.document_numbers(old, keys, session_id)
    rows: dict[int, derived.Row] = {}
    bodies: dict[int, str] = {}
    gone: list[int] = []
    messages = ((base + (message.seq or 0), message) for message in session.messages)
    for doc_id, document in chain(messages, zip(numbers, session.others, strict=True)):
        row, known = _document_row(document), old.pop(doc_id, None)
        if row == known:
            continue
        rows[doc_id] = row
        if known is None or known[derived.HASH] != row[derived.HASH]:
            bodies[doc_id] = _body(connection, document, index_texts)
            gone += [] if known is None else [doc_id]
        if len(rows) >= DOCUMENTS_AT_ONCE:
            derived.put_documents(connection, rows, bodies, gone)
            rows, bodies, gone = {}, {}, []
    derived.put_documents(connection, rows, bodies, gone)
    derived.delete_documents(connection, list(old))
    return max(0, len(session.messages) - before)


def _document_row(document: Document) -> derived.Row:
    more = document.piece_ids[1:]
    return (
        document.kind.value,
        document.role.value if document.role else None,
        document.label.value if document.label else None,
        document.tool,
        document.seq,
        document.timestamp,
        document.record_id,
        document.piece_ids[0],
        msgspec.json.encode(more).decode() if more else None,
        document.hash,
        document.twin,
        document.length,
        int(document.abandoned),
    )


def _body(connection: apsw.Connection, document: Document, index_texts: Mapping[int, str]) -> str:
    """What the index gets of a document."""
    parts = []
    for piece_id in document.piece_ids:
        known = index_texts.get(piece_id)
        if known is None:
            text = copies_store.piece_texts(connection, [piece_id])[0]
            known = index_text(searchable(document.kind, document.tool, text))
        parts.append(known)
    return "\n".join(parts)
