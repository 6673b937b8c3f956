"""Reads JSON lines by exact byte spans, from any offset, and loses no whole object to damage around it.

Every reader of transcripts goes through here. It knows no client and no record: it finds lines and objects, the caller decodes them.
Offsets are positions in the (decompressed) file; concatenating spans and the gaps between them gives the file back.

The hot path hands out lines undecoded:

    reader = LineReader(file, offset=cursor, line=line)
    for item in reader:
        if isinstance(item, Huge):      # one object of a line longer than `max_line`: its span, digest, and a document with strings cut
            ...
        try:
            record = decoder.decode(item.data)
        except (msgspec.DecodeError, RecursionError):       # ValidationError too: it may hide what comes after
            for span in iter_line_spans(item.data, item.offset, item.line): ...
    reader.cursor, reader.line, reader.pending      # where to go on when the file has grown

Whatever starts at or after `reader.cursor` once the reader is through is provisional: it will be read again, and replaced.
"""

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Literal, Protocol

import msgspec

from lith.kernel.jsonl_grammar import BLANK, LBRACE, RBRACE
from lith.kernel.jsonl_resync import Span, Splitter
from lith.kernel.jsonl_scan import Scanner
from lith.kernel.jsonl_skeleton import Skeleton
from lith.kernel.lenient import decode_lenient

__all__ = ["Huge", "Line", "LineReader", "Readable", "Span", "iter_decoded", "iter_line_spans", "iter_spans", "split_line"]

CHUNK = 1 << 20
"""Bytes per read; larger ones measure no faster and cost memory."""
MAX_LINE = 16 << 20
"""A longer line is never held in memory."""

_BOM = b"\xef\xbb\xbf"
_raw = msgspec.json.Decoder(msgspec.Raw)
_any = msgspec.json.Decoder()


class Readable(Protocol):
    """What the reader needs of a file: an open binary file, or a decompressing stream."""

    def read(self, size: int, /) -> bytes: ...
    def seek(self, offset: int, /) -> int: ...


class Line(msgspec.Struct, frozen=True, gc=False):
    """The bytes of one line without the white space around them; `offset` is where they begin, `line` the physical line, from 1.

    `tail` marks the end of a file that has no final newline: `data` then ends with a whole object, and is read again next time.
    """

    data: bytes
    offset: int
    line: int
    tail: bool = False


class Huge(msgspec.Struct, frozen=True):
    """One span of a line that is too long to hold.

    For an object or a value, `data` is a valid document equal to it with long strings cut, and `sha256` the digest of its exact bytes;
    for damage both are empty. `strings_cut` counts the strings that lost their end.
    """

    span: Span
    data: bytes = b""
    sha256: bytes = b""
    strings_cut: int = 0


class LineReader:
    """Iterates once over the lines of a file, from `offset`, which is the start of physical line `line`.

    Blank lines are gaps and not yielded. `end` stops the reading at that offset, as if the file ended there. `final` says that the file
    will never grow, so that a last line without newline is a line. After each item, `cursor` and `line` tell where the next line begins
    (a huge line counts when it is through); after the last one, `pending` is how many bytes follow the last complete line. Raises
    OSError as the file does.
    """

    def __init__(
        self,
        source: Readable,
        *,
        offset: int = 0,
        line: int = 1,
        end: int | None = None,
        final: bool = False,
        chunk: int = CHUNK,
        max_line: int = MAX_LINE,
    ) -> None:
        self.cursor = offset
        self.line = line
        self.pending = 0
        self.bytes_read = 0
        self._source = source
        self._offset = offset
        self._end = end
        self._final = final
        self._chunk = chunk
        self._max_line = max_line

    def __iter__(self) -> Iterator[Line | Huge]:
        self._source.seek(self._offset)
        held: list[bytes] = []
        size = 0
        chunk = self._read()
        while chunk:
            pieces = chunk.split(b"\n")
            first = pieces[0]
            if size + len(first) > self._max_line:
                held.append(first)
                feed = _LineFeed(held, self._read, chunk[len(first) + 1 :] if len(pieces) > 1 else None)
                yield from self._iter_huge(feed)
                size = 0
                chunk = feed.rest or self._read()
                continue
            if len(pieces) == 1:
                held.append(first)
                size += len(first)
            else:
                if held:
                    held.append(first)
                    pieces[0] = b"".join(held)
                last = pieces.pop()
                yield from self._iter_complete(pieces)
                held, size = [last], len(last)
            chunk = self._read()
        if size > self._max_line:
            yield from self._iter_huge(_LineFeed(held, self._read, None))
        elif size:
            yield from self._iter_tail(b"".join(held))

    def _iter_complete(self, pieces: list[bytes]) -> Iterator[Line | Huge]:
        for piece in pieces:
            size, offset, line = len(piece), self.cursor, self.line
            if size > self._max_line:
                yield from self._iter_huge(_LineFeed([piece], self._read, b""))
                continue
            self.cursor = offset + size + 1
            self.line = line + 1
            if size and piece[0] == LBRACE and piece[-1] == RBRACE:
                yield Line(piece, offset, line)
                continue
            start, stop = _bounds(piece, offset)
            if start < stop:
                yield Line(piece[start:stop], offset + start, line)

    def _iter_tail(self, data: bytes) -> Iterator[Line | Huge]:
        if self._final:
            yield from self._iter_complete([data])
            self.cursor -= 1
            return
        self.pending = len(data)
        stop = -1
        for span in iter_line_spans(data, self.cursor, self.line, tail=True):
            if span.kind == "object":
                stop = span.offset + span.length - self.cursor
        start = _bounds(data, self.cursor)[0]
        if stop >= 0:
            yield Line(data[start:stop], self.cursor + start, self.line, tail=True)

    def _iter_huge(self, feed: "_LineFeed") -> Iterator[Huge]:
        """Yield the spans of a line as it streams past; the cursor moves when it is through."""
        scanner = Scanner(b"", self.cursor, feed.pull)
        scanner.need(len(_BOM))
        scanner.pos = _bounds(scanner.buf, self.cursor)[0]
        splitter = Splitter(scanner, self.line, is_tail=lambda: not (feed.closed or self._final), new_skeleton=Skeleton)
        for span, skeleton in splitter:
            if skeleton and span.kind != "damage":
                yield Huge(span, skeleton.document(), skeleton.digest(), skeleton.strings_cut)
            else:
                yield Huge(span)
        if feed.closed or self._final:
            self.cursor += feed.length + feed.closed
            self.line += 1
        else:
            self.pending = feed.length

    def _read(self) -> bytes:
        size = self._chunk
        if self._end is not None:
            size = min(size, self._end - self._offset - self.bytes_read)
        data = self._source.read(size) if size > 0 else b""
        self.bytes_read += len(data)
        return data


class _LineFeed:
    """The rest of one line, piece by piece: what was read of it, then what the file still gives.

    `rest` is what follows the newline, once `closed`; None as an argument means that the newline is still to come.
    """

    def __init__(self, held: list[bytes], read: Callable[[], bytes], rest: bytes | None) -> None:
        self.closed = rest is not None
        self.rest = rest or b""
        self.length = sum(map(len, held))
        self._pieces = deque(filter(None, held))
        self._read = read
        held.clear()  # the pieces are let go one by one

    def pull(self) -> bytes:
        """The next bytes of the line; empty at its end."""
        if self._pieces:
            return self._pieces.popleft()
        chunk = b"" if self.closed else self._read()
        newline = chunk.find(b"\n")
        if newline >= 0:
            self.closed = True
            chunk, self.rest = chunk[:newline], chunk[newline + 1 :]
        self.length += len(chunk)
        return chunk


def iter_line_spans(data: bytes, offset: int, line: int, *, tail: bool = False) -> Iterator[Span]:
    """Yield the spans of one line that is held in memory and begins at `offset`, in order: whole objects, and the damage between.

    With `tail` the line has no end yet: its last damage is left out, because more bytes may complete it.
    """
    start, stop = _bounds(data, offset)
    if start == stop:
        return
    body = data[start:stop]
    is_object = body[0] == LBRACE
    if _is_document(body):
        if is_object or not tail:
            yield Span("object" if is_object else "value", line, offset + start, stop - start)
        return
    for span, _ in Splitter(Scanner(body, offset + start), line, is_tail=lambda: tail):
        yield span


def split_line(data: bytes, offset: int, line: int, *, tail: bool = False) -> list[Span]:
    """The spans of `iter_line_spans` as a list."""
    return list(iter_line_spans(data, offset, line, tail=tail))


def iter_decoded(reader: LineReader) -> Iterator[tuple[Span, bytes, Any]]:
    """Yield every span that a reader finds, with its bytes and what they decode to.

    Text that is not valid is repaired in the value, never in the bytes. Damage comes with None. Spans of a huge line come with the
    bytes of their shortened document, or with none if they are damage.
    """
    for item in reader:
        if isinstance(item, Huge):
            yield item.span, item.data, decode_lenient(item.data) if item.data else None
            continue
        try:
            value = _any.decode(item.data)
        except (msgspec.DecodeError, RecursionError):
            for span in iter_line_spans(item.data, item.offset, item.line):
                start = span.offset - item.offset
                data = item.data[start : start + span.length]
                yield span, data, None if span.kind == "damage" else decode_lenient(data)
        else:
            kind: Literal["object", "value"] = "object" if isinstance(value, dict) else "value"
            yield Span(kind, item.line, item.offset, len(item.data)), item.data, value


def iter_spans(
    source: Readable, *, offset: int = 0, line: int = 1, end: int | None = None, final: bool = False
) -> Iterator[tuple[Span, bytes, Any]]:
    """Yield every span of a file from `offset` on, decoded; see `LineReader` for the arguments and `iter_decoded` for the values."""
    return iter_decoded(LineReader(source, offset=offset, line=line, end=end, final=final))


def _is_document(data: bytes) -> bool:
    """Whether the decoder takes `data` for one JSON document; it gives up on deep nests and lone surrogates."""
    try:
        _raw.decode(data)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def _bounds(data: bytes, offset: int) -> tuple[int, int]:
    """Where the text of a line begins and ends, without white space, and without a byte order mark at the start of the file."""
    skipped = len(_BOM) if offset == 0 and data.startswith(_BOM) else 0
    text = data[skipped:].lstrip(BLANK)
    start = len(data) - len(text)
    return start, start + len(text.rstrip(BLANK))
