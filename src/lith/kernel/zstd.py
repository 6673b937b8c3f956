"""Reads Zstandard files of many frames as one stream, also while they are being written and after they were damaged.

Every reader of compressed transcripts opens them here. It streams: memory is bounded by the window of a frame (WINDOW_LOG_MAX), never by
what a file claims to hold. Offsets are in the decompressed stream; frames that are appended never change what came before.
"""

import io
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import BinaryIO

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

SUFFIXES = (".zst", ".zstd")
WINDOW_LOG_MAX = 27
"""Frames that need a window of more than 2**27 bytes are refused, as by the zstd command."""
MAX_DAMAGED = 1000
"""After so many damaged frames the rest of the file is given up."""

_MAGIC = b"\x28\xb5\x2f\xfd"
_FEED = 1 << 13
_OUTPUT = 1 << 20
_FILE_BUFFER = 1 << 18
_OPTIONS: dict[int, int] = {zstd.DecompressionParameter.window_log_max: WINDOW_LOG_MAX}


def is_compressed(path: Path) -> bool:
    """Whether the name says Zstandard."""
    return path.suffix in SUFFIXES


def open_decompressed(path: Path) -> "io.BufferedReader | ZstdReader":
    """Open a file for reading its decompressed bytes; a file of another suffix is opened as it is. Raises OSError."""
    if is_compressed(path):
        return ZstdReader(path.open("rb", buffering=_FILE_BUFFER))
    return path.open("rb")


class ZstdReader(io.BufferedIOBase):
    """A read-only, seekable stream over the frames of a file, which it closes with itself.

    At the end of the stream, `torn` says that the file ends inside a frame, as a file that is being written does; every byte that could
    be decompressed was given. `damage` lists the (offset, length) in the compressed file of frames that broke: what they held up to the
    break was given, and reading went on with the next frame. Seeking back starts over. Reading without a size is refused.
    """

    def __init__(self, raw: BinaryIO) -> None:
        self.torn = False
        self.damage: list[tuple[int, int]] = []
        self._raw = raw
        self._blocks = self._iter_blocks()
        self._block = b""
        self._used = 0
        self._position = 0
        self._given = 0
        self._chunk_at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def close(self) -> None:
        self._raw.close()
        super().close()

    def read(self, size: int | None = -1, /) -> bytes:
        """The next `size` bytes; fewer only at the end."""
        if size is None or size < 0:
            raise io.UnsupportedOperation("a compressed stream is read in pieces")
        parts: list[bytes] = []
        missing = size
        while missing:
            if self._used == len(self._block):
                self._block, self._used = next(self._blocks, b""), 0
                if not self._block:
                    break
            part = self._block[self._used : self._used + missing]
            self._used += len(part)
            missing -= len(part)
            parts.append(part)
        self._position += size - missing
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        """Move to a decompressed offset, at most to the end; costs decompressing up to there."""
        if whence != io.SEEK_SET:
            raise io.UnsupportedOperation("a compressed stream seeks from its start")
        if offset < self._position:
            self.torn, self.damage = False, []
            self._blocks, self._block, self._used, self._position = self._iter_blocks(), b"", 0, 0
        while self._position < offset and self.read(min(_OUTPUT, offset - self._position)):
            pass
        return self._position

    def _iter_blocks(self) -> Iterator[bytes]:
        """Yield decompressed bytes, never empty, frame after frame."""
        frame = 0
        while frame >= 0:
            try:
                frame = yield from self._iter_frame(frame)
            except zstd.ZstdError:
                yield from self._iter_rest(frame)
                following = self._find_frame(frame + len(_MAGIC))
                self.damage.append((frame, following - frame))
                frame = following

    def _iter_frame(self, start: int, careful_from: int | None = None) -> Generator[bytes, None, int]:
        """Yield what the frame at `start` holds and return where the next begins, or -1 at the end of the file.

        From offset `careful_from` on bytes are fed one by one.
        """
        decoder = zstd.ZstdDecompressor(options=_OPTIONS)
        self._raw.seek(start)
        self._given = 0
        self._chunk_at = start
        while chunk := self._raw.read(_FEED if careful_from is None or self._chunk_at < careful_from else 1):
            while True:
                data = decoder.decompress(chunk, _OUTPUT)
                self._given += len(data)
                if data:
                    yield data
                if decoder.eof or decoder.needs_input:
                    break
                chunk = b""
            self._chunk_at = self._raw.tell()
            if decoder.eof:
                return self._chunk_at - len(decoder.unused_data)
        self.torn = self._chunk_at > start
        return -1

    def _iter_rest(self, start: int) -> Iterator[bytes]:
        """Yield what a broken frame holds beyond what was given before the error.

        The decoder loses the output of the call that fails. Feeding it byte by byte makes that nothing, and the result the same however
        the file is read.
        """
        skip = self._given
        try:
            for data in self._iter_frame(start, careful_from=self._chunk_at):
                if skip < len(data):
                    yield data[skip:]
                skip = max(0, skip - len(data))
        except zstd.ZstdError:
            return

    def _find_frame(self, offset: int) -> int:
        """The offset of the next frame at or after `offset`, or the size of the file."""
        if len(self.damage) < MAX_DAMAGED:
            self._raw.seek(offset)
            window = b""
            while chunk := self._raw.read(_FILE_BUFFER):
                window += chunk
                found = window.find(_MAGIC)
                if found >= 0:
                    return self._raw.tell() - len(window) + found
                window = window[1 - len(_MAGIC) :]
        return self._raw.seek(0, io.SEEK_END)
