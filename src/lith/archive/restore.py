"""Giving files back: byte-equal, checked against their digests before they get their name.

`ops` calls it. It writes only where it is told to, never through a symlink, and never over a file unless it is asked to.
"""

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

import msgspec

from lith.archive.disk import DISK, Disk
from lith.archive.errors import ArchiveDamaged, ArchiveRefused, NotArchived
from lith.archive.generation import Generation, iter_generations
from lith.archive.layout import FileKey, hashed_name
from lith.archive.placing import give_name, temporary
from lith.archive.segment import chain_digest, iter_raw
from lith.kernel.files import FILE_MODE, make_private_dir, storage_errors


class Restored(msgspec.Struct, frozen=True):
    """A file that was given back; `verified` says that its bytes have every digest that was noted of them."""

    key: FileKey
    generation: int
    path: str
    length: int
    sha256: str
    verified: bool = True


def newest(generations: Iterable[Generation]) -> Generation:
    """The generation whose state is the latest: by the file's own time, then by number. Raises `NotArchived` for none."""
    ranked = [one for one in generations if one.segments]
    if not ranked:
        raise NotArchived("the archive holds nothing of it")
    return max(ranked, key=lambda one: (one.segments[-1].facts.mtime_ns, one.number))


def restore_to(
    generation: Generation,
    target: Path,
    *,
    overwrite: bool = False,
    salvage: bool = False,
    disk: Disk = DISK,
    mode: int = FILE_MODE,
) -> Restored:
    """Write a generation to `target`; with `salvage` also one whose digests are lost, as long as its frames can be read.

    Raises `ArchiveDamaged`, `ArchiveRefused` where the target is taken, `StorageError`.
    """
    if generation.problems and not salvage:
        raise ArchiveDamaged(f"generation {generation.number} of {generation.key.path}: {'; '.join(generation.problems)}")
    if target.is_symlink() or (target.exists() and not (overwrite and target.is_file())):
        raise ArchiveRefused(f"{target} is there already", hint="name another place with -o")
    with storage_errors(f"restore to {target}"), temporary(target, disk) as (temp, handle):
        try:
            sha256, wrong = _write(generation, handle, disk)
            os.fchmod(handle, mode)
            disk.fsync(handle)
        finally:
            os.close(handle)
        if wrong and not salvage:
            raise ArchiveDamaged(wrong)
        if overwrite:
            disk.replace(temp, target)
        else:
            give_name(temp, target, disk)
        disk.sync_dir(target.parent)
    sound = not wrong and not generation.problems
    return Restored(generation.key, generation.number, str(target), generation.length, sha256, sound)


def restore_session(root: Path, source: str, session: str, folder: Path, *, disk: Disk = DISK) -> list[Restored]:
    """Write the newest generation of every file of a session below `folder`, which must be empty or not there."""
    by_file: dict[Path, list[Generation]] = {}
    for generation in iter_generations(root, source, session):
        by_file.setdefault(generation.folder.parent, []).append(generation)
    if not by_file:
        raise NotArchived(f"the archive holds nothing of {source}:{session}")
    if folder.is_symlink() or (folder.exists() and (not folder.is_dir() or any(folder.iterdir()))):
        raise ArchiveRefused(f"{folder} is not an empty folder", hint="name another place with -o")
    restored = []
    for generations in by_file.values():
        generation = newest(generations)
        target = folder / place_below(generation.key.path)
        make_private_dir(target.parent)
        restored.append(restore_to(generation, target, disk=disk))
    return restored


def place_below(relative: str) -> PurePosixPath:
    """A path below a folder that is safe to create: the file's own where it leads nowhere else, else a name made from it."""
    parts = relative.split("/")
    if relative.isprintable() and "\\" not in relative and not any(part in {"", ".", ".."} or ":" in part for part in parts):
        return PurePosixPath(*parts)
    return PurePosixPath(hashed_name(parts[-1], relative))


def _write(generation: Generation, handle: int, disk: Disk) -> tuple[str, str]:
    """Write the bytes; returns the SHA-256 of them all, and which digest they do not have, in words."""
    whole = hashlib.sha256()
    chain = wrong = ""
    for segment in generation.segments:
        own = hashlib.sha256()
        for data in iter_raw(segment):
            own.update(data)
            whole.update(data)
            disk.write(handle, data)
        chain = chain_digest(chain, own.hexdigest())
        if own.hexdigest() != segment.facts.sha256 or chain != segment.facts.chain:
            wrong = wrong or f"{segment.file} does not hold the bytes that were archived"
    sha256 = whole.hexdigest()
    if generation.whole not in {None, sha256}:
        wrong = wrong or f"generation {generation.number} of {generation.key.path} does not have its digest"
    return sha256, wrong
