"""Copies and pieces: what each file says, record by record, before anything is concluded from it.

Written by `ingest` only. The rows of a file are a pure function of its bytes; everything in `derived` is a function of these rows.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import apsw

from lith.kernel import sqlite
from lith.kernel.ids import Packed
from lith.store.map.schema import COPY_SHIFT, PIECE_SHIFT

CopyRow = tuple[object, ...]
"""The columns of `copies`, in the order of the schema."""
PieceRow = tuple[object, ...]
"""The columns of `pieces`, in the order of the schema."""

_COPY_COLUMNS = 19
_INSERT_COPY = f"INSERT INTO copies VALUES ({', '.join('?' * _COPY_COLUMNS)})"  # noqa: S608
_INSERT_PIECE = "INSERT INTO pieces VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


# A file that is one transcript's alone, as nearly all are, is read by its range of rows; one that many share, by an index, so that a file
# with very many session ids is not read as many times.
_SHARED = "EXISTS (SELECT 1 FROM transcript_files o WHERE o.file_id = t.file_id AND o.transcript_id <> t.transcript_id) AS shared"
_BY_TRANSCRIPT = "INDEXED BY copies_transcript"


def first_copy(file_id: int) -> int:
    """The lowest copy id of a file."""
    return file_id << COPY_SHIFT


def first_piece(copy_id: int) -> int:
    """The lowest piece id of a copy."""
    return copy_id << PIECE_SHIFT


class Interned:
    """Ids of transcripts and attribute sets, remembered for the life of one writer."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._transcripts: dict[tuple[str, str], int] = {}
        self._sets: dict[str, int] = {}

    def transcript(self, source: str, native_id: str) -> int:
        """The id of a transcript, made if new."""
        key = (source, native_id)
        found = self._transcripts.get(key)
        if found is None:
            found = self._transcripts[key] = self._intern(
                "SELECT transcript_id FROM transcripts WHERE source = ? AND native_id = ?",
                "INSERT INTO transcripts (source, native_id) VALUES (?, ?) RETURNING transcript_id",
                key,
            )
        return found

    def attribute_set(self, attributes: str) -> int:
        """The id of an attribute set (JSON text), made if new."""
        found = self._sets.get(attributes)
        if found is None:
            found = self._sets[attributes] = self._intern(
                "SELECT set_id FROM attribute_sets WHERE attributes = ?",
                "INSERT INTO attribute_sets (attributes) VALUES (?) RETURNING set_id",
                (attributes,),
            )
        return found

    def forget(self) -> None:
        """Drop what was remembered: after a rollback the ids may not exist."""
        self._transcripts.clear()
        self._sets.clear()

    def _intern(self, select: str, insert: str, key: tuple[str, ...]) -> int:
        rows = sqlite.fetch(self._connection, select, key) or sqlite.fetch(self._connection, insert, key)
        return int(rows[0][0])


def insert_copies(connection: apsw.Connection, copies: Iterable[CopyRow], pieces: Iterable[PieceRow]) -> None:
    """Insert copies and their pieces."""
    connection.executemany(_INSERT_COPY, copies)
    connection.executemany(_INSERT_PIECE, pieces)


def insert_recalls(connection: apsw.Connection, recalls: Iterable[tuple[int, str]]) -> None:
    """Note which arcs copies recall: (copy_id, arcs with spaces between)."""
    connection.executemany("INSERT INTO recalls VALUES (?, ?)", recalls)


def link_transcripts(connection: apsw.Connection, file_id: int, transcripts: Iterable[int]) -> None:
    """Note that a file holds records of these transcripts."""
    connection.executemany("INSERT OR IGNORE INTO transcript_files VALUES (?, ?)", ((one, file_id) for one in transcripts))


def unlink_transcripts(connection: apsw.Connection, file_id: int) -> None:
    """Note that a file holds no records at all."""
    connection.execute("DELETE FROM transcript_files WHERE file_id = ?", (file_id,))


def get_transcript(connection: apsw.Connection, transcript_id: int) -> tuple[str, str]:
    """(source, native id) of a transcript."""
    source, native_id = sqlite.fetch(
        connection, "SELECT source, native_id FROM transcripts WHERE transcript_id = ?", (transcript_id,)
    )[0]
    return source, native_id


def transcripts_of_file(connection: apsw.Connection, file_id: int) -> list[int]:
    """The transcripts that a file holds records of."""
    return [row[0] for row in connection.execute("SELECT transcript_id FROM transcript_files WHERE file_id = ?", (file_id,))]


def delete_copies(connection: apsw.Connection, file_id: int, *, from_copy: int = 0) -> int:
    """Delete the copies of a file from the given number on, with their pieces; returns how many copies went."""
    low, high = first_copy(file_id) + from_copy, first_copy(file_id + 1)
    connection.execute("DELETE FROM pieces WHERE piece_id >= ? AND piece_id < ?", (first_piece(low), first_piece(high)))
    connection.execute("DELETE FROM recalls WHERE copy_id >= ? AND copy_id < ?", (low, high))
    connection.execute("DELETE FROM copies WHERE copy_id >= ? AND copy_id < ?", (low, high))
    return connection.changes()


def count_copies_before(connection: apsw.Connection, file_id: int, offset: int) -> int:
    """The number of the first copy of a file that lies at or after `offset` (copies are numbered in file order)."""
    low, high = first_copy(file_id), first_copy(file_id + 1)
    row = connection.execute(
        "SELECT copy_id FROM copies WHERE copy_id >= ? AND copy_id < ? AND offset < ? ORDER BY copy_id DESC LIMIT 1",
        (low, high, offset),
    ).fetchone()
    return int(row[0]) - low + 1 if row else 0


def iter_copies(connection: apsw.Connection, transcript_id: int) -> Iterator[tuple[Any, ...]]:
    """The copies of a transcript in all files, file by file, each in file order.

    Files come by lineage (the path of a file, or of the one that a generation is a state of), in it the generations first. A row is
    (lineage, whether it is archived, place: path with its root, or of a generation below the archive, state of the file, hash, copy_id,
    record_id, length, type, at, timestamp, parent, logical_parent, prompt_id, message, tool_use_id, target, flags, usage, attributes).
    """
    files = sqlite.fetch(
        connection,
        "SELECT f.file_id, coalesce(f.origin, f.path) AS lineage, f.role = 'generation' AS archived,"  # noqa: S608
        " CASE f.role WHEN 'generation' THEN f.path ELSE f.root || '/' || f.path END AS place,"
        " CASE WHEN f.role = 'generation' AND f.state = 'failed' THEN 'archived' ELSE f.state END,"
        f" {_SHARED}"
        " FROM transcript_files t JOIN source_files f USING (file_id)"
        " WHERE t.transcript_id = ? ORDER BY lineage, archived DESC, place",
        (transcript_id,),
    )
    for file_id, *told, shared in files:
        yield from connection.execute(
            "SELECT ?, ?, ?, ?, hash, copy_id, record_id, length, type, at, timestamp, parent, logical_parent, prompt_id, message,"  # noqa: S608
            " tool_use_id, target, flags, usage, attributes"
            f" FROM copies {_BY_TRANSCRIPT if shared else ''} LEFT JOIN attribute_sets USING (set_id)"
            " WHERE copy_id >= ? AND copy_id < ? AND transcript_id = ? ORDER BY copy_id",
            (*told, first_copy(file_id), first_copy(file_id + 1), transcript_id),
        )


def iter_piece_outlines(connection: apsw.Connection, transcript_id: int) -> Iterator[tuple[Any, ...]]:
    """The pieces of all files of a transcript without their text.

    A row is (piece_id, kind, role, label, tool, position, native, hash, length, message).
    """
    query = f"SELECT t.file_id, {_SHARED} FROM transcript_files t WHERE t.transcript_id = ?"  # noqa: S608
    columns = "p.piece_id, p.kind, p.role, p.label, p.tool, p.position, p.native, p.hash, p.length, p.message"
    for file_id, shared in sqlite.fetch(connection, query, (transcript_id,)):
        low, high = first_copy(file_id), first_copy(file_id + 1)
        if not shared:
            yield from connection.execute(
                f"SELECT {columns} FROM pieces p WHERE p.piece_id >= ? AND p.piece_id < ?",  # noqa: S608
                (first_piece(low), first_piece(high)),
            )
            continue
        yield from connection.execute(
            f"SELECT {columns} FROM copies c {_BY_TRANSCRIPT}"  # noqa: S608
            f" CROSS JOIN pieces p ON p.piece_id >= c.copy_id << {PIECE_SHIFT} AND p.piece_id < (c.copy_id + 1) << {PIECE_SHIFT}"
            " WHERE c.copy_id >= ? AND c.copy_id < ? AND c.transcript_id = ? ORDER BY c.copy_id, p.piece_id",
            (low, high, transcript_id),
        )


def count_files(connection: apsw.Connection, transcript_id: int) -> int:
    """How many files hold records of a transcript."""
    return int(sqlite.fetch(connection, "SELECT count(*) FROM transcript_files WHERE transcript_id = ?", (transcript_id,))[0][0])


def iter_summaries(connection: apsw.Connection) -> Iterator[tuple[Any, ...]]:
    """Every summary about a record: (record id that it is about, piece_id, record_id of the summary, hash, length)."""
    yield from connection.execute(
        "SELECT c.target, p.piece_id, c.record_id, p.hash, p.length FROM copies c JOIN pieces p ON p.piece_id = c.copy_id << ?"
        " WHERE c.target IS NOT NULL AND p.label = 'summary'",
        (PIECE_SHIFT,),
    )


def transcripts_of_record(connection: apsw.Connection, record_id: Packed) -> list[int]:
    """The transcripts that have a record of this id."""
    return [row[0] for row in connection.execute("SELECT transcript_id FROM records WHERE record_id = ?", (record_id,))]


def piece_texts(connection: apsw.Connection, piece_ids: Sequence[int]) -> list[str]:
    """The texts of pieces, in the given order; an id without a piece gives an empty text."""
    rows = (connection.execute("SELECT text FROM pieces WHERE piece_id = ?", (piece_id,)).fetchone() for piece_id in piece_ids)
    return [row[0] if row else "" for row in rows]


def iter_hashes(connection: apsw.Connection, file_id: int) -> Iterator[tuple[int, Packed, bytes]]:
    """(transcript_id, record_id, content hash) of every copy in a file."""
    yield from connection.execute(
        "SELECT transcript_id, record_id, hash FROM copies WHERE copy_id >= ? AND copy_id < ?",
        (first_copy(file_id), first_copy(file_id + 1)),
    )


def other_files(connection: apsw.Connection, file_id: int, transcript_id: int) -> list[int]:
    """The other files, not gone themselves, that hold records of a transcript."""
    return [
        row[0]
        for row in connection.execute(
            "SELECT t.file_id FROM transcript_files t JOIN source_files f USING (file_id)"
            " WHERE t.transcript_id = ? AND t.file_id <> ? AND f.state <> 'gone'",
            (transcript_id, file_id),
        )
    ]


def iter_ids(connection: apsw.Connection, file_id: int, *, from_copy: int = 0) -> Iterator[tuple[int, Packed, Packed | None]]:
    """(transcript_id, record_id, target) of the copies of a file from the given number on."""
    yield from connection.execute(
        "SELECT transcript_id, record_id, target FROM copies WHERE copy_id >= ? AND copy_id < ?",
        (first_copy(file_id) + from_copy, first_copy(file_id + 1)),
    )


def has_messages(connection: apsw.Connection, file_id: int) -> bool:
    """Whether any record of a file has text of a person or a model."""
    low, high = first_piece(first_copy(file_id)), first_piece(first_copy(file_id + 1))
    query = "SELECT 1 FROM pieces WHERE piece_id >= ? AND piece_id < ? AND kind = 'message' LIMIT 1"
    return connection.execute(query, (low, high)).fetchone() is not None
