"""A sync in a process of its own whose disk fails, or that dies, at its n-th write: `python -m tests.ingest.faults BASE DATA SOURCE MODE N`.

The database writes go through a SQLite VFS that counts them. Prints how many writes there were, so that a test can walk through all of them.
Exit status: 0 the sync came through, 3 lith's own error, -9 killed.
"""

import os
import signal
import sys
from pathlib import Path

import apsw
from tests.ingest.world import World

from lith.errors import LithError

BASE = apsw.vfs_names()[0]


class Disk:
    """Counts writes and fails the n-th and all after it (a full disk stays full), or kills the process there."""

    def __init__(self, mode: str, at: int) -> None:
        self.mode = mode
        self.at = at
        self.writes = 0

    def step(self) -> None:
        self.writes += 1
        if self.at and self.writes >= self.at:
            if self.mode == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            raise apsw.FullError("disk full") if self.mode == "full" else apsw.IOError("input/output error")


class FaultyFile(apsw.VFSFile):
    def __init__(self, disk: Disk, name: str | apsw.URIFilename, flags: list[int]) -> None:
        self.disk = disk
        super().__init__(BASE, name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:
        self.disk.step()
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:
        self.disk.step()
        super().xSync(flags)

    def xTruncate(self, size: int) -> None:
        self.disk.step()
        super().xTruncate(size)


class FaultyVFS(apsw.VFS):
    def __init__(self, disk: Disk) -> None:
        self.disk = disk
        super().__init__("faulty", BASE, makedefault=True)

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        return FaultyFile(self.disk, name or "", flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        self.disk.step()
        super().xDelete(filename, syncdir)


def main() -> int:
    base, data, source, mode, at = sys.argv[1:]
    disk = Disk(mode, int(at))
    vfs = FaultyVFS(disk)
    try:
        World(Path(base), source).sync(Path(data))
    except LithError as error:
        sys.stdout.write(f"{disk.writes} {error.code}\n")
        return 3
    finally:
        vfs.unregister()
    sys.stdout.write(f"{disk.writes}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
