"""One file to rows: bytes to records, records to scrubbed pieces with their index text. The first half of a sync.

It opens the raw file and nothing else, and knows no database: it can run in a process of its own. Ids are local to a chunk (numbers of
copies, indexes of transcripts and attribute sets); the writer turns them into the map's.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

import msgspec

from lith.ingest.archived import open_archived
from lith.ingest.kept import clean_name, clean_text, iter_kept, searchable
from lith.ingest.proof import Proof, take_proof
from lith.kernel import ids, jsonl
from lith.kernel.text import index_text
from lith.kernel.zstd import ZstdReader, open_decompressed
from lith.records.record import Flag, Label, Piece, Problem, Record
from lith.scrub import strip_sentinels
from lith.sources.base import FileContext, Source
from lith.store.map.schema import MAX_PIECES

CHUNK_BYTES = 4 << 20
CHUNK_COPIES = 4096
_MAX_PROBLEMS = 100
_LAST_MOMENT = 1 << 53  # milliseconds; a number beyond it is no time, and may not fit the map
_MAX_ARCS, _MAX_ARC = 100, 200
_TAG = b"historical_context"
_ENCODE = msgspec.json.Encoder().encode
_CONTEXT = msgspec.json.Decoder(FileContext)


class Checkpoint(msgspec.Struct, array_like=True, frozen=True):
    """Where a file was left: `cursor` and `line` as in `FileRow`, `at` the highest timestamp so far, `copies` the next number.

    `problems` counts those before it: of a file only the first are kept with their place.
    """

    cursor: int = 0
    line: int = 1
    at: int = 0
    copies: int = 0
    problems: int = 0


class Task(msgspec.Struct, array_like=True, frozen=True):
    """A file to project from a checkpoint on. `context` is JSON of its `FileContext` where that is known already.

    `limit` ends the pass after about that many bytes; the last chunk then says `more`. With `archived`, `absolute` is the folder of a
    generation in the archive, whose bytes take the place of the file's; `relative` is the file's path all the same.
    """

    source: str
    absolute: str
    relative: str
    start: Checkpoint
    context: str | None
    projection: str
    limit: int | None = None
    archived: bool = False


class Chunk(msgspec.Struct, array_like=True):
    """What some consecutive lines of a file gave.

    `copies` are the columns of the table of that name with local ids: (number, transcript index, record id, …, attribute set index or
    None); `pieces` likewise: (number of the copy, number of the piece, kind, …, text); `index_texts` runs parallel to them. `recalls` are
    (number of the copy, arcs that lith gave back in it). `targets` are the records that summaries in here are about. `end` is where the
    next chunk starts; a whole object on an unfinished last line lies behind it, and is read again next time. `context` is the file's, as
    JSON, `proof` that of what lies before `end`, in the last chunk of a pass.
    """

    copies: list[tuple[Any, ...]] = []
    pieces: list[tuple[Any, ...]] = []
    recalls: list[tuple[int, str]] = []
    index_texts: list[str] = []
    transcripts: list[str] = []
    attribute_sets: list[str] = []
    targets: list[ids.Packed] = []
    problems: list[tuple[int, int, int, str, str]] = []
    unknown: dict[str, int] = {}
    expected: int = 0
    damage: int = 0
    problem_count: int = 0
    context: str = ""
    end: Checkpoint = Checkpoint()
    pending: int = 0
    bytes_read: int = 0
    more: bool = False
    proof: Proof | None = None


class Unreadable(OSError):
    """The file is not there any more, or is nothing that can be read as a transcript."""


def is_compressed(relative: str) -> bool:
    """Whether a file is read through a decompressor; such a file is never appended to."""
    return relative.endswith((".zst", ".zstd"))


def open_regular(path: Path) -> BinaryIO:
    """Open a file that must be a regular one; a FIFO or a device is refused without waiting on it. Raises `OSError`."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise Unreadable("not a regular file")
    return os.fdopen(handle, "rb")


def iter_chunks(task: Task, source: Source) -> Iterator[Chunk]:
    """Read a file from its checkpoint to its end, chunk by chunk; always at least one chunk. Raises `OSError`."""
    with _open(task) as file:
        yield from _Projector(task, source, file).run()


def _open(task: Task) -> BinaryIO | ZstdReader:
    path = Path(task.absolute)
    if task.archived:
        return open_archived(path)
    if is_compressed(task.relative):
        return cast("ZstdReader", open_decompressed(path))
    return open_regular(path)


class _Projector:
    """The state of one pass over a file."""

    def __init__(self, task: Task, source: Source, file: BinaryIO | ZstdReader) -> None:
        self._source = source
        self._file = file
        self._start = task.start
        self._calls = task.projection != "talk"
        self._relative = task.relative
        self._limit = task.limit
        self._context = _CONTEXT.decode(task.context) if task.context else None
        self._context_text = task.context or ""
        self._at = task.start.at
        self._copies = task.start.copies
        self._problems = task.start.problems
        self._boundary = task.start
        self._types: dict[str, tuple[str, bool]] = {}
        self._names: dict[str | None, str | None] = {None: None}
        self._recalled = ""
        self._transcripts: dict[str, int] = {}
        self._sets: dict[tuple[tuple[str, str], ...], int] = {}
        self._chunk = Chunk()

    def run(self) -> Iterator[Chunk]:
        """Every chunk of the file."""
        reader = jsonl.LineReader(self._file, offset=self._start.cursor, line=self._start.line)
        done = self._start.cursor
        stop = None if self._limit is None else done + self._limit
        for item in reader:
            if isinstance(item, jsonl.Huge):
                self._take_huge(item)
            else:
                if item.tail:
                    # What an unfinished line says is taken back next time: the checkpoint stays before it, and it counts once whole.
                    self._chunk.end = self._checkpoint(reader)
                    self._take_tail(item)
                    continue
                if (spans := self._take_line(item)) is not None:
                    yield from self._take_spans(item, spans)
            if reader.cursor - done >= CHUNK_BYTES or len(self._chunk.copies) >= CHUNK_COPIES:
                self._chunk.end = self._checkpoint(reader)
                self._chunk.more = stop is not None and reader.cursor >= stop
                more = self._chunk.more
                yield self._finish(reader.cursor - done, 0)
                done = reader.cursor
                if more:
                    return
            self._boundary = self._checkpoint(reader)
        self._note_broken_frames(reader)
        if self._chunk.end.cursor < reader.cursor or not self._chunk.copies:
            self._chunk.end = self._checkpoint(reader)
        yield self._finish(reader.cursor + reader.pending - done, reader.pending)

    def _note_broken_frames(self, reader: jsonl.LineReader) -> None:
        """What a compressed file lost to damage; offsets are in the compressed file. Raises `Unreadable` if that is everything."""
        frames = self._file.damage if isinstance(self._file, ZstdReader) else []
        if frames and not reader.cursor and not reader.pending:
            raise Unreadable("there is no readable Zstandard frame in it")
        for offset, length in frames:
            self._chunk.damage += 1
            self._note_problem(Problem(reason="damage", offset=offset, length=length, detail="broken Zstandard frame"))

    def _take_tail(self, line: jsonl.Line) -> None:
        chunk = self._chunk
        counts = (chunk.expected, chunk.damage, chunk.problem_count, dict(chunk.unknown), self._problems)
        for span in self._take_line(line) or ():
            self._take_part(line, span)
        chunk.expected, chunk.damage, chunk.problem_count, chunk.unknown, self._problems = counts

    def _take_line(self, line: jsonl.Line) -> Iterator[jsonl.Span] | None:
        """Take in a line that is one object; of any other the spans, which are still to be taken in."""
        content_hash = ids.digest(line.data)
        try:
            parsed = self._parse(line.data, content_hash)
        except (msgspec.DecodeError, RecursionError):
            return iter(jsonl.iter_line_spans(line.data, line.offset, line.line))
        self._take(parsed, line.offset, len(line.data), line.line, content_hash)
        return None

    def _take_spans(self, line: jsonl.Line, spans: Iterator[jsonl.Span]) -> Iterator[Chunk]:
        """A line that is not one object: take in whatever is whole in it, and count the rest.

        A line of very many objects is handed on in several chunks, all of which end where the line before it did.
        """
        for span in spans:
            self._take_part(line, span)
            if len(self._chunk.copies) >= CHUNK_COPIES:
                self._chunk.end = msgspec.structs.replace(self._boundary, copies=self._copies)
                yield self._finish(0, 0)

    def _take_part(self, line: jsonl.Line, span: jsonl.Span) -> None:
        data = line.data[span.offset - line.offset : span.offset - line.offset + span.length]
        self._take_span(span, data, ids.digest(data))

    def _take_huge(self, huge: jsonl.Huge) -> None:
        if huge.strings_cut:
            span, detail = huge.span, f"{huge.strings_cut} very long texts are kept without their end"
            self._note_problem(Problem(reason="truncated", offset=span.offset, length=span.length, line=span.line, detail=detail))
        self._take_span(huge.span, huge.data, huge.sha256[: ids.DIGEST_BYTES])

    def _take_span(self, span: jsonl.Span, data: bytes, content_hash: bytes) -> None:
        if span.kind != "object":
            reason = (span.reason or "damage") if span.kind == "damage" else "not_an_object"
            self._note_problem(Problem(reason=reason, offset=span.offset, length=span.length, line=span.line))
            self._chunk.damage += span.kind == "damage"
            return
        try:
            parsed = self._parse(data, content_hash)
        except (msgspec.DecodeError, RecursionError) as error:
            parsed = Problem(reason="undecodable", offset=0, length=0, detail=str(error))
        self._take(parsed, span.offset, span.length, span.line, content_hash)

    def _parse(self, data: bytes, content_hash: bytes) -> Record | Problem:
        context = self._context
        if context is None:
            context = self._context = self._source.file_context(self._relative, data)
            self._context_text = _ENCODE(context).decode()
        self._recalled = _find_recalled(data) if _TAG in data else ""
        return self._source.parse(data, context, content_hash)

    def _take(self, parsed: Record | Problem, offset: int, length: int, line: int, content_hash: bytes) -> None:
        if isinstance(parsed, Problem):
            self._note_problem(msgspec.structs.replace(parsed, offset=offset, length=length, line=line))
            return
        if parsed.dropped:
            detail = "wrong type of " + ", ".join(parsed.dropped)
            self._note_problem(Problem(reason="wrong_type", offset=offset, length=length, line=line, detail=detail))
        if len(parsed.pieces) > MAX_PIECES:
            detail = f"{len(parsed.pieces)} texts in one record, of which {MAX_PIECES} are kept"
            self._note_problem(Problem(reason="truncated", offset=offset, length=length, line=line, detail=detail))
        chunk = self._chunk
        number = self._copies
        self._copies += 1
        timestamp = parsed.timestamp
        if timestamp is not None and abs(timestamp) > _LAST_MOMENT:
            timestamp = None
        if timestamp is not None and timestamp > self._at:
            self._at = timestamp
        flags = parsed.flags
        if flags & Flag.CONVERSATION and not flags & Flag.META:
            chunk.expected += 1
        type_name, known = self._types.get(parsed.type) or self._note_type(parsed.type)
        if not known:
            chunk.unknown[type_name] = chunk.unknown.get(type_name, 0) + 1
        if self._recalled:
            chunk.recalls.append((number, self._recalled))
        pieces = parsed.pieces
        if pieces:
            self._take_pieces(number, pieces)
            if parsed.target is not None and any(piece.label is Label.SUMMARY for piece in pieces):
                chunk.targets.append(ids.pack(parsed.target))
        chunk.copies.append(
            (
                number,
                self._transcript_index(parsed.transcript),
                ids.pack(parsed.record_id),
                line,
                offset,
                length,
                content_hash,
                type_name,
                self._at,
                timestamp,
                None if parsed.parent is None else ids.pack(parsed.parent),
                None if parsed.logical_parent is None else ids.pack(parsed.logical_parent),
                None if parsed.prompt_id is None else ids.pack(parsed.prompt_id),
                None if parsed.message_id is None else ids.small_hash(parsed.message_id),
                parsed.tool_use_id,
                None if parsed.target is None else ids.pack(parsed.target),
                flags,
                None if parsed.usage is None else _ENCODE(parsed.usage).decode(),
                self._set_index(parsed.attributes) if parsed.attributes else None,
            )
        )

    def _take_pieces(self, number: int, pieces: tuple[Piece, ...]) -> None:
        chunk = self._chunk
        for kept, piece, text in iter_kept(pieces, calls=self._calls):
            chunk.pieces.append(
                (
                    number,
                    kept,
                    piece.kind.value,
                    piece.role.value if piece.role else None,
                    piece.label.value if piece.label else None,
                    self._name(piece.tool),
                    piece.order,
                    int(piece.native),
                    None if piece.message_id is None else ids.small_hash(piece.message_id),
                    ids.small_hash(text),
                    len(text),
                    text,
                )
            )
            chunk.index_texts.append(index_text(searchable(piece.kind, piece.tool, text)))

    def _note_problem(self, problem: Problem) -> None:
        self._chunk.problem_count += 1
        self._problems += 1
        if self._problems <= _MAX_PROBLEMS:
            detail = clean_name(problem.detail)
            self._chunk.problems.append((problem.offset, problem.length, problem.line, problem.reason, detail))

    def _note_type(self, type_name: str) -> tuple[str, bool]:
        """The name of a record type as it may be shown, and whether the adapter knows it."""
        noted = self._types[type_name] = (clean_name(type_name), self._source.knows_type(type_name))
        return noted

    def _name(self, name: str | None) -> str | None:
        if name not in self._names:
            self._names[name] = clean_name(name or "")
        return self._names[name]

    def _transcript_index(self, native_id: str) -> int:
        found = self._transcripts.get(native_id)
        if found is None:
            found = self._transcripts[native_id] = len(self._chunk.transcripts)
            self._chunk.transcripts.append(native_id)
        return found

    def _set_index(self, attributes: tuple[tuple[str, str], ...]) -> int:
        found = self._sets.get(attributes)
        if found is None:
            found = self._sets[attributes] = len(self._chunk.attribute_sets)
            clean = [(name, clean_text(value)) for name, value in attributes]
            self._chunk.attribute_sets.append(_ENCODE(clean).decode())
        return found

    def _checkpoint(self, reader: jsonl.LineReader) -> Checkpoint:
        return Checkpoint(reader.cursor, reader.line, self._at, self._copies, self._problems)

    def _finish(self, bytes_read: int, pending: int) -> Chunk:
        chunk, self._chunk = self._chunk, Chunk()
        if self._context is None:
            self._context_text = _ENCODE(self._source.file_context(self._relative, b"")).decode()
        chunk.context = self._context_text
        chunk.bytes_read, chunk.pending = bytes_read, pending
        if not isinstance(self._file, ZstdReader):
            position = self._file.tell()
            chunk.proof = take_proof(self._file, chunk.end.cursor)
            chunk.bytes_read += chunk.proof[0] + chunk.proof[2]
            self._file.seek(position)
        self._transcripts.clear()
        self._sets.clear()
        return chunk


def _find_recalled(data: bytes) -> str:
    """The arcs that lith gave back to a model in a record, in whatever form and place it stands; with spaces between."""
    _, arcs = strip_sentinels(data.decode("utf-8", "replace"))
    return " ".join(arc for arc in arcs[:_MAX_ARCS] if len(arc) <= _MAX_ARC)
