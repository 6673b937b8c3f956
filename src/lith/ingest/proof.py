"""Is what lies before the cursor still what was read? A bounded proof: a digest of the head and one of the window before the cursor.

An edit in the middle of a file that also grew is what this proof cannot see; `sync --verify` reads everything.
"""

import hashlib
from typing import BinaryIO

from lith.store.map.files import FileRow

WINDOW = 4096


def digest_window(file: BinaryIO, offset: int, length: int) -> bytes | None:
    """The digest of a window of a file; None if the file ends before it does."""
    file.seek(offset)
    data = file.read(length)
    return hashlib.sha256(data).digest()[:16] if len(data) == length else None


def set_proof(row: FileRow, file: BinaryIO) -> int:
    """Note the proof for everything before the row's cursor; returns the bytes read."""
    row.head_length = row.tail_length = min(WINDOW, row.cursor)
    row.head_digest = digest_window(file, 0, row.head_length)
    row.tail_digest = digest_window(file, row.cursor - row.tail_length, row.tail_length)
    return row.head_length + row.tail_length


def holds(row: FileRow, file: BinaryIO) -> bool:
    """Whether a file still begins with what was read of it."""
    return (
        digest_window(file, 0, row.head_length) == row.head_digest
        and digest_window(file, row.cursor - row.tail_length, row.tail_length) == row.tail_digest
    )
