"""Rows of `source_files` and what belongs to a file: its coverage, its problems.

Written by `ingest` only; read by anyone through the same functions.
"""

from collections.abc import Iterable

import apsw
import msgspec

from lith.kernel import sqlite
from lith.store.map.schema import COPY_SHIFT

TRANSCRIPT, GENERATION = "transcript", "generation"
"""The roles of a file: one that a client keeps, or an archived state of it."""


class FileRow(msgspec.Struct, kw_only=True):
    """One file that sync has seen.

    `state` is `live`, `archived`, `gone`, `skipped` (not a transcript, `reason` says why) or `failed` (could not be read, `reason` says
    why). `role` is `transcript`, or `generation` for an archived state of one: then `origin` is the path of that file, `path` the
    generation's below the archive, and `size`, `inode` and `mtime_ns` are raw bytes, number and size of the last segment.
    `cursor` is the offset after the last complete line that was taken in, `line` the number of the line that starts there, `at`
    the highest timestamp so far; `head_*` and `tail_*` prove that the bytes before the cursor are still the same; `copies` is the
    number of the next copy. `pending` counts bytes of an unfinished last line. `expected` counts records of kinds that carry
    conversation, `unknown` the record types that the adapter does not know, by name.
    """

    source: str
    root: str
    path: str
    state: str
    reason: str | None = None
    role: str = "transcript"
    dev: int = 0
    inode: int = 0
    size: int = 0
    mtime_ns: int = 0
    ctime_ns: int = 0
    head_length: int = 0
    head_digest: bytes | None = None
    tail_length: int = 0
    tail_digest: bytes | None = None
    cursor: int = 0
    line: int = 1
    at: int = 0
    copies: int = 0
    pending: int = 0
    context: str | None = None
    problems: int = 0
    damage: int = 0
    unknown: dict[str, int] = {}
    expected: int = 0
    origin: str | None = None
    file_id: int = 0


_COLUMNS = tuple(name for name in FileRow.__struct_fields__ if name != "file_id")
_UNKNOWN = _COLUMNS.index("unknown")
_SELECT = f"SELECT {', '.join(_COLUMNS)}, file_id FROM source_files"  # noqa: S608
_INSERT = f"INSERT INTO source_files ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))}) RETURNING file_id"  # noqa: S608
_UPDATE = f"UPDATE source_files SET {', '.join(name + ' = ?' for name in _COLUMNS)} WHERE file_id = ?"  # noqa: S608


def load_files(connection: apsw.Connection) -> dict[tuple[str, str, str], FileRow]:
    """Every file row, by (source, root, path)."""
    rows = (_from_row(row) for row in connection.execute(_SELECT))
    return {(row.source, row.root, row.path): row for row in rows}


def find_owners(connection: apsw.Connection) -> dict[tuple[str, str, str], str]:
    """The transcript that the first record of each file belongs to, by (source, root, path)."""
    query = (
        "SELECT f.source, f.root, f.path, t.native_id FROM source_files f"  # noqa: S608
        " JOIN copies c ON c.copy_id = (SELECT min(copy_id) FROM copies"
        f" WHERE copy_id >= f.file_id << {COPY_SHIFT} AND copy_id < (f.file_id + 1) << {COPY_SHIFT})"
        " JOIN transcripts t USING (transcript_id)"
    )
    return {(a, b, c): native_id for a, b, c, native_id in connection.execute(query)}


def find_files_of(connection: apsw.Connection, source: str, native_id: str, role: str) -> list[FileRow]:
    """The files of a role that hold records of a transcript, by path."""
    query = (
        f"{_SELECT} WHERE role = ? AND file_id IN (SELECT file_id FROM transcript_files"  # noqa: S608
        " JOIN transcripts USING (transcript_id) WHERE source = ? AND native_id = ?) ORDER BY root, path"
    )
    return [_from_row(row) for row in connection.execute(query, (role, source, native_id))]


def save_file(connection: apsw.Connection, row: FileRow) -> int:
    """Insert or update a file row; returns its id, which is also set on `row`."""
    values = [getattr(row, name) for name in _COLUMNS]
    values[_UNKNOWN] = msgspec.json.encode(row.unknown).decode() if row.unknown else None
    if row.file_id:
        connection.execute(_UPDATE, (*values, row.file_id))
    else:
        row.file_id = sqlite.fetch(connection, _INSERT, tuple(values))[0][0]
    return row.file_id


def delete_file(connection: apsw.Connection, file_id: int) -> None:
    """Delete a file row and its problems; its copies must be gone already."""
    connection.execute("DELETE FROM problems WHERE file_id = ?", (file_id,))
    connection.execute("DELETE FROM source_files WHERE file_id = ?", (file_id,))


def delete_orphans(connection: apsw.Connection) -> None:
    """Drop what only forgotten files named: transcripts, attributes of sessions, working directories."""
    connection.execute("DELETE FROM transcripts WHERE transcript_id NOT IN (SELECT transcript_id FROM transcript_files)")
    connection.execute("DELETE FROM attribute_sets WHERE set_id NOT IN (SELECT set_id FROM copies WHERE set_id IS NOT NULL)")
    connection.execute("DELETE FROM projects WHERE cwd NOT IN (SELECT cwd FROM sessions WHERE cwd IS NOT NULL)")


def save_problems(connection: apsw.Connection, file_id: int, problems: Iterable[tuple[int, int, int, str, str]]) -> None:
    """Add problems of a file: (offset, length, line, reason, detail)."""
    connection.executemany("INSERT OR REPLACE INTO problems VALUES (?, ?, ?, ?, ?, ?)", ((file_id, *one) for one in problems))


def delete_problems(connection: apsw.Connection, file_id: int, from_offset: int) -> None:
    """Forget the problems of a file at and after an offset."""
    connection.execute("DELETE FROM problems WHERE file_id = ? AND offset >= ?", (file_id, from_offset))


class CoverageRow(msgspec.Struct, kw_only=True, frozen=True):
    """What a sync proved about one selector: `state` is `complete` or `partial`."""

    selector: str
    state: str
    synced_at: int
    files: int
    pending: int
    failed: int
    detail: str | None = None


def load_coverage(connection: apsw.Connection) -> list[CoverageRow]:
    """Every coverage row, by selector."""
    rows = connection.execute("SELECT selector, state, synced_at, files, pending, failed, detail FROM coverage ORDER BY selector")
    return [CoverageRow(selector=a, state=b, synced_at=c, files=d, pending=e, failed=f, detail=g) for a, b, c, d, e, f, g in rows]


def delete_coverage(connection: apsw.Connection, selector: str) -> None:
    """Forget what was proved about a selector."""
    connection.execute("DELETE FROM coverage WHERE selector = ?", (selector,))


def save_coverage(connection: apsw.Connection, row: CoverageRow) -> None:
    """Insert or replace a coverage row."""
    connection.execute("INSERT OR REPLACE INTO coverage VALUES (?, ?, ?, ?, ?, ?, ?)", msgspec.structs.astuple(row))


def get_meta(connection: apsw.Connection, key: str) -> str | None:
    """A value of `meta`; None where it is not set."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return row[0] if row else None


def set_meta(connection: apsw.Connection, key: str, value: str) -> None:
    """Set a value of `meta`."""
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))


def _from_row(row: tuple[object, ...]) -> FileRow:
    values = dict(zip((*_COLUMNS, "file_id"), row, strict=True))
    unknown = values["unknown"]
    values["unknown"] = msgspec.json.decode(unknown, type=dict[str, int]) if isinstance(unknown, str) else {}
    return FileRow(**values)  # type: ignore[arg-type]
