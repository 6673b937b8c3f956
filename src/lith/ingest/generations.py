"""The archive as the map sees it: archived states of transcripts are files of role `generation`, receipts say what stands for what.

`syncing` calls it within a run. An unchanged archive costs listing its folders. An archive that is not there is out of reach, not empty:
its rows stay. It writes the table of originals and nothing else; the rows of generations go through `publish` like those of any file.
"""

import os
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from lith.archive import Mark, iter_marks, load_generation
from lith.errors import LithError
from lith.ingest.batch import Batch
from lith.ingest.inventory import FileKey, Found, Inventory
from lith.ingest.report import Shelf
from lith.kernel.files import storage_errors
from lith.store.map import copies as copies_store
from lith.store.map import originals as originals_store
from lith.store.map.files import GENERATION, FileRow

_LINES = (".jsonl", ".jsonl.zst", ".jsonl.zstd")
_NOT_TRANSCRIPTS = frozenset({"tool-results", "tool-outputs", "memory", "checkpoints"})
_BESIDE = "subagents"


def take_stock(shelf: Shelf, inventory: Inventory, known: Mapping[FileKey, FileRow], *, verify: bool = False) -> list[FileRow]:
    """Add the generations that are new, changed or no longer there to an inventory; returns rows whose archive only has another place now.

    Raises `StorageError`, `ArchiveRefused`.
    """
    root = Path(os.path.realpath(shelf.root))
    moved: list[FileRow] = []
    if not root.is_dir():
        return moved
    rows = {
        (row.source, row.path): row for row in known.values() if row.role == GENERATION and _counts(row.source, shelf.sources)
    }
    seen: set[tuple[str, str]] = set()
    with storage_errors(f"read {root}"):
        for mark in iter_marks(root, shelf.sources or [*_sources_below(root)]):
            seen.add((mark.source, mark.path))
            row = rows.get((mark.source, mark.path))
            if row is not None and row.root != str(root):
                row.root = str(root)
                moved.append(row)
            if row is None:
                inventory.new.append(_found(root, mark))
            elif row.state in {"gone", "failed"} or (verify and row.state != "skipped") or not _is_same(row, mark):
                inventory.changed.append((_found(root, mark), row))
    for key, row in rows.items():
        if key not in seen:
            (inventory.gone if row.state == "gone" else inventory.vanished).append(row)
    return moved


def take_receipts(batch: Batch, shelf: Shelf) -> None:
    """Bring the table of originals up to date with the receipts, and note which transcripts they are about. Raises `LithError`."""
    if not shelf.root.is_dir():
        return
    connection = batch.connection
    with storage_errors(f"read {shelf.root}"):
        there = set(shelf.receipts.names())
    known = originals_store.find_receipts(connection)
    for name in sorted(known - there):
        batch.begin()
        originals_store.forget_receipt(connection, name)
        _touch(batch, name)
    for name in sorted(there - known):
        try:
            pairs = list(shelf.receipts.load(name))
        except LithError:
            continue  # `archive verify` says so; the original is the longer copy without it
        batch.begin()
        originals_store.add_receipt(connection, name, pairs)
        _touch(batch, name)


def is_transcript(path: str) -> bool:
    """Whether an archived file holds records, by its path below the client's folder."""
    *folders, name = path.split("/")
    if not name.endswith(_LINES) or _NOT_TRANSCRIPTS & set(folders[1:]):
        return False
    return _BESIDE not in folders[1:] or name.startswith("agent-")


def _touch(batch: Batch, receipt: str) -> None:
    prefix = receipt.rpartition("/receipts/")[0]
    for file_id in originals_store.find_generation_files(batch.connection, prefix):
        for transcript_id in copies_store.transcripts_of_file(batch.connection, file_id):
            batch.touch(transcript_id)


def _found(root: Path, mark: Mark) -> Found:
    """A generation as a file; its facts say of what."""
    absolute = root / mark.path
    try:
        generation = load_generation(root, mark.path)
    except (LithError, OSError) as error:
        return Found(mark.source, str(root), mark.path, absolute, None, error=str(error), role=GENERATION)
    path = generation.key.path
    return Found(
        mark.source,
        str(root),
        mark.path,
        absolute,
        None if is_transcript(path) else "archived_file",
        inode=mark.segment,
        size=generation.length,
        mtime_ns=mark.stored,
        error="; ".join(generation.problems) or None,
        role=GENERATION,
        origin=path,
    )


def _is_same(row: FileRow, mark: Mark) -> bool:
    return (row.inode, row.mtime_ns) == (mark.segment, mark.stored)


def _counts(source: str, sources: Collection[str]) -> bool:
    return not sources or source in sources


def _sources_below(root: Path) -> Iterable[str]:
    return (entry.name for entry in root.iterdir() if entry.is_dir())
