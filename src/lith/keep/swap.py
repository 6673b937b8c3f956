"""Putting a rewritten file in the place of a live one without losing a byte that somebody appends meanwhile.

`applying` and `undo` use it, once what they want to put there is written to a temporary file beside it. Until the rename the live file is
not touched; the old one keeps a second name until the grace is over, so that whatever fails after the rename is taken back.
"""

import contextlib
import os
import secrets
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from lith.archive import Disk
from lith.archive.placing import NO_LINKS, temporary
from lith.archive.proof import pread
from lith.errors import StorageError
from lith.keep.errors import FileChanged, TornLine
from lith.keep.outline import is_whole

SETTLE_SECONDS = 2.0
"""How long a half-written last line is waited for."""
GRACE_SECONDS = 1.0
"""How long after the rename the old file is watched for what a writer that still holds it appends."""
_POLL_SECONDS = 0.05
_OLD = "lith-old"


class Timing(msgspec.Struct, frozen=True):
    """How long to wait, and how."""

    settle: float = SETTLE_SECONDS
    grace: float = GRACE_SECONDS
    sleep: Callable[[float], None] = time.sleep


class Swapped(msgspec.Struct, frozen=True):
    """What a swap did: the size of the file afterwards, and the bytes that were appended to the old one after its snapshot."""

    size: int
    appended: int


class Swap:
    """One swap: a live file that is open for reading, and the temporary file that is to take its place.

    `copied` says how many bytes of the live file the temporary one stands for; `open_swap` makes it.
    """

    def __init__(self, path: Path, live: int, temp: Path, handle: int, disk: Disk, timing: Timing) -> None:
        self.path = path
        self.handle = handle
        self.temp = temp
        self._live = live
        self._disk = disk
        self._timing = timing
        self._spliced = b""
        self._trying = b""

    def finish(self, copied: int) -> Swapped:
        """Catch up, rename, watch, splice. Raises `FileChanged`, `TornLine`, `OSError`; the live file then has its old bytes."""
        start = copied
        while True:
            copied = self._catch_up(copied)
            self._disk.fsync(self.handle)
            old = self._second_name(copied)
            try:
                if os.fstat(self._live).st_size != copied or not self._in_place():
                    self._forget(old)
                    continue
                written = os.fstat(self.handle).st_size
                status = os.fstat(self._live)
                os.utime(self.handle, ns=(status.st_atime_ns, status.st_mtime_ns))  # a prune is no use of the session
                self._disk.replace(self.temp, self.path)
            except BaseException:
                self._forget(old)
                raise
            break
        try:
            self._disk.sync_dir(self.path.parent)
            copied = self._splice(copied)
        except BaseException:
            self._take_back(old, written)
            raise
        self._forget(old)
        return Swapped(self.path.stat().st_size, copied - start)

    def _in_place(self) -> bool:
        """Whether the live file's name still leads to the file that is open."""
        own, named = os.fstat(self._live), os.lstat(self.path)
        return (own.st_dev, own.st_ino) == (named.st_dev, named.st_ino)

    def _catch_up(self, copied: int) -> int:
        """Append what arrived in the live file, up to its last complete line, until there is nothing more."""
        waited = 0.0
        while True:
            if not self._in_place():
                raise FileChanged(f"{self.path} was replaced by another program meanwhile")
            size = os.fstat(self._live).st_size
            if size < copied:
                raise FileChanged(f"{self.path} became shorter meanwhile")
            if size == copied:
                return copied
            data = pread(self._live, size - copied, copied)
            whole = data[: data.rfind(b"\n") + 1]
            if whole:
                self._disk.write(self.handle, whole)
                copied += len(whole)
                waited = 0.0
            elif waited >= self._timing.settle:
                if is_whole(data):
                    self._disk.write(self.handle, data)
                    return size
                raise TornLine(
                    f"the last line of {self.path} stays half written", hint="let the client finish it, then try again"
                )
            else:
                self._timing.sleep(_POLL_SECONDS)
                waited += _POLL_SECONDS

    def _splice(self, copied: int) -> int:
        """Watch the old file for the grace, and append to the new one what arrives there."""
        waited = 0.0
        while True:
            data = pread(self._live, max(0, os.fstat(self._live).st_size - copied), copied)
            over = waited >= self._timing.grace
            if not over:
                data = data[: data.rfind(b"\n") + 1]
            if data:
                self._trying = data
                append_to(self.path, data, self._disk)
                self._trying = b""
                self._spliced += data
                copied += len(data)
            if over:
                return copied
            self._timing.sleep(_POLL_SECONDS)
            waited += _POLL_SECONDS

    def _second_name(self, copied: int) -> Path | None:
        """Keep the old file reachable by a second name that says how much of it is in the new one; None where links do not work."""
        name = self.path.with_name(f".{self.path.name}.{copied}.{secrets.token_hex(4)}.{_OLD}")
        try:
            self._disk.link(self.path, name)
        except OSError as error:
            if error.errno in NO_LINKS:
                return None
            raise
        return name

    def _forget(self, old: Path | None) -> None:
        if old is not None:
            with contextlib.suppress(OSError):
                old.unlink()

    def _take_back(self, old: Path | None, written: int) -> None:
        """Put the old file back in its place, with what was appended to the new one by others."""
        if old is None:
            return
        with self.path.open("rb") as file:
            file.seek(written)
            arrived = file.read()
        arrived = arrived[: len(arrived) - overlap(arrived, self._trying)].replace(self._spliced, b"", 1)
        if arrived:
            with old.open("ab") as file:
                file.write(arrived)
        old.replace(self.path)


def overlap(data: bytes, following: bytes) -> int:
    """How many bytes at the end of `data` are the first ones of `following`: what an interrupted append left."""
    for length in range(min(len(data), len(following)), 0, -1):
        if data.endswith(following[:length]):
            return length
    return 0


@contextlib.contextmanager
def open_swap(path: Path, live: int, disk: Disk, timing: Timing) -> Iterator[Swap]:
    """A temporary file beside `path`, with its mode and owner, to be filled and then finished; it vanishes if it was not."""
    status = os.fstat(live)
    with temporary(path, disk) as (temp, handle):
        try:
            disk.set_owner(handle, status)
            yield Swap(path, live, temp, handle, disk, timing)
        finally:
            os.close(handle)


def append_to(path: Path, data: bytes, disk: Disk) -> None:
    """Append bytes to a file and flush it. Raises `OSError`."""
    handle = disk.open_append(path)
    try:
        disk.write(handle, data)
        disk.fsync(handle)
    finally:
        os.close(handle)


def recover(path: Path, disk: Disk) -> list[str]:
    """Clear up after a swap that died: splice what was appended to an old file that still has its second name, remove what is stale.

    Returns what was done, in words. Raises `StorageError`.
    """
    done = []
    try:
        for temp in path.parent.glob(f".{_escape(path.name)}.*.tmp"):
            temp.unlink()
            done.append(f"removed {temp.name}")
        for old in path.parent.glob(f".{_escape(path.name)}.*.{_OLD}"):
            if not old.samefile(path):
                done += _splice_old(path, old, disk)
            old.unlink()
    except OSError as error:
        raise StorageError(f"could not clear up after an interrupted prune of {path}: {error.strerror}") from error
    return done


def _splice_old(path: Path, old: Path, disk: Disk) -> list[str]:
    copied = old.name.split(".")[-3]
    data = old.read_bytes()[int(copied) :] if copied.isdigit() else b""
    live = path.read_bytes()
    missing = b"" if data in live else data[overlap(live, data) :]
    if missing:
        append_to(path, missing, disk)
        return [f"brought back {len(missing)} bytes that were appended to the old file"]
    return []


def _escape(name: str) -> str:
    return "".join(f"[{char}]" if char in "[*?" else char for char in name)
