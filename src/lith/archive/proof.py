"""Does a live file still begin with a generation? By comparing everything, or by windows where the file only seems to have grown.

`append` asks. The bounded proof reads about 320 KB however long the file is, and cannot see an edit between its windows; so it is taken
only for a file that kept its inode and got longer, and never before a prune.
"""

import hashlib
import os
from typing import Protocol

from lith.archive.errors import ArchiveDamaged
from lith.archive.generation import Generation
from lith.archive.reader import iter_pieces
from lith.errors import StorageError

WINDOW = 4 << 10
TAIL_WINDOW = 64 << 10
SAMPLES = 64


class Hasher(Protocol):
    """What `hashlib.sha256` returns."""

    def update(self, data: bytes, /) -> None: ...
    def hexdigest(self) -> str: ...


def pread(handle: int, length: int, offset: int) -> bytes:
    """`length` bytes at an offset; fewer only where the file ends."""
    parts = []
    while length > 0 and (data := os.pread(handle, length, offset)):
        parts.append(data)
        length -= len(data)
        offset += len(data)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def digest_windows(handle: int, end: int) -> str:
    """One digest of windows of the first `end` bytes of a file: its head, samples, and what stands before `end`."""
    digest = hashlib.sha256()
    for start, length in windows_of(end):
        digest.update(pread(handle, length, start))
    return digest.hexdigest()[:32]


def windows_of(end: int) -> list[tuple[int, int]]:
    """Where the windows are: (offset, length). Up to about 300 KB they cover everything."""
    places = [(end * number // SAMPLES, WINDOW) for number in range(SAMPLES)]
    places.append((max(0, end - TAIL_WINDOW), TAIL_WINDOW))
    return [(start, min(length, end - start)) for start, length in places]


def hash_prefix(handle: int, generation: Generation) -> Hasher | None:
    """The hasher of a generation's bytes, if the file begins with all of them; None if not, or if the generation cannot be read."""
    digest = hashlib.sha256()
    at = 0
    try:
        for piece in iter_pieces(generation):
            if pread(handle, len(piece), at) != piece:
                return None
            digest.update(piece)
            at += len(piece)
    except (ArchiveDamaged, StorageError):
        return None
    return digest
