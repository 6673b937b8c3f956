"""A disk that fails or dies at its n-th change, and a program that does one thing with it: `python -m tests.archive.faults …`."""

import errno
import os
import signal
import sys
from pathlib import Path

from lith.archive import ArchiveItem, Disk, run
from lith.errors import LithError


class FaultyDisk(Disk):
    """Counts changes. At the n-th: `kill` dies, `ENOSPC` and `EIO` fail there and from there on, `once` fails there only."""

    def __init__(self, mode: str, at: int, only: str = "") -> None:
        self.mode = mode
        self.at = at
        self.only = only
        self.steps = 0
        self.actions: list[str] = []

    def step(self, action: str) -> None:
        if self.only and action != self.only:
            return
        self.steps += 1
        self.actions.append(action)
        if not self.at or self.steps < self.at or (self.mode == "once" and self.steps > self.at):
            return
        if self.mode == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        code = errno.EIO if self.mode in {"EIO", "once"} else errno.ENOSPC
        raise OSError(code, os.strerror(code))

    def write(self, handle: int, data: bytes) -> None:
        """A full or dying disk takes half of what it is given."""
        if self.at and self.steps + 1 == self.at and not self.only:
            os.write(handle, data[: len(data) // 2])
        super().write(handle, data)


def main() -> int:
    root, live, mode, at = sys.argv[1:]
    disk = FaultyDisk(mode, int(at))
    item = ArchiveItem("claude_code", "s", "p/s.jsonl", Path(live))
    try:
        report = run(Path(root), [item], clock=lambda: 1, disk=disk)
    except LithError as error:
        sys.stdout.write(f"{disk.steps} {error.code}\n")
        return 3
    sys.stdout.write(f"{disk.steps} {' '.join(problem.reason for problem in report.problems)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
