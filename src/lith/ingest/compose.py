"""From the outlines of a transcript to the rows of its sessions, documents and records. Pure.

`derive` calls it with what the map holds; it knows neither SQL nor files. The same outlines give the same rows, whatever the history
of syncs that brought them: that is what makes an incremental sync equal to a full one.
"""

from collections.abc import Iterable, Sequence
from operator import itemgetter

import msgspec

from lith.kernel.ids import Packed, small_hash
from lith.records.address import session_ref
from lith.records.arrangement import Arrangement, Outline, PieceOutline, SessionPlan
from lith.records.record import Kind, Label, Role, SessionKind, Usage

_LAST_COUNTS = frozenset({"version", "model"})  # of every other attribute, the first value is the session's


class Summary(msgspec.Struct, frozen=True, array_like=True):
    """A summary that some file, often another session's, holds about a record: it titles the session of that record."""

    piece_id: int
    record_id: Packed
    text_hash: int
    length: int


class Located(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An outline with its place in the map: the copy that is the best one, the ids of its pieces, the summaries about it, and
    the state of the files that hold the record.
    """

    outline: Outline
    copy_id: int
    piece_ids: tuple[int, ...]
    summaries: tuple[Summary, ...] = ()
    state: str = "live"


class Document(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One document, without its text. `seq` numbers a message; a call has the seq of the message that it belongs to."""

    kind: Kind
    role: Role | None
    label: Label | None
    tool: str | None
    seq: int | None
    timestamp: int | None
    record_id: Packed
    piece_ids: tuple[int, ...]
    hash: int
    twin: int
    length: int
    abandoned: bool


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """One session with its documents and its share of the records.

    `titles` are the pieces that could title it, best first: (piece id, label), then the first user message.
    """

    plan: SessionPlan
    ref: str
    parent_ref: str | None
    attributes: dict[str, str]
    started_at: int | None
    ended_at: int | None
    records: int
    usage: Usage
    titles: tuple[tuple[int, str], ...]
    messages: tuple[Document, ...]
    others: tuple[Document, ...]


class Composition(msgspec.Struct, frozen=True):
    """All rows of one transcript. `seqs` is parallel to the records it was made from: the message that each belongs to, if any."""

    sessions: tuple[Session, ...]
    seqs: tuple[int | None, ...]


_RUNNING = "running total"
_MOST_TOKENS = 1 << 62
_TITLE_RANK = {Label.SUMMARY: 1, Label.AI_TITLE: 2, Label.TITLE: 3}


def compose(source: str, records: Sequence[Located], arrangement: Arrangement) -> Composition:
    """The rows of a transcript's sessions, documents and records."""
    builders = [_SessionBuilder(source, plan) for plan in arrangement.sessions]
    hidden, abandoned = arrangement.hidden, arrangement.abandoned
    keys: list[object] = [
        None if session < 0 else builders[session].add(index, located, hidden, index in abandoned)
        for index, (located, session) in enumerate(zip(records, arrangement.session_of, strict=True))
    ]
    seqs = tuple(
        None if session < 0 else builders[session].seq_of(key) for session, key in zip(arrangement.session_of, keys, strict=True)
    )
    return Composition(tuple(builder.close() for builder in builders), seqs)


class _Message:
    """A message while its records are still coming in; `parts` are (position, piece id, hash, length)."""

    __slots__ = ("abandoned", "parts", "record_id", "role", "seq", "timestamp")

    def __init__(self, seq: int, role: Role | None, outline: Outline, abandoned: bool) -> None:
        self.seq = seq
        self.role = role
        self.record_id = outline.record_id
        self.timestamp = outline.timestamp
        self.abandoned = abandoned
        self.parts: list[tuple[int, int, int, int]] = []

    def document(self, family: str | None) -> Document:
        """The message as a document; its parts by block number where the client writes one, else by appearance."""
        parts = sorted(self.parts, key=itemgetter(0))
        text_hash = parts[0][2] if len(parts) == 1 else small_hash(" ".join(str(part[2]) for part in parts))
        return Document(
            kind=Kind.MESSAGE,
            role=self.role,
            label=None,
            tool=None,
            seq=self.seq,
            timestamp=self.timestamp,
            record_id=self.record_id,
            piece_ids=tuple(part[1] for part in parts),
            hash=text_hash,
            twin=_twin(self.role, text_hash, family or self.record_id),
            length=sum(part[3] for part in parts),
            abandoned=self.abandoned,
        )


class _SessionBuilder:
    """Collects one session's documents, record by record, in the order of first appearance."""

    def __init__(self, source: str, plan: SessionPlan) -> None:
        self._plan = plan
        self._source = source
        self._attributes: dict[str, str] = {}
        self._noted: object = None  # the attributes of the record before: most records of a session have the same
        self._started: int | None = None
        self._ended: int | None = None
        self._records = 0
        self._messages: dict[object, _Message] = {}
        self._last_seq: int | None = None
        self._before: dict[object, int | None] = {}  # the message before the first record of a key
        self._others: list[tuple[Document, object]] = []
        self._usage: dict[object, Usage] = {}
        self._titles: list[tuple[int, int, int, int, str]] = []
        self._profiles: set[tuple[Label | None, int]] = set()

    def add(self, index: int, located: Located, hidden: frozenset[tuple[int, int]], abandoned: bool) -> object:
        """Take in a record; returns the key that `seq_of` resolves once all records are in."""
        outline = located.outline
        self._records += 1
        self._note_session_facts(outline)
        key: object = outline.record_id if outline.message is None else outline.message
        self._before.setdefault(key, self._last_seq)
        if outline.usage is not None:
            self._note_usage(key, outline.usage)
        for summary in located.summaries:
            self._add_summary(index, outline, summary)
        for number, piece in enumerate(outline.pieces):
            if (index, number) in hidden or (outline.target is not None and piece.label is Label.SUMMARY):
                continue
            if piece.kind is Kind.MESSAGE:
                own = key if piece.message is None else piece.message
                message = self._messages.get(own)
                if message is None:
                    message = self._messages[own] = _Message(len(self._messages) + 1, piece.role, outline, abandoned)
                    self._last_seq = message.seq
                message.parts.append((piece.order, located.piece_ids[number], piece.text_hash, piece.length))
            else:
                self._add_other(
                    index, key if piece.message is None else piece.message, outline, piece, located.piece_ids[number], abandoned
                )
        return key

    def seq_of(self, key: object) -> int | None:
        """The number of the message that a record belongs to: its own, else the one before it."""
        message = self._messages.get(key)
        return message.seq if message is not None else self._before.get(key)

    def close(self) -> Session:
        """The finished session."""
        messages = tuple(message.document(self._plan.family) for message in self._messages.values())
        others = tuple(
            document if document.kind is Kind.PROFILE else msgspec.structs.replace(document, seq=self.seq_of(key))
            for document, key in self._others
        )
        self._titles.sort(reverse=True)
        titles = [(piece_id, label) for _, _, _, piece_id, label in self._titles]
        titles += [(message.piece_ids[0], "prompt") for message in messages if message.role is Role.USER][:1]
        return Session(
            plan=self._plan,
            ref=session_ref(self._source, self._plan.native_id),
            parent_ref=session_ref(self._source, self._plan.parent) if self._plan.parent else None,
            attributes={**self._attributes, **dict(self._plan.attributes)},
            started_at=self._started,
            ended_at=self._ended,
            records=self._records,
            usage=_total(self._usage),
            titles=tuple(titles),
            messages=messages,
            others=others,
        )

    def _note_usage(self, key: object, usage: Usage) -> None:
        """Remember the tokens of a model call, or a running total; a total that falls was started anew, and the old one counts too."""
        if not usage.cumulative:
            self._usage[key] = usage
            return
        last = self._usage.get(_RUNNING)
        if last is not None and usage.output < last.output:
            self._usage[(_RUNNING, len(self._usage))] = last
        self._usage[_RUNNING] = usage

    def _note_session_facts(self, outline: Outline) -> None:
        moment = outline.timestamp
        if moment is not None:
            self._started = moment if self._started is None else min(self._started, moment)
            self._ended = moment if self._ended is None else max(self._ended, moment)
        if outline.attributes is self._noted:
            return
        self._noted = outline.attributes
        for name, value in outline.attributes:
            if name in _LAST_COUNTS:
                self._attributes[name] = value
            else:
                self._attributes.setdefault(name, value)

    def _add_summary(self, index: int, outline: Outline, summary: Summary) -> None:
        if self._plan.kind is SessionKind.MAIN:
            self._titles.append((_TITLE_RANK[Label.SUMMARY], index, summary.text_hash, summary.piece_id, Label.SUMMARY.value))
        piece = PieceOutline(Kind.PROFILE, None, Label.SUMMARY, None, 0, True, summary.text_hash, summary.length)
        self._add_profile(summary.record_id, outline.timestamp, piece, summary.piece_id)

    def _add_other(self, index: int, key: object, outline: Outline, piece: PieceOutline, piece_id: int, abandoned: bool) -> None:
        if piece.kind is Kind.PROFILE:
            if piece.label in _TITLE_RANK:
                self._titles.append((_TITLE_RANK[piece.label], index, piece.text_hash, piece_id, piece.label.value))
            self._add_profile(outline.record_id, outline.timestamp, piece, piece_id, abandoned)
            return
        self._others.append((self._document(outline.record_id, outline.timestamp, piece, piece_id, abandoned), key))

    def _add_profile(
        self, record_id: Packed, timestamp: int | None, piece: PieceOutline, piece_id: int, abandoned: bool = False
    ) -> None:
        """A text about the session, once: clients write the same title again and again."""
        if (piece.label, piece.text_hash) not in self._profiles:
            self._profiles.add((piece.label, piece.text_hash))
            self._others.append((self._document(record_id, timestamp, piece, piece_id, abandoned), None))

    def _document(
        self, record_id: Packed, timestamp: int | None, piece: PieceOutline, piece_id: int, abandoned: bool
    ) -> Document:
        return Document(
            kind=piece.kind,
            role=piece.role,
            label=piece.label,
            tool=piece.tool,
            seq=None,
            timestamp=timestamp,
            record_id=record_id,
            piece_ids=(piece_id,),
            hash=piece.text_hash,
            twin=_twin(piece.tool, piece.text_hash, self._plan.family or record_id),
            length=piece.length,
            abandoned=abandoned,
        )


def _twin(speaker: str | None, text_hash: int, origin: Packed) -> int:
    """Equal for the copies of one message or call in forked sessions: who said what, in which record (or family of sessions)."""
    return small_hash(f"{speaker} {text_hash} {origin!r}")


def _total(usage: dict[object, Usage]) -> Usage:
    """The tokens of a session: the sum over its model calls, or over its running totals."""
    return Usage(
        input=_sum(one.input for one in usage.values()),
        output=_sum(one.output for one in usage.values()),
        cache_read=_sum(one.cache_read for one in usage.values()),
        cache_write=_sum(one.cache_write for one in usage.values()),
    )


def _sum(counts: Iterable[int]) -> int:
    """A sum that fits a column, whatever a transcript claims."""
    return min(max(sum(counts), 0), _MOST_TOKENS)
