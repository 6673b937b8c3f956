"""An archive run: every live file that was given gets its present bytes archived. The cost of an unchanged one is a stat.

`ops` calls it with the files of all sessions, sub-agents' files, spilled tool results and meta files included. One file that cannot be read
stops no other; what could not be archived is named in the report.
"""

import contextlib
import os
import stat
from collections.abc import Iterable
from pathlib import Path

import msgspec

from lith.archive import layout
from lith.archive.append import Origin, take
from lith.archive.catalogue import Seen, open_catalogue
from lith.archive.disk import DISK, Disk
from lith.archive.errors import ArchiveRefused, FileUnsteady
from lith.archive.generation import Generation
from lith.archive.layout import FileKey
from lith.errors import LithError
from lith.kernel import locks
from lith.kernel.clock import Clock
from lith.kernel.files import make_private_dir, storage_errors

LOCK_WAIT_SECONDS = 30.0
_SAVE_EVERY = 256

SeenFiles = dict[tuple[FileKey, str], Seen]


class ArchiveItem(msgspec.Struct, frozen=True):
    """One live file: whose it is, its path below the client's root, and where it is now."""

    source: str
    session: str
    relative: str
    absolute: Path

    @property
    def key(self) -> FileKey:
        """Its name in the archive."""
        return FileKey(self.source, layout.valid_text(self.session), layout.valid_text(self.relative))


class Archived(msgspec.Struct, frozen=True):
    """What became of one file: `outcome` is `unchanged`, `new`, `appended` or `rewritten`; `added` counts raw, `written` stored bytes."""

    key: FileKey
    outcome: str
    generation: Generation
    added: int = 0
    written: int = 0


class ArchiveProblem(msgspec.Struct, frozen=True):
    """A file that could not be archived, and why."""

    source: str
    path: str
    reason: str
    detail: str


class RunPlan(msgspec.Struct, frozen=True):
    """What a run would read: the items that changed since they were archived, with their bytes; `unchanged` only counts."""

    items: tuple[ArchiveItem, ...]
    bytes: int
    unchanged: int
    problems: tuple[ArchiveProblem, ...]


class RunReport(msgspec.Struct, kw_only=True):
    """What a run did: files by outcome, raw bytes added, bytes stored for them, and what could not be archived.

    `changed` are the generations that got bytes, for whoever indexes them.
    """

    files: int = 0
    unchanged: int = 0
    new: int = 0
    appended: int = 0
    rewritten: int = 0
    bytes_added: int = 0
    bytes_written: int = 0
    problems: list[ArchiveProblem] = msgspec.field(default_factory=list)
    changed: list[Generation] = msgspec.field(default_factory=list)


def plan_run(root: Path, items: Iterable[ArchiveItem]) -> RunPlan:
    """What `run` would have to read; writes nothing. Raises `LithError` where the archive cannot be read."""
    seen: SeenFiles = {}
    if (root / layout.CATALOGUE).exists():
        with open_catalogue(root) as catalogue:
            seen = catalogue.load()
    changed, problems, unchanged, size = [], [], 0, 0
    for item in items:
        try:
            status = os.lstat(item.absolute)
        except OSError as error:
            problems.append(_problem(item, "unreachable", error.strerror or str(error)))
            continue
        if _is_archived(root, seen.get((item.key, layout.valid_text(str(item.absolute)))), status):
            unchanged += 1
        else:
            changed.append(item)
            size += status.st_size
    return RunPlan(tuple(changed), size, unchanged, tuple(problems))


def run(
    root: Path,
    items: Iterable[ArchiveItem],
    *,
    clock: Clock,
    disk: Disk = DISK,
    full: bool = False,
    lock_wait_seconds: float = LOCK_WAIT_SECONDS,
) -> RunReport:
    """Archive the present bytes of every file.

    `full` compares every byte that is archived already, also where `stat` says that nothing changed. Raises `Locked`, `StorageError`
    where the archive itself cannot be used.
    """
    make_private_dir(root)
    report = RunReport()
    with (
        locks.exclusive(root / layout.LOCK, wait_seconds=lock_wait_seconds, now=clock()),
        open_catalogue(root) as catalogue,
    ):
        seen = catalogue.load()
        fresh: SeenFiles = {}
        try:
            for item in items:
                _run_one(root, item, seen, fresh, report, clock=clock, disk=disk, full=full)
                if len(fresh) >= _SAVE_EVERY:
                    catalogue.save(fresh)
                    fresh.clear()
        finally:
            with contextlib.suppress(LithError):  # only the next run is slower for it
                catalogue.save(fresh)
    return report


def archive_file(
    root: Path,
    item: ArchiveItem,
    *,
    clock: Clock,
    disk: Disk = DISK,
    full: bool = True,
    origin: str = "live",
    lock_wait_seconds: float = LOCK_WAIT_SECONDS,
) -> Archived:
    """Archive one file, comparing every byte that is archived already unless `full` is off. Raises `LithError`."""
    make_private_dir(root)
    with locks.exclusive(root / layout.LOCK, wait_seconds=lock_wait_seconds, now=clock()):
        return _archive(root, item, origin=Origin(origin, clock()), disk=disk, bounded=not full)[0]


def _run_one(
    root: Path, item: ArchiveItem, seen: SeenFiles, fresh: SeenFiles, report: RunReport, *, clock: Clock, disk: Disk, full: bool
) -> None:
    report.files += 1
    key = (item.key, layout.valid_text(str(item.absolute)))
    known = seen.get(key)
    try:
        status = os.lstat(item.absolute)
        if not full and _is_archived(root, known, status):
            report.unchanged += 1
            return
        bounded = not full and known is not None and known.same_file(status) and status.st_size > known.size
        archived, status = _archive(root, item, origin=Origin("live", clock()), disk=disk, bounded=bounded)
    except FileNotFoundError:
        report.problems.append(_problem(item, "unreachable", "it is not there"))
        return
    except OSError as error:
        report.problems.append(_problem(item, "unreadable", error.strerror or str(error)))
        return
    except LithError as error:
        report.problems.append(_problem(item, error.code, error.message))
        return
    segment = archived.generation.segments[-1].file.relative_to(root).as_posix()
    fresh[key] = Seen(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns, segment)
    setattr(report, archived.outcome, getattr(report, archived.outcome) + 1)
    report.bytes_added += archived.added
    report.bytes_written += archived.written
    if archived.outcome != "unchanged":
        report.changed.append(archived.generation)


def _archive(root: Path, item: ArchiveItem, *, origin: Origin, disk: Disk, bounded: bool) -> tuple[Archived, os.stat_result]:
    """Archive one file and return what `stat` said of it before; a file that changes under the reading is read once more."""
    for attempt in (1, 2):
        handle = open_live(item.absolute)
        try:
            status = os.fstat(handle)
            with storage_errors(f"archive {item.absolute}"):
                taken = take(root, item.key, handle, origin=origin, disk=disk, bounded=bounded)
            return Archived(item.key, taken.outcome, taken.generation, taken.added, taken.written), status
        except FileUnsteady:
            if attempt == 2:
                raise
        finally:
            os.close(handle)
    raise AssertionError("unreachable")


def open_live(path: Path) -> int:
    """A descriptor of a regular file that is no symlink. Raises `ArchiveRefused`, `OSError`."""
    if stat.S_ISLNK(os.lstat(path).st_mode):
        raise ArchiveRefused(f"{path} is a symlink", hint="the file it leads to is archived under its own name")
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    handle = os.open(path, flags)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise ArchiveRefused(f"{path} is not a regular file")
    return handle


def _is_archived(root: Path, known: Seen | None, status: os.stat_result) -> bool:
    """Whether a file is as it was archived, and its last segment is still in the archive."""
    return known is not None and known.unchanged(status) and (root / known.segment).is_file()


def _problem(item: ArchiveItem, reason: str, detail: str) -> ArchiveProblem:
    return ArchiveProblem(item.source, str(item.absolute), reason, detail)
