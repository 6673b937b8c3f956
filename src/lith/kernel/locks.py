"""The lock that makes a writer the only one, and says who holds it.

Writers call it; readers never do. The lock is the operating system's (released when its holder dies, even by kill -9); the file
beside it, with pid and start time, only tells a person who holds it.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from lith.errors import Locked
from lith.kernel.files import make_private_dir, storage_errors


@contextlib.contextmanager
def exclusive(path: Path, *, wait_seconds: float, now: int) -> Iterator[None]:
    """Hold the lock file `path` for the block. Raises `Locked`, naming the holder, when it is not free in time."""
    make_private_dir(path.parent)
    lock = FileLock(str(path), mode=0o600)
    owner = path.with_suffix(".owner")
    with storage_errors(f"take the lock {path}"):
        try:
            lock.acquire(timeout=wait_seconds, poll_interval=0.05)
        except Timeout as error:
            raise Locked(
                f"another lith process is writing ({_read_owner(owner)})", hint="wait until it has finished, then run it again"
            ) from error
    try:
        with storage_errors(f"write {owner}"):
            owner.write_text(f"pid {os.getpid()}, since {now}\n", encoding="utf-8")
            owner.chmod(0o600)
        yield
    finally:
        with contextlib.suppress(OSError):
            owner.unlink()
        lock.release()


def _read_owner(owner: Path) -> str:
    try:
        return owner.read_text(encoding="utf-8").strip() or "owner unknown"
    except OSError:
        return "owner unknown"
