"""Files that are written whole or not at all, and readable by their owner only.

Any room may call it. It never follows a symlink out of where it was told to work, and it never leaves a temporary file behind
after an error.
"""

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from lith.errors import StorageError

DIR_MODE = 0o700
FILE_MODE = 0o600


@contextlib.contextmanager
def storage_errors(what: str) -> Iterator[None]:
    """Turn an `OSError` into a `StorageError` that says what lith was doing."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise StorageError(f"could not {what}: {reason}", hint="check free space and permissions, then run it again") from error


def make_private_dir(path: Path) -> None:
    """Create a directory (and its parents) for its owner only; an existing one keeps its mode."""
    with storage_errors(f"create the directory {path}"):
        missing = [folder for folder in (path, *path.parents) if not folder.exists()]
        for folder in reversed(missing):
            folder.mkdir(mode=DIR_MODE, exist_ok=True)
        if not missing and not path.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))


def sync_dir(path: Path) -> None:
    """Flush a directory, so that a rename in it survives a power cut. A no-op where the system cannot."""
    if os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def replacing(path: Path, *, mode: int = FILE_MODE) -> Iterator[BinaryIO]:
    """A file to write that takes the place of `path` when the block ends well, and vanishes when it does not.

    The bytes are flushed before the rename and the directory after it. Raises `StorageError`.
    """
    temp = path.with_name(f".{path.name}.{os.urandom(6).hex()}.tmp")
    with storage_errors(f"write {path}"):
        handle = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), mode)
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            temp.replace(path)
            sync_dir(path.parent)
        except BaseException:
            with contextlib.suppress(OSError):
                temp.unlink()
            raise


def write_atomic(path: Path, data: bytes, *, mode: int = FILE_MODE) -> None:
    """Write `data` to `path`, whole or not at all. Raises `StorageError`."""
    with replacing(path, mode=mode) as file:
        file.write(data)


def is_within(path: Path, root: Path) -> bool:
    """Whether `path`, with every symlink resolved, lies in `root` (likewise resolved)."""
    try:
        return path.resolve(strict=False).is_relative_to(root.resolve(strict=False))
    except (OSError, RuntimeError):
        return False
