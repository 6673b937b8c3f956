"""Is what lies before the cursor still what was read? A bounded proof: a digest of the head and one of the window before the cursor.

An edit in the middle of a file that also grew is what this proof cannot see; `sync --verify` reads everything.
"""

import hashlib
from typing import BinaryIO

from lith.kernel.zstd import ZstdReader
from lith.store.map.files import FileRow

WINDOW = 4096

Proof = tuple[int, bytes | None, int, bytes | None]
"""Length and digest of the head, length and digest of the window before the cursor."""


def take_proof(file: BinaryIO, cursor: int) -> Proof:
    """The proof for everything before `cursor`, from the open file that it was read from."""
    length = min(WINDOW, cursor)
    return length, _digest(file, 0, length), length, _digest(file, cursor - length, length)


def holds(row: FileRow, file: BinaryIO | ZstdReader) -> bool:
    """Whether a file still begins with what was read of it; a proof that could not be taken whole proves nothing."""
    return (
        row.head_digest is not None
        and row.tail_digest is not None
        and _digest(file, 0, row.head_length) == row.head_digest
        and _digest(file, row.cursor - row.tail_length, row.tail_length) == row.tail_digest
    )


def _digest(file: BinaryIO | ZstdReader, offset: int, length: int) -> bytes | None:
    """The digest of a window of a file; None if the file ends before it does."""
    file.seek(offset)
    data = file.read(length)
    return hashlib.sha256(data).digest()[:16] if len(data) == length else None
