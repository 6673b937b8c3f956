"""What is on the disk, what the map knows of it, and so what there is to do: by `stat` alone, without reading a byte of content.

`sync` acts on the answer, `status` prints it.
"""

import os
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from lith.ingest.report import RootSpec
from lith.sources.base import Candidate, Source
from lith.store.map.files import TRANSCRIPT, FileRow

FileKey = tuple[str, str, str]
"""(source, root, path below the root)."""


class Found(msgspec.Struct, frozen=True):
    """A file below a root, with what `stat` says of it. `error` is set where even that failed.

    Of an archived generation the root is the archive, and `role`, `origin` and the numbers are as in `FileRow`.
    """

    source: str
    root: str
    path: str
    absolute: Path
    skip: str | None
    dev: int = 0
    inode: int = 0
    size: int = 0
    mtime_ns: int = 0
    ctime_ns: int = 0
    error: str | None = None
    role: str = TRANSCRIPT
    origin: str | None = None

    @property
    def key(self) -> FileKey:
        """The key of its row in the map."""
        return (self.source, self.root, self.path)


class Inventory(msgspec.Struct, frozen=True):
    """The disk against the map.

    `new` and `changed` are files to read (a changed one with its row), `unchanged` rows need nothing, `vanished` are rows whose file is
    no longer there although its root is, `gone` those that were so before. `missing_roots` could not be listed: nothing is concluded
    about their files.
    """

    new: list[Found]
    changed: list[tuple[Found, FileRow]]
    unchanged: list[FileRow]
    vanished: list[FileRow]
    gone: list[FileRow]
    missing_roots: list[RootSpec]
    present_roots: list[RootSpec]

    @property
    def work(self) -> int:
        """How many files there are to read."""
        return len(self.new) + len(self.changed)


def take_inventory(
    roots: Iterable[RootSpec], sources: Mapping[str, Source], known: Mapping[FileKey, FileRow], *, verify: bool = False
) -> Inventory:
    """Compare the disk below `roots` with the rows that the map has. With `verify` every file that is there counts as changed."""
    inventory = Inventory([], [], [], [], [], [], [])
    seen: set[FileKey] = set()
    listed: set[tuple[str, str]] = set()
    for spec in roots:
        root = Path(os.path.realpath(spec.path))
        if not root.is_dir() or not os.access(root, os.R_OK | os.X_OK):
            inventory.missing_roots.append(spec)
            continue
        if (spec.source, str(root)) in listed:
            continue
        listed.add((spec.source, str(root)))
        inventory.present_roots.append(msgspec.structs.replace(spec, path=root))
        for candidate in sources[spec.source].iter_candidates(root):
            found = _stat(spec.source, str(root), candidate)
            if found is None or found.key in seen:
                continue
            seen.add(found.key)
            _sort_in(inventory, found, known.get(found.key), verify=verify)
    for key, row in known.items():
        if key not in seen and row.role == TRANSCRIPT and (row.source, row.root) in listed:
            (inventory.gone if row.state == "gone" else inventory.vanished).append(row)
    return inventory


def is_same(found: Found, row: FileRow) -> bool:
    """Whether `stat` says that a file is what it was at its last sync."""
    return (
        row.size == found.size
        and row.mtime_ns == found.mtime_ns
        and row.ctime_ns == found.ctime_ns
        and row.inode == found.inode
        and row.dev == found.dev
        and (row.state == "skipped") == (found.skip is not None)
    )


def _sort_in(inventory: Inventory, found: Found, row: FileRow | None, *, verify: bool) -> None:
    if row is None:
        inventory.new.append(found)
    elif row.state in {"gone", "failed"} or found.error or not is_same(found, row) or (verify and found.skip is None):
        inventory.changed.append((found, row))
    else:
        inventory.unchanged.append(row)


def _stat(source: str, root: str, candidate: Candidate) -> Found | None:
    try:
        status = candidate.path.stat() if candidate.skip is None else candidate.path.lstat()
    except FileNotFoundError:
        return None
    except OSError as error:
        return Found(source, root, candidate.relative, candidate.path, candidate.skip, error=error.strerror or str(error))
    skip = candidate.skip
    if skip is None and not stat.S_ISREG(status.st_mode):
        skip = "not a regular file"
    return Found(
        source,
        root,
        candidate.relative,
        candidate.path,
        skip,
        status.st_dev,
        status.st_ino,
        status.st_size,
        status.st_mtime_ns,
        status.st_ctime_ns,
    )
