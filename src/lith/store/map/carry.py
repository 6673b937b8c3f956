"""Carrying rows of files that cannot be read now from one map to the next: nothing else can bring them back.

Called by `ingest` when it remakes the map. It reads the tables that hold what files said (`source_files`, `copies`, `pieces`, and what they
name) and none that follows from them.
"""

from pathlib import Path
from urllib.parse import quote

import apsw

from lith.kernel import sqlite
from lith.store.map.schema import COPY_SHIFT, PIECE_SHIFT

_FILE_COLUMNS = (
    "source, root, path, role, state, reason, dev, inode, size, mtime_ns, ctime_ns, head_length, head_digest, tail_length, tail_digest,"
    " cursor, line, at, copies, pending, context, problems, damage, unknown, expected, origin"
)


def carry_unreadable(connection: apsw.Connection, old: Path, *, calls: bool) -> tuple[list[int], list[tuple[str, str]]]:
    """Copy the files of the map at `old` that are not there now, could not be read, or whose root is not there.

    With `calls` false, what tools were called with stays behind. Returns the transcripts that the files hold records of, and every
    (source, root) of transcripts that the old map knows. Leaves `old` alone.
    """
    connection.execute("ATTACH ? AS old", (f"file:{quote(str(old.absolute()))}?mode=ro",))
    try:
        with sqlite.transaction(connection):
            known: list[tuple[str, str, str]] = [
                (a, b, c) for a, b, c in sqlite.fetch(connection, "SELECT DISTINCT source, root, role FROM old.source_files")
            ]
            roots = [(source, root) for source, root, role in known if role == "transcript"]
            absent = {(source, root) for source, root, _ in known if not Path(root).is_dir()}
            rows = sqlite.fetch(
                connection, "SELECT file_id, source, root, path, state FROM old.source_files WHERE state <> 'skipped'"
            )
            kept = [
                file_id
                for file_id, source, root, path, state in rows
                if state in {"gone", "failed"} or (source, root) in absent or not (Path(root) / path).exists()
            ]
            if sqlite.fetch(connection, "SELECT 1 FROM old.sqlite_schema WHERE name = 'originals'"):
                connection.execute("INSERT INTO originals SELECT receipt, pruned, original FROM old.originals")
            transcripts = {one for file_id in kept for one in _carry_file(connection, file_id, calls=calls)}
            connection.execute(
                "INSERT INTO projects (cwd, key, worktree) SELECT cwd, key, worktree FROM old.projects WHERE true ON CONFLICT DO NOTHING"
            )
    finally:
        connection.execute("DETACH old")
    return sorted(transcripts), roots


def _carry_file(connection: apsw.Connection, old_id: int, *, calls: bool) -> list[int]:
    new_id: int = sqlite.fetch(
        connection,
        f"INSERT INTO source_files ({_FILE_COLUMNS}) SELECT {_FILE_COLUMNS} FROM old.source_files WHERE file_id = ?"  # noqa: S608
        " RETURNING file_id",
        (old_id,),
    )[0][0]
    old_low, new_low = old_id << COPY_SHIFT, new_id << COPY_SHIFT
    old_high = (old_id + 1) << COPY_SHIFT
    connection.execute(
        "INSERT INTO transcripts (source, native_id) SELECT source, native_id FROM old.transcripts WHERE transcript_id IN"
        " (SELECT transcript_id FROM old.transcript_files WHERE file_id = ?) ON CONFLICT DO NOTHING",
        (old_id,),
    )
    connection.execute(
        "INSERT INTO attribute_sets (attributes) SELECT DISTINCT a.attributes FROM old.copies c JOIN old.attribute_sets a USING (set_id)"
        " WHERE c.copy_id >= ? AND c.copy_id < ? ON CONFLICT DO NOTHING",
        (old_low, old_high),
    )
    connection.execute(
        "INSERT INTO copies SELECT c.copy_id - ? + ?, new.transcript_id, c.record_id, c.line, c.offset, c.length, c.hash, c.type, c.at,"
        " c.timestamp, c.parent, c.logical_parent, c.prompt_id, c.message, c.tool_use_id, c.target, c.flags, c.usage, s.set_id"
        " FROM old.copies c JOIN old.transcripts t ON t.transcript_id = c.transcript_id"
        " JOIN main.transcripts new ON new.source = t.source AND new.native_id = t.native_id"
        " LEFT JOIN old.attribute_sets a ON a.set_id = c.set_id LEFT JOIN main.attribute_sets s ON s.attributes = a.attributes"
        " WHERE c.copy_id >= ? AND c.copy_id < ?",
        (old_low, new_low, old_low, old_high),
    )
    connection.execute(
        "INSERT INTO pieces SELECT piece_id - ? + ?, kind, role, label, tool, position, native, message, hash, length, text FROM old.pieces"
        " WHERE piece_id >= ? AND piece_id < ? AND (kind <> 'call' OR ?)",
        (old_low << PIECE_SHIFT, new_low << PIECE_SHIFT, old_low << PIECE_SHIFT, old_high << PIECE_SHIFT, calls),
    )
    if sqlite.fetch(connection, "SELECT 1 FROM old.sqlite_schema WHERE name = 'recalls'"):
        connection.execute(
            "INSERT INTO recalls SELECT copy_id - ? + ?, arcs FROM old.recalls WHERE copy_id >= ? AND copy_id < ?",
            (old_low, new_low, old_low, old_high),
        )
    connection.execute(
        "INSERT INTO transcript_files SELECT DISTINCT transcript_id, ? FROM copies WHERE copy_id >= ? AND copy_id < ?",
        (new_id, new_low, (new_id + 1) << COPY_SHIFT),
    )
    return [row[0] for row in connection.execute("SELECT transcript_id FROM transcript_files WHERE file_id = ?", (new_id,))]
