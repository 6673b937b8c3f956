"""Taking the bytes of one open file into the archive: which generation they belong to, and the segment that is missing.

`run` and `importing` call it, under the archive's lock. It never changes the file it reads, never writes to a segment that exists, and
removes a segment only after a longer one that holds its bytes was verified and named.
"""

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from lith.archive import layout, proof
from lith.archive.disk import Disk
from lith.archive.errors import ArchiveDamaged, FileUnsteady
from lith.archive.generation import Generation, find_empty, find_generations, get_generation, next_number
from lith.archive.layout import FileKey
from lith.archive.placing import drop_cache, give_name, temporary
from lith.archive.segment import (
    FORMAT,
    FRAME,
    Segment,
    SegmentFacts,
    cut_frames,
    digest_segment,
    iter_raw,
    read_segment,
    write_segment,
)
from lith.kernel.files import make_private_dir

_PIECE = 1 << 20
_ABSORB = 2
"""A new segment takes in the ones before it while they are at most this many times as long, and shorter than a frame should be."""


class Taken(msgspec.Struct, frozen=True):
    """What became of a file: `outcome` is `unchanged`, `new`, `appended` or `rewritten`; `added` are raw bytes, `written` stored ones."""

    generation: Generation
    outcome: str
    added: int = 0
    written: int = 0


class Origin(msgspec.Struct, frozen=True):
    """Where bytes come from: the kind (`live`, `import`, `undo`), the moment in milliseconds, and a name for an import."""

    kind: str
    at: int
    name: str | None = None


def take(root: Path, key: FileKey, handle: int, *, origin: Origin, disk: Disk, bounded: bool = False) -> Taken:
    """Archive what an open file holds at this moment.

    `bounded` allows the proof by windows. Raises `FileUnsteady` where the file shrinks meanwhile, `ArchiveRefused`, `ArchiveDamaged`
    where the disk does not give back what was written, `OSError`.
    """
    status = os.fstat(handle)
    size = status.st_size
    generations = find_generations(root, key)
    found, digest = _find_prefix(handle, size, generations, bounded=bounded)
    if found is not None and _sweep(found, disk):
        found = get_generation(root, key, found.number)
    if found is not None and found.length == size:
        return Taken(found, "unchanged")
    if found is None:
        _clear_empty(root, key)
        number = next_number(root, key)
        found = Generation(key, number, layout.file_dir(root, key) / layout.generation_name(number), ())
    outcome = "appended" if found.segments else "rewritten" if generations else "new"
    absorbed = _absorbable(found, size - found.length)
    facts = _facts(found, absorbed, handle, status, origin)
    _make_folders(root, found.folder, disk)

    def pieces() -> Iterator[bytes]:
        for segment in absorbed:
            yield from iter_raw(segment)
        for piece in _read_span(handle, found.length, size):
            if digest is not None:
                digest.update(piece)
            yield piece

    written = _write(
        found,
        facts,
        cut_frames(pieces(), size - facts.offset),
        lambda: None if digest is None else digest.hexdigest(),
        absorbed,
        disk,
    )
    return Taken(get_generation(root, key, found.number), outcome, size - found.length, written)


def _find_prefix(
    handle: int, size: int, generations: list[Generation], *, bounded: bool
) -> tuple[Generation | None, proof.Hasher | None]:
    """The longest generation that the file begins with, and the hasher of its bytes where they were all read."""
    fitting = [one for one in generations if one.length <= size and not one.problems]
    for generation in sorted(fitting, key=lambda one: (-one.length, -one.number)):
        noted = generation.segments[-1].facts.proof if generation.segments else None
        if bounded and noted:
            if proof.digest_windows(handle, generation.length) == noted:
                return generation, None
            continue
        digest = proof.hash_prefix(handle, generation)
        if digest is not None:
            return generation, digest
    return None, None


def _absorbable(generation: Generation, length: int) -> list[Segment]:
    """The last segments that a new one of `length` bytes takes in; one that is not what it was when written stays where it is."""
    taken: list[Segment] = []
    for segment in reversed(generation.segments):
        own = segment.facts.length
        if segment.rebuilt or own >= FRAME or own > _ABSORB * length:
            break
        try:
            if digest_segment(segment) != segment.facts.sha256:
                break
        except (ArchiveDamaged, OSError):
            break
        taken.insert(0, segment)
        length += own
    return taken


def _facts(generation: Generation, absorbed: list[Segment], handle: int, status: os.stat_result, origin: Origin) -> SegmentFacts:
    key = generation.key
    before = generation.segments[: len(generation.segments) - len(absorbed)]
    last = max((layout.segment_number(path.name) or 0 for path in generation.leftovers), default=0)
    if generation.segments:
        last = max(last, generation.segments[-1].facts.segment)
    return SegmentFacts(
        format=FORMAT,
        source=key.source,
        session=key.session,
        path=key.path,
        generation=generation.number,
        segment=last + 1,
        offset=before[-1].facts.end if before else 0,
        length=0,
        sha256="",
        chain=before[-1].facts.chain if before else "",
        at=origin.at,
        mtime_ns=status.st_mtime_ns,
        mode=status.st_mode & 0o777,
        origin=origin.kind,
        name=origin.name,
        proof=proof.digest_windows(handle, status.st_size),
    )


def _read_span(handle: int, start: int, end: int) -> Iterator[bytes]:
    while start < end:
        piece = proof.pread(handle, min(_PIECE, end - start), start)
        if not piece:
            raise FileUnsteady("the file became shorter while it was being archived", hint="run it again")
        yield piece
        start += len(piece)


def _make_folders(root: Path, folder: Path, disk: Disk) -> None:
    make_private_dir(root)
    layout.check_inside(root, folder)
    missing = [one for one in (folder, *folder.parents) if one.is_relative_to(root) and not one.exists()]
    for one in reversed(missing):
        disk.make_dir(one)
        disk.sync_dir(one.parent)


def _write(
    generation: Generation,
    facts: SegmentFacts,
    frames: Iterator[bytes],
    whole: Callable[[], str | None],
    absorbed: list[Segment],
    disk: Disk,
) -> int:
    """Write, flush, read back, name, flush the folder, and only then let go of what was taken in; returns the bytes stored."""
    target = generation.folder / layout.segment_name(facts.segment)
    with temporary(target, disk) as (temp, handle):
        try:
            facts = write_segment(handle, frames, facts, disk, whole)
            disk.fsync(handle)
        finally:
            os.close(handle)
        size = _read_back(temp, facts)
        give_name(temp, target, disk)
        disk.sync_dir(generation.folder)
    for segment in absorbed:
        disk.unlink(segment.file)
    if absorbed:
        disk.sync_dir(generation.folder)
    return size


def _clear_empty(root: Path, key: FileKey) -> None:
    """Remove folders that hold no segment; what cannot be removed does no harm."""
    for folder in find_empty(root, key):
        with contextlib.suppress(OSError):
            for path in folder.glob(".*.tmp"):
                path.unlink()
            folder.rmdir()


def _sweep(generation: Generation, disk: Disk) -> bool:
    """Remove what an interrupted run left: temporary files, and segments that later ones cover, once those were read; True if any."""
    with os.scandir(generation.folder) as entries:
        stale = [generation.folder / entry.name for entry in entries if entry.name.endswith(".tmp")]
    first = min((layout.segment_number(path.name) or 0 for path in generation.leftovers), default=0)
    covering = [segment for segment in generation.segments if generation.leftovers and segment.facts.segment > first]
    try:
        if all(digest_segment(segment) == segment.facts.sha256 for segment in covering):
            stale += generation.leftovers
    except ArchiveDamaged:
        pass
    for path in stale:
        disk.unlink(path)
    if stale:
        disk.sync_dir(generation.folder)
    return bool(stale)


def _read_back(temp: Path, facts: SegmentFacts) -> int:
    """Make sure that the disk gives back what was written. Raises `ArchiveDamaged`."""
    drop_cache(temp)
    segment = read_segment(temp)
    if segment.facts != facts or digest_segment(segment) != facts.sha256:
        raise ArchiveDamaged(f"the disk did not give back what was written to {temp.parent}", hint="check the disk")
    return segment.size
