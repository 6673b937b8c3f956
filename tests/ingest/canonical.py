"""A map as plain values, without the ids that depend on the order in which things came in: two maps that say the same are equal here."""

from pathlib import Path
from typing import Any

import apsw

from lith.kernel.ids import unpack
from lith.store.map import schema


def dump(path: Path, *, only_live: bool = False) -> dict[str, Any]:
    """Everything that the map at `path` says; with `only_live` without the rows of gone files (nothing else may hang on them then)."""
    db = schema.open_for_reading(path)
    try:
        files = {
            file_id: (source, relative)
            for file_id, source, relative, state in db.execute("SELECT file_id, source, path, state FROM source_files")
            if not (only_live and state == "gone")
        }
        return {
            "files": _files(db, files),
            "copies": _copies(db, files),
            "pieces": _pieces(db, files),
            "records": _records(db, files),
            "sessions": sorted(
                db.execute(
                    "SELECT ref, parent_ref, kind, state, cwd, branch, version, model, agent, spawned_by, title, title_source, started_at, ended_at, messages, user_messages, calls, records, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens FROM sessions"
                ).fetchall()
            ),
            "documents": _documents(db),
            "threads": _threads(db),
            "terms": _of_threads(db, "SELECT thread, kind, term, count FROM terms"),
            "citations": _of_threads(db, "SELECT thread, arc, record_id, seq, timestamp FROM citations"),
            "index": _index(db),
            "problems": sorted(
                (files[file_id], *rest)
                for file_id, *rest in db.execute("SELECT file_id, offset, length, line, reason, detail FROM problems")
                if file_id in files
            ),
        }
    finally:
        db.close()


def differences(one: dict[str, Any], other: dict[str, Any]) -> dict[str, tuple[list[Any], list[Any]]]:
    """What two dumps do not agree on, table by table: what only the first has, what only the second has."""
    found = {}
    for name, rows in one.items():
        if rows != other[name]:
            found[name] = ([row for row in rows if row not in other[name]], [row for row in other[name] if row not in rows])
    return found


def _place(copy_id: int, files: dict[int, tuple[str, str]]) -> tuple[str, str]:
    return files[copy_id >> schema.COPY_SHIFT]


def _files(db: apsw.Connection, files: dict[int, tuple[str, str]]) -> list[Any]:
    query = "SELECT file_id, role, state, reason, cursor, line, at, copies, pending, context, problems, damage, unknown, expected FROM source_files"
    return sorted((files[row[0]], *map(str, row[1:])) for row in db.execute(query) if row[0] in files)


def _copies(db: apsw.Connection, files: dict[int, tuple[str, str]]) -> list[Any]:
    query = (
        "SELECT copy_id, t.source, t.native_id, record_id, line, offset, length, hash, type, at, timestamp, parent, logical_parent,"
        " prompt_id, message, tool_use_id, target, flags, usage, attributes"
        " FROM copies JOIN transcripts t USING (transcript_id) LEFT JOIN attribute_sets USING (set_id)"
    )
    return sorted(
        (*_place(row[0], files), row[0] & ((1 << schema.COPY_SHIFT) - 1), *map(repr, row[1:]))
        for row in db.execute(query)
        if (row[0] >> schema.COPY_SHIFT) in files
    )


def _pieces(db: apsw.Connection, files: dict[int, tuple[str, str]]) -> list[Any]:
    shift = schema.COPY_SHIFT + schema.PIECE_SHIFT
    return sorted(
        (files[row[0] >> shift], row[0] & ((1 << shift) - 1), *map(repr, row[1:]))
        for row in db.execute("SELECT piece_id, kind, role, label, tool, position, native, hash, length, text FROM pieces")
        if (row[0] >> shift) in files
    )


def _records(db: apsw.Connection, files: dict[int, tuple[str, str]]) -> list[Any]:
    query = (
        "SELECT t.source, t.native_id, r.record_id, r.copy_id, s.ref, r.seq, r.abandoned, h.thread_id FROM records r JOIN transcripts t USING (transcript_id)"
        " LEFT JOIN sessions s USING (session_id) LEFT JOIN threads h ON h.thread = r.thread AND h.transcript_id = r.transcript_id"
    )
    mask = (1 << schema.COPY_SHIFT) - 1
    return sorted(
        (a, b, unpack(c), files.get(d >> schema.COPY_SHIFT), d & mask, str(e), str(f), g, unpack(h))
        for a, b, c, d, e, f, g, h in db.execute(query)
    )


def _threads(db: apsw.Connection) -> list[Any]:
    query = (
        "SELECT h.thread_id, t.source, t.native_id, s.ref, h.kind, h.title, h.first_at, h.last_at, h.records, h.turns, h.tokens, h.first_record,"
        " h.leaf_record, h.fingerprint FROM threads h JOIN transcripts t USING (transcript_id) LEFT JOIN sessions s USING (session_id)"
    )
    rows = db.execute(query).fetchall()
    counted = sorted(db.execute("SELECT thread, count(*) FROM records GROUP BY thread").fetchall())
    known = sorted(db.execute("SELECT thread, records FROM threads").fetchall())
    assert counted == known, "a record in no thread, or a thread without records"
    return sorted(tuple(map(repr, row)) for row in rows)


def _of_threads(db: apsw.Connection, query: str) -> list[Any]:
    ids = {number: unpack(thread_id) for number, thread_id in db.execute("SELECT thread, thread_id FROM threads")}
    return sorted((ids[row[0]], *map(repr, row[1:])) for row in db.execute(query))


def _documents(db: apsw.Connection) -> list[Any]:
    query = (
        "SELECT s.ref, d.kind, d.role, d.label, d.tool, d.seq, d.timestamp, d.record_id, d.hash, d.twin, d.length, d.abandoned, p.text, d.more IS NULL"
        " FROM documents d JOIN sessions s ON s.session_id = d.doc_id >> ? JOIN pieces p USING (piece_id)"
    )
    rows = db.execute(query, (schema.DOCUMENT_SHIFT,)).fetchall()
    assert len(rows) == db.execute("SELECT count(*) FROM documents").fetchall()[0][0], "a document without session or piece"
    return sorted(tuple(map(repr, row)) for row in rows)


def _index(db: apsw.Connection) -> list[Any]:
    """Every occurrence of every term, by the document that it is in."""
    db.execute("PRAGMA query_only=OFF")
    db.execute("CREATE VIRTUAL TABLE temp.occurrences USING fts5vocab('main', 'documents_fts', 'instance')")
    query = "SELECT v.term, v.offset, s.ref, d.record_id, d.kind, d.hash FROM temp.occurrences v LEFT JOIN documents d ON d.doc_id = v.doc LEFT JOIN sessions s ON s.session_id = v.doc >> ?"
    return sorted(tuple(map(repr, row)) for row in db.execute(query, (schema.DOCUMENT_SHIFT,)))
