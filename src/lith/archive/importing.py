"""Taking in backups that other tools left: raw and pruned versions, and plain copies, as generations of their session.

`ops` calls it and says whose a file is; this module finds the files, puts them in order, and skips what the archive holds already. The
files themselves are left as they are.
"""

import os
import re
from collections.abc import Callable
from pathlib import Path

import msgspec

from lith.archive import layout, proof
from lith.archive.append import Origin, take
from lith.archive.disk import DISK, Disk
from lith.archive.errors import ArchiveDamaged
from lith.archive.generation import Generation, find_generations
from lith.archive.layout import FileKey
from lith.archive.reader import iter_pieces
from lith.archive.run import Archived, open_live
from lith.errors import LithError, StorageError
from lith.kernel import locks
from lith.kernel.clock import Clock
from lith.kernel.files import make_private_dir, storage_errors

_VERSION = re.compile(r"(?:^|[^a-z0-9])v(\d{1,6})-(?:raw|pruned)\b", re.IGNORECASE)
_LAST = 1 << 30

Identify = Callable[[Path], FileKey | None]
"""Says whose a backup is, by its records; None for a file that is no transcript."""


class ImportEntry(msgspec.Struct, frozen=True):
    """A backup to take in, as what."""

    path: str
    key: FileKey
    size: int


class Skipped(msgspec.Struct, frozen=True):
    """A file that is not taken in, and why: `not_a_transcript`, `unreadable`, `held` (the archive has these bytes)."""

    path: str
    reason: str


class ImportPlan(msgspec.Struct, frozen=True):
    """What an import would take in, oldest first."""

    entries: tuple[ImportEntry, ...]
    skipped: tuple[Skipped, ...]


def plan_import(root: Path, folder: Path, identify: Identify) -> ImportPlan:
    """What is in a folder of backups, oldest version first; writes nothing. Raises `StorageError` where the folder cannot be listed."""
    found: list[tuple[tuple[str, int, int, str], ImportEntry]] = []
    skipped = []
    with storage_errors(f"read {folder}"):
        paths = [path for path in sorted(folder.rglob("*.jsonl")) if not path.is_symlink()]
    for path in paths:
        try:
            status = path.stat()
            key = identify(path)
            if key is not None and is_held(root, key, path):
                skipped.append(Skipped(str(path), "held"))
                continue
        except (OSError, LithError):
            skipped.append(Skipped(str(path), "unreadable"))
            continue
        if key is None:
            skipped.append(Skipped(str(path), "not_a_transcript"))
            continue
        match = _VERSION.search(path.relative_to(folder).as_posix())
        order = (key.main_session, int(match[1]) if match else _LAST, status.st_mtime_ns, path.as_posix())
        found.append((order, ImportEntry(str(path), key, status.st_size)))
    return ImportPlan(tuple(entry for _, entry in sorted(found, key=lambda one: one[0])), tuple(skipped))


def apply_import(root: Path, plan: ImportPlan, *, clock: Clock, disk: Disk = DISK) -> list[Archived]:
    """Take in what the plan says, and skip what is held by now. Raises `LithError`; what was taken in before stays."""
    make_private_dir(root)
    taken = []
    with locks.exclusive(root / layout.LOCK, wait_seconds=30.0, now=clock()), storage_errors("import backups"):
        for entry in plan.entries:
            path = Path(entry.path)
            if is_held(root, entry.key, path):
                continue
            handle = open_live(path)
            try:
                one = take(root, entry.key, handle, origin=Origin("import", clock(), layout.valid_text(path.name)), disk=disk)
            finally:
                os.close(handle)
            taken.append(Archived(entry.key, one.outcome, one.generation, one.added, one.written))
    return taken


def is_held(root: Path, key: FileKey, path: Path) -> bool:
    """Whether a generation of `key` holds all bytes of a file, or begins with them. Raises `OSError`, `ArchiveRefused`."""
    handle = open_live(path)
    try:
        size = os.fstat(handle).st_size
        return any(one.length >= size and one.segments and _begins(one, handle, size) for one in find_generations(root, key))
    finally:
        os.close(handle)


def _begins(generation: Generation, handle: int, size: int) -> bool:
    at = 0
    try:
        for piece in iter_pieces(generation, end=size):
            if proof.pread(handle, len(piece), at) != piece:
                return False
            at += len(piece)
    except (ArchiveDamaged, StorageError):
        return False
    return True
