"""Records, sessions and documents: what follows from the copies. Written by `ingest` only, and only where a row really changes.

Every function here compares before it writes, so that a sync over unchanged files writes nothing and an appended line writes a few rows.
"""

from collections.abc import Iterable, Mapping, Sequence

import apsw

from lith.kernel import sqlite
from lith.kernel.ids import Packed
from lith.store.map.schema import DOCUMENT_SHIFT, OTHER_DOCUMENTS

SESSION_COLUMNS = (
    "transcript_id", "ref", "source", "native_id", "parent_ref", "kind", "state", "cwd", "branch", "version", "model", "agent",
    "spawned_by", "title", "title_source", "started_at", "ended_at", "messages", "user_messages", "calls", "records",
    "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens",
)  # fmt: skip
DOCUMENT_COLUMNS = (
    "kind", "role", "label", "tool", "seq", "timestamp", "record_id", "piece_id", "more", "hash", "twin", "length", "abandoned",
)  # fmt: skip
HASH = DOCUMENT_COLUMNS.index("hash")
PIECE = DOCUMENT_COLUMNS.index("piece_id")

Row = tuple[object, ...]

_UPSERT_RECORD = """
INSERT INTO records (record_id, transcript_id, copy_id, session_id, seq, abandoned, thread) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (record_id, transcript_id) DO UPDATE SET
    copy_id = excluded.copy_id, session_id = excluded.session_id, seq = excluded.seq, abandoned = excluded.abandoned,
    thread = excluded.thread
WHERE copy_id IS NOT excluded.copy_id OR session_id IS NOT excluded.session_id OR seq IS NOT excluded.seq
    OR abandoned IS NOT excluded.abandoned OR thread IS NOT excluded.thread
"""
_INSERT_SESSION = (
    f"INSERT INTO sessions ({', '.join(SESSION_COLUMNS)}) VALUES ({', '.join('?' * len(SESSION_COLUMNS))}) RETURNING session_id"  # noqa: S608
)
_UPDATE_SESSION = f"UPDATE sessions SET {', '.join(name + ' = ?' for name in SESSION_COLUMNS)} WHERE session_id = ?"  # noqa: S608
_PUT_DOCUMENT = f"INSERT OR REPLACE INTO documents VALUES (?, {', '.join('?' * len(DOCUMENT_COLUMNS))})"  # noqa: S608


def put_records(connection: apsw.Connection, rows: Iterable[Row]) -> None:
    """Insert or update records: (record_id, transcript_id, copy_id, session_id, seq, abandoned, thread)."""
    connection.executemany(_UPSERT_RECORD, rows)


def delete_records(connection: apsw.Connection, transcript_id: int, record_ids: Iterable[Packed]) -> None:
    """Forget records of which no copy is left."""
    connection.executemany(
        "DELETE FROM records WHERE record_id = ? AND transcript_id = ?", ((one, transcript_id) for one in record_ids)
    )


def put_sessions(connection: apsw.Connection, transcript_id: int, rows: Mapping[str, Row]) -> dict[str, int]:
    """Make the sessions of a transcript exactly `rows` (by ref; columns `SESSION_COLUMNS`); returns their ids."""
    columns = ", ".join(SESSION_COLUMNS)
    query = f"SELECT session_id, {columns} FROM sessions WHERE transcript_id = ?"  # noqa: S608
    old = {row[2]: (row[0], tuple(row[1:])) for row in connection.execute(query, (transcript_id,))}
    for ref in old.keys() - rows.keys():
        session_id = old[ref][0]
        delete_documents(connection, list(load_documents(connection, session_id)))
        connection.execute("DELETE FROM sessions WHERE session_id = ?", (session_id,))
    ids: dict[str, int] = {}
    for ref, row in rows.items():
        if ref not in old:
            ids[ref] = sqlite.fetch(connection, _INSERT_SESSION, row)[0][0]
            continue
        ids[ref] = old[ref][0]
        if old[ref][1] != row:
            connection.execute(_UPDATE_SESSION, (*row, ids[ref]))
    return ids


def load_documents(connection: apsw.Connection, session_id: int) -> dict[int, Row]:
    """The documents of a session: doc_id to the values of `DOCUMENT_COLUMNS`."""
    low, high = session_id << DOCUMENT_SHIFT, (session_id + 1) << DOCUMENT_SHIFT
    query = f"SELECT doc_id, {', '.join(DOCUMENT_COLUMNS)} FROM documents WHERE doc_id >= ? AND doc_id < ?"  # noqa: S608
    return {row[0]: tuple(row[1:]) for row in connection.execute(query, (low, high))}


def put_documents(
    connection: apsw.Connection, rows: Mapping[int, Row], bodies: Mapping[int, str], reindexed: Sequence[int]
) -> None:
    """Insert or replace documents. `bodies` holds the index text of those that are new or say something else, `reindexed` the latter."""
    connection.executemany("DELETE FROM documents_fts WHERE rowid = ?", ((doc_id,) for doc_id in reindexed))
    connection.executemany(_PUT_DOCUMENT, ((doc_id, *row) for doc_id, row in rows.items()))
    connection.executemany("INSERT INTO documents_fts (rowid, body) VALUES (?, ?)", bodies.items())


def delete_documents(connection: apsw.Connection, doc_ids: Sequence[int]) -> None:
    """Delete documents and their place in the index."""
    connection.executemany("DELETE FROM documents_fts WHERE rowid = ?", ((doc_id,) for doc_id in doc_ids))
    connection.executemany("DELETE FROM documents WHERE doc_id = ?", ((doc_id,) for doc_id in doc_ids))


def document_numbers(old: Mapping[int, Row], keys: Sequence[tuple[object, ...]], session_id: int) -> list[int]:
    """A doc_id for each document that is not a message: the one that it has already, else the next free one.

    `keys` identify a document within its session: (kind, record_id, number of the piece in its record).
    """
    base = (session_id << DOCUMENT_SHIFT) + OTHER_DOCUMENTS
    known: dict[tuple[object, ...], int] = {}
    for doc_id, row in old.items():
        if doc_id >= base:
            known[(row[0], row[6], row[PIECE] & 0xFFF)] = doc_id  # type: ignore[operator]
    following = max(known.values(), default=base - 1) + 1
    numbers = []
    for key in keys:
        found = known.pop(key, None)
        if found is None:
            found = following
            following += 1
        numbers.append(found)
    return numbers
