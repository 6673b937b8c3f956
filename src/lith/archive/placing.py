"""Files that appear whole, under a name that was free.

`append`, `restore` and `keep` write through it: a temporary file beside the target, then its name. What fails leaves nothing behind.
"""

import contextlib
import errno
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

from lith.archive.disk import Disk

NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}
"""What a file system says that knows no second names."""


@contextlib.contextmanager
def temporary(target: Path, disk: Disk) -> Iterator[tuple[Path, int]]:
    """A new file beside `target` and its open descriptor, which the block closes; removed again if the block fails."""
    temp = target.with_name(f".{target.name}.{secrets.token_hex(6)}.tmp")
    handle = disk.create(temp)
    try:
        yield temp, handle
    except BaseException:
        with contextlib.suppress(OSError):
            temp.unlink()
        raise


def give_name(temp: Path, target: Path, disk: Disk) -> None:
    """Rename a file to a name that must be free. Raises `FileExistsError`."""
    try:
        disk.link(temp, target)
    except FileExistsError:
        raise
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
        if target.exists():  # the lock keeps other writers out
            raise FileExistsError(f"{target} exists") from error
        disk.replace(temp, target)
    else:
        disk.unlink(temp)


def drop_cache(path: Path) -> None:
    """Ask the system to forget a file that was flushed, so that reading it back reads the disk."""
    if hasattr(os, "posix_fadvise"):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
        finally:
            os.close(handle)
