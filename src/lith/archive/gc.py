"""Which generations may go: those whose every record is held, byte for byte, by one that stays.

`ops` calls it through `keep`, which says what a prune shortened and what an undo still needs. Lengths and names prove nothing here; what
counts is the content hash of each line, taken by reading it. What cannot be read is never removed, and never a reason to remove another.
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

import msgspec

from lith.archive import layout
from lith.archive.disk import DISK, Disk
from lith.archive.errors import ArchiveDamaged
from lith.archive.generation import Generation, iter_generations
from lith.archive.layout import FileKey
from lith.archive.reader import open_generation
from lith.archive.restore import newest
from lith.archive.verify import check_generation
from lith.errors import StorageError
from lith.kernel import ids, locks
from lith.kernel.clock import Clock
from lith.kernel.files import storage_errors
from lith.kernel.jsonl import Huge, LineReader

_REMOVED = ".removed-"


class Removal(msgspec.Struct, frozen=True):
    """A generation that may go; `chain` says in what state it was judged."""

    key: FileKey
    generation: int
    folder: str
    length: int
    stored: int
    chain: str


class GcPlan(msgspec.Struct, frozen=True):
    """What may go, and how many generations stay."""

    removals: tuple[Removal, ...]
    kept: int

    @property
    def freed(self) -> int:
        """Bytes on the disk that go."""
        return sum(one.stored for one in self.removals)


def plan_gc(
    root: Path,
    *,
    source: str | None = None,
    session: str | None = None,
    originals: Mapping[bytes, bytes] | None = None,
    protected: Collection[tuple[FileKey, int]] = (),
) -> GcPlan:
    """What may go. `originals` maps the hash of a shortened record to that of its original, which then stands for it.

    The newest generation of every file stays, and every `protected` one. Raises `ArchiveRefused`, `OSError`.
    """
    by_session: dict[Path, list[Generation]] = {}
    for generation in iter_generations(root, source, session):
        by_session.setdefault(generation.folder.parents[1], []).append(generation)
    removals: list[Removal] = []
    kept = 0
    for generations in by_session.values():
        gone = _plan_session(generations, originals or {}, set(protected))
        removals += (Removal(one.key, one.number, str(one.folder), one.length, one.stored, one.chain) for one in gone)
        kept += len(generations) - len(gone)
    return GcPlan(tuple(removals), kept)


def _plan_session(
    generations: list[Generation], originals: Mapping[bytes, bytes], protected: set[tuple[FileKey, int]]
) -> list[Generation]:
    if len(generations) < 2:
        return []
    by_file: dict[Path, list[Generation]] = {}
    for generation in generations:
        by_file.setdefault(generation.folder.parent, []).append(generation)
    latest = {newest(own).folder for own in by_file.values() if any(one.segments for one in own)}
    hashes = {one.folder: found for one in generations if (found := _content_hashes(one)) is not None}
    count: dict[bytes, int] = {}
    for found in hashes.values():
        for one in found:
            count[one] = count.get(one, 0) + 1
    gone = []
    for generation in generations:
        own = hashes.get(generation.folder)
        if own is None or generation.folder in latest or (generation.key, generation.number) in protected:
            continue
        if all(count[one] > 1 or _stands(originals.get(one), count, own) for one in own):
            gone.append(generation)
            for one in own:
                count[one] -= 1
    return gone


def _stands(original: bytes | None, count: Mapping[bytes, int], own: Collection[bytes]) -> bool:
    """Whether a record's original is held by another generation than its own."""
    return original is not None and count.get(original, 0) > (original in own)


def _content_hashes(generation: Generation) -> set[bytes] | None:
    """The content hash of every line, or of the whole where it is no transcript; None where it cannot all be read and trusted."""
    if not generation.segments or check_generation(generation, deep=True):
        return None
    try:
        with open_generation(generation) as reader:
            if ".jsonl" not in generation.key.path:
                digest = hashlib.sha256()
                while piece := reader.read(1 << 20):
                    digest.update(piece)
                return {digest.digest()}
            hashes = set()
            for item in LineReader(reader, final=True):
                if isinstance(item, Huge) and not item.sha256:
                    return None
                hashes.add(item.sha256[: ids.DIGEST_BYTES] if isinstance(item, Huge) else ids.digest(item.data))
            return hashes
    except (ArchiveDamaged, StorageError):
        return None


def apply_gc(
    root: Path,
    plan: GcPlan,
    *,
    clock: Clock,
    originals: Mapping[bytes, bytes] | None = None,
    protected: Collection[tuple[FileKey, int]] = (),
    disk: Disk = DISK,
) -> list[Removal]:
    """Remove what the plan says, as far as it is still true; returns what was removed. Raises `Locked`, `StorageError`."""
    removed = []
    with locks.exclusive(root / layout.LOCK, wait_seconds=30.0, now=clock()), storage_errors("remove generations"):
        for key in _sessions(plan.removals):
            fresh = plan_gc(root, source=key[0], session=key[1], originals=originals, protected=protected)
            wanted = {(one.folder, one.chain) for one in plan.removals}
            for one in fresh.removals:
                if (one.folder, one.chain) in wanted:
                    _remove(Path(one.folder), disk)
                    removed.append(one)
    return removed


def _sessions(removals: Iterable[Removal]) -> list[tuple[str, str]]:
    return list(dict.fromkeys((one.key.source, one.key.main_session) for one in removals))


def _remove(folder: Path, disk: Disk) -> None:
    """Take a generation out of sight in one step, then let go of its files."""
    hidden = folder.with_name(f"{_REMOVED}{folder.name}")
    disk.replace(folder, hidden)
    disk.sync_dir(folder.parent)
    for path in sorted(hidden.iterdir()):
        disk.unlink(path)
    disk.remove_dir(hidden)
