"""Records in archived generations, for those who prove them: what a generation holds, and where else a record's bytes are.

Called by `ops` with an open connection. A generation is named by its path below the archive.
"""

from collections.abc import Sequence

import apsw

from lith.kernel.ids import Packed
from lith.store.map.copies import first_copy
from lith.store.map.rows import select

_FILE = "SELECT file_id FROM source_files WHERE role = 'generation' AND path = ? AND state IN ('archived', 'failed')"


def find_hashes(connection: apsw.Connection, path: str) -> set[bytes]:
    """The content hashes of the records that the map has of a generation."""
    found: set[bytes] = set()
    for (file_id,) in select(connection, _FILE, (path,)):
        query = "SELECT hash FROM copies WHERE copy_id >= ? AND copy_id < ?"
        found.update(row[0] for row in select(connection, query, (first_copy(file_id), first_copy(file_id + 1))))
    return found


def find_span(connection: apsw.Connection, path: str, start: int, end: int) -> Sequence[tuple[Packed, bytes]]:
    """(record_id, content hash) of the records of a generation that lie at least partly in a span of its bytes."""
    found: list[tuple[Packed, bytes]] = []
    for (file_id,) in select(connection, _FILE, (path,)):
        query = (
            "SELECT record_id, hash FROM copies WHERE copy_id >= ? AND copy_id < ? AND offset < ? AND offset + length > ?"
            " ORDER BY copy_id"
        )
        found += [(a, b) for a, b in select(connection, query, (first_copy(file_id), first_copy(file_id + 1), end, start))]
    return found


def find_copies_of(connection: apsw.Connection, content_hash: bytes) -> Sequence[tuple[str, str, int, int, int, int]]:
    """(root, path, offset, length, size and time of the file) of every copy with these bytes.

    It looks at every copy there is: for the few records that damage has hit.
    """
    query = (
        "SELECT f.root, f.path, c.offset, c.length, f.size, f.mtime_ns FROM copies c JOIN source_files f ON f.file_id = c.copy_id >> 28"
        " WHERE c.hash = ? AND f.state <> 'gone' ORDER BY c.copy_id"
    )
    return [(a, b, c, d, e, f) for a, b, c, d, e, f in select(connection, query, (content_hash,))]


def find_marks(connection: apsw.Connection) -> set[tuple[str, int, int]]:
    """(path, number of the last segment, its size) of every generation as the map knows it."""
    query = "SELECT path, inode, mtime_ns FROM source_files WHERE role = 'generation' AND state IN ('archived', 'skipped')"
    return {(a, b, c) for a, b, c in select(connection, query)}
