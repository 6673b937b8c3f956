"""What becomes of one file's rows: taken in whole or from where it was left, noted as no transcript, gone, forgotten.

`publish` decides which; everything here happens inside its batch.
"""

from collections.abc import Callable, Iterator

import msgspec

from lith.ingest.batch import Batch
from lith.ingest.inventory import Found
from lith.ingest.parallel import FilePlan
from lith.ingest.project import Chunk
from lith.kernel.ids import Packed
from lith.store.map import copies
from lith.store.map import files as files_store
from lith.store.map.files import GENERATION, FileRow
from lith.store.map.schema import PIECE_SHIFT

_IDENTITY = ("dev", "inode", "size", "mtime_ns", "ctime_ns")
_STARTED = ("cursor", "line", "at", "copies", "pending", "context", "problems", "damage", "unknown", "expected")
_PROVEN = ("head_length", "head_digest", "tail_length", "tail_digest")
_EMPTY = FileRow(source="", root="", path="", state="")


def take_in(batch: Batch, plan: FilePlan, chunks: Iterator[Chunk], published: Callable[[FileRow, Chunk], None]) -> FileRow:
    """Publish a file: all of it, or what was appended. `published` is called after every chunk, with the row as it then is."""
    found, row = plan.found, plan.row
    if row is None:
        row = _new_row(found, "live")
        files_store.save_file(batch.connection, row)
    else:
        take_back(batch, row, from_offset=row.cursor if plan.appended else 0)
        if row.state not in {"live", "archived"}:
            batch.touch_file(row.file_id)
    if not plan.appended:
        _reset(row, _STARTED)
    row.state, row.reason = "archived" if row.role == GENERATION else "live", None
    _copy(found, row)
    for chunk in chunks:
        _add_chunk(batch, row, chunk)
        published(row, chunk)
    files_store.save_file(batch.connection, row)
    return row


def take_back(batch: Batch, row: FileRow, *, from_offset: int) -> None:
    """Delete the copies of a file at and after an offset: all of them, or what stood on an unfinished last line."""
    connection = batch.connection
    first = copies.count_copies_before(connection, row.file_id, from_offset) if from_offset else 0
    for transcript_id, record_id, target in copies.iter_ids(connection, row.file_id, from_copy=first):
        batch.touch(transcript_id, (record_id,))
        if target is not None:
            batch.touch_target(target)
    if copies.delete_copies(connection, row.file_id, from_copy=first) and not from_offset:
        batch.touch_file(row.file_id)
        copies.unlink_transcripts(connection, row.file_id)
    row.copies = first
    files_store.delete_problems(connection, row.file_id, from_offset)


def skip(batch: Batch, found: Found, row: FileRow | None, *, forget_gone: bool = False) -> None:
    """Note a file that is no transcript, so that it is listed, with the reason.

    What stood in its place before, a transcript that was moved away and linked back, say, is gone: its rows stay.
    """
    if row is not None and row.state != "skipped" and row.copies and not forget_gone and not _is_elsewhere(batch, row):
        if (row.state, row.reason) != ("gone", found.skip):
            batch.begin()
            row.state, row.reason = "gone", found.skip
            batch.touch_file(row.file_id)
            files_store.save_file(batch.connection, row)
        return
    batch.begin()
    if row is None:
        row = _new_row(found, "skipped")
    elif row.state != "skipped":
        take_back(batch, row, from_offset=0)
        _reset(row, (*_STARTED, *_PROVEN))
    row.state, row.reason = "skipped", found.skip
    _copy(found, row)
    files_store.save_file(batch.connection, row)


def fail(batch: Batch, found: Found, row: FileRow | None, reason: str) -> None:
    """Note a file that could not be read. What was read of it before stays."""
    if row is None:
        row = _new_row(found, "failed")
        row.reason = reason
    elif (row.state, row.reason) == ("failed", reason):
        return
    batch.begin()
    row.state, row.reason = "failed", reason
    files_store.save_file(batch.connection, row)


def vanish(batch: Batch, row: FileRow) -> bool:
    """A file is no longer there. Its rows stay, unless every record in it has the same bytes in another file: then it only moved.

    Returns whether the rows stay.
    """
    batch.begin()
    if not row.copies or _is_elsewhere(batch, row):
        forget(batch, row)
        return False
    row.state, row.reason = "gone", None
    batch.touch_file(row.file_id)
    files_store.save_file(batch.connection, row)
    return True


def forget(batch: Batch, row: FileRow) -> None:
    """Drop everything that a file said."""
    batch.begin()
    take_back(batch, row, from_offset=0)
    files_store.delete_file(batch.connection, row.file_id)


def _add_chunk(batch: Batch, row: FileRow, chunk: Chunk) -> None:
    connection, interned = batch.connection, batch.interned
    base = copies.first_copy(row.file_id)
    transcripts = [interned.transcript(row.source, native_id) for native_id in chunk.transcripts]
    sets = [interned.attribute_set(attributes) for attributes in chunk.attribute_sets]
    for transcript_id in transcripts:
        batch.touch(transcript_id)
    copies.insert_copies(
        connection,
        [
            (base + copy[0], transcripts[copy[1]], *copy[2:-1], None if copy[-1] is None else sets[copy[-1]])
            for copy in chunk.copies
        ],
        [(((base + piece[0]) << PIECE_SHIFT) + piece[1], *piece[2:]) for piece in chunk.pieces],
    )
    copies.insert_recalls(connection, [(base + number, arcs) for number, arcs in chunk.recalls])
    copies.link_transcripts(connection, row.file_id, transcripts)
    for piece, text in zip(chunk.pieces, chunk.index_texts, strict=True):
        batch.remember(((base + piece[0]) << PIECE_SHIFT) + piece[1], text)
    for target in chunk.targets:
        batch.touch_target(target)
    files_store.save_problems(connection, row.file_id, chunk.problems)
    row.cursor, row.line, row.at, row.copies = chunk.end.cursor, chunk.end.line, chunk.end.at, chunk.end.copies
    row.context, row.pending = chunk.context, chunk.pending
    row.problems += chunk.problem_count
    row.damage += chunk.damage
    row.expected += chunk.expected
    row.unknown = {name: row.unknown.get(name, 0) + chunk.unknown.get(name, 0) for name in (*row.unknown, *chunk.unknown)}
    if chunk.proof is not None:
        row.head_length, row.head_digest, row.tail_length, row.tail_digest = chunk.proof
    batch.bytes += chunk.bytes_read


def _is_elsewhere(batch: Batch, row: FileRow) -> bool:
    mine: dict[int, set[tuple[Packed, bytes]]] = {}
    for transcript_id, record_id, content_hash in copies.iter_hashes(batch.connection, row.file_id):
        mine.setdefault(transcript_id, set()).add((record_id, content_hash))
    for transcript_id, held in mine.items():
        for other in copies.other_files(batch.connection, row.file_id, transcript_id):
            held.difference_update((record_id, digest) for _, record_id, digest in copies.iter_hashes(batch.connection, other))
        if held:
            return False
    return True


def _new_row(found: Found, state: str) -> FileRow:
    return FileRow(source=found.source, root=found.root, path=found.path, state=state, role=found.role, origin=found.origin)


def _copy(found: Found, row: FileRow) -> None:
    for name in _IDENTITY:
        setattr(row, name, getattr(found, name))
    row.origin = found.origin


def _reset(row: FileRow, names: tuple[str, ...]) -> None:
    for name in names:
        setattr(row, name, getattr(_EMPTY, name))


def copy_of(row: FileRow | None) -> FileRow | None:
    """The row as it is now, should what comes fail."""
    return msgspec.structs.replace(row) if row else None
