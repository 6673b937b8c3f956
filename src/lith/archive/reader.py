"""Reading the raw bytes of a generation, from any offset, frame by frame.

`restore`, `verify`, `gc` and `keep` read through it; whoever indexes a generation hands a `GenerationReader` to the reader of lines.
"""

import io
import os
from bisect import bisect_right
from collections.abc import Iterator

from lith.archive.errors import ArchiveDamaged
from lith.archive.generation import Generation
from lith.archive.segment import read_frame
from lith.kernel.files import storage_errors

_PIECE = 1 << 20


class GenerationReader(io.BufferedIOBase):
    """A read-only, seekable stream over a generation. Reading raises `ArchiveDamaged`; seeking costs nothing until a read."""

    def __init__(self, generation: Generation, *, whatever: bool = False) -> None:
        if generation.problems and not whatever:
            raise ArchiveDamaged(f"generation {generation.number} of {generation.key.path}: {'; '.join(generation.problems)}")
        self._segments = generation.segments
        self._starts: list[int] = []
        self._places: list[tuple[int, int, int]] = []
        for number, segment in enumerate(generation.segments):
            at = segment.facts.offset
            for index, (_, _, raw) in enumerate(segment.frames):
                self._starts.append(at)
                self._places.append((number, index, raw))
                at += raw
        self._length = generation.length
        self._position = 0
        self._open: tuple[int, int] | None = None
        self._frame: tuple[int, bytes] = (-1, b"")

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def close(self) -> None:
        if self._open is not None:
            os.close(self._open[1])
            self._open = None
        super().close()

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        """Move to an offset; one behind the end reads nothing."""
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._length}[whence]
        self._position = max(0, base + offset)
        return self._position

    def read(self, size: int | None = -1, /) -> bytes:
        """The next `size` bytes; fewer only at the end, all of them without a size."""
        missing = self._length - self._position
        if size is not None and 0 <= size < missing:
            missing = size
        parts: list[bytes] = []
        while missing > 0:
            place = bisect_right(self._starts, self._position) - 1
            data = self._frame_at(place)
            start = self._position - self._starts[place]
            part = data[start : start + missing]
            if not part:
                raise ArchiveDamaged(f"there are no bytes at offset {self._position}")
            parts.append(part)
            self._position += len(part)
            missing -= len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def _frame_at(self, place: int) -> bytes:
        if place < 0:
            raise ArchiveDamaged("the first segment is missing")
        if self._frame[0] != place:
            number, index, _ = self._places[place]
            self._frame = (place, read_frame(self._handle(number), self._segments[number], index))
        return self._frame[1]

    def _handle(self, number: int) -> int:
        if self._open is None or self._open[0] != number:
            if self._open is not None:
                os.close(self._open[1])
                self._open = None
            flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
            with storage_errors(f"read {self._segments[number].file}"):
                self._open = (number, os.open(self._segments[number].file, flags))
        return self._open[1]


def open_generation(generation: Generation) -> GenerationReader:
    """A stream over a generation that is whole. Raises `ArchiveDamaged`."""
    return GenerationReader(generation)


def read_range(generation: Generation, offset: int, length: int) -> bytes:
    """`length` bytes from `offset` on; fewer at the end. Raises `ArchiveDamaged`, `StorageError`."""
    with GenerationReader(generation, whatever=True) as reader:
        reader.seek(offset)
        return reader.read(length)


def iter_pieces(generation: Generation, *, start: int = 0, end: int | None = None) -> Iterator[bytes]:
    """The bytes of a generation from `start` to `end`, in pieces. Raises `ArchiveDamaged`, `StorageError`."""
    stop = generation.length if end is None else end
    with open_generation(generation) as reader:
        reader.seek(start)
        while start < stop and (piece := reader.read(min(_PIECE, stop - start))):
            yield piece
            start += len(piece)
