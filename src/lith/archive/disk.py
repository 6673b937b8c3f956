"""Every change that `archive` and `keep` make to a disk, one method each: the seam where tests let a disk fail or a process die.

Both rooms write through a `Disk` that their callers may hand in. It decides nothing, retries nothing and knows no format.
"""

import os
from pathlib import Path

from lith.kernel.files import DIR_MODE, FILE_MODE

_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


class Disk:
    """The real disk. Methods raise `OSError` as the system does; `step` is called before each change with its name."""

    def step(self, action: str) -> None:
        """Called before every change; does nothing here."""

    def make_dir(self, path: Path) -> None:
        """Create one directory for its owner only; an existing one is fine."""
        self.step("mkdir")
        path.mkdir(mode=DIR_MODE, exist_ok=True)

    def create(self, path: Path, mode: int = FILE_MODE) -> int:
        """Create a file that must not exist and return its descriptor, open for writing."""
        self.step("create")
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW, mode)

    def open_append(self, path: Path) -> int:
        """Open an existing file so that every write goes to its end."""
        self.step("open")
        return os.open(path, os.O_WRONLY | os.O_APPEND | _NOFOLLOW)

    def write(self, handle: int, data: bytes) -> None:
        """Write all of `data`."""
        self.step("write")
        view = memoryview(data)
        while view:
            view = view[os.write(handle, view) :]

    def fsync(self, handle: int) -> None:
        """Flush a file."""
        self.step("fsync")
        os.fsync(handle)

    def set_owner(self, handle: int, status: os.stat_result) -> None:
        """Give a file the mode and, where it differs, the owner of another."""
        self.step("chmod")
        os.fchmod(handle, status.st_mode & 0o7777)
        own = os.fstat(handle)
        if (own.st_uid, own.st_gid) != (status.st_uid, status.st_gid):
            os.fchown(handle, status.st_uid, status.st_gid)
            os.fchmod(handle, status.st_mode & 0o7777)

    def replace(self, source: Path, target: Path) -> None:
        """Rename over whatever is there."""
        self.step("rename")
        source.replace(target)

    def link(self, source: Path, target: Path) -> None:
        """Give a file a second name, which must not exist."""
        self.step("link")
        os.link(source, target, follow_symlinks=False)

    def unlink(self, path: Path) -> None:
        """Remove a name."""
        self.step("unlink")
        path.unlink()

    def remove_dir(self, path: Path) -> None:
        """Remove an empty directory."""
        self.step("rmdir")
        path.rmdir()

    def sync_dir(self, path: Path) -> None:
        """Flush a directory, so that a rename in it survives a power cut."""
        self.step("syncdir")
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


DISK = Disk()
"""The disk of this machine."""
