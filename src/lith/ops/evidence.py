"""Bytes of records from raw files, checked before they are used: what `block` and `thread` read.

A file is not trusted because of its name, size or time: the bytes must have the hash that the map has. So a session that only grew still
gives its records. No symlink is followed out of a synced folder.
"""

import io
import stat
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Protocol, Self

from lith.kernel import ids
from lith.kernel.files import is_within
from lith.kernel.zstd import ZstdReader, open_decompressed


class Located(Protocol):
    """Where a record's bytes should be, and what they and their file were when they were read."""

    @property
    def offset(self) -> int: ...
    @property
    def length(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def mtime_ns(self) -> int: ...


class Unfit(Exception):
    """Why bytes cannot be used."""


class CheckedReader:
    """Reads records out of raw files below the synced folders, or out of archived generations, whose path is a folder.

    One file stays open, so that records in file order cost one pass.
    """

    def __init__(self, roots: Sequence[Path], archive: Path | None = None) -> None:
        self._roots = roots
        self._archive = archive
        self._path: Path | None = None
        self._file: BinaryIO | io.BufferedReader | ZstdReader | None = None
        self._status = (0, 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file that is open."""
        if self._file is not None:
            self._file.close()
        self._file = self._path = None

    def read(self, path: Path, place: Located, digest: bytes) -> bytes:
        """The bytes at a place, if they have the digest that the map has: then they are the record, whatever else became of the file.

        Raises `Unfit`.
        """
        try:
            file = self._open(path)
            file.seek(place.offset)
            data = file.read(place.length)
        except OSError as error:
            raise Unfit(error.strerror or str(error)) from error
        if ids.digest(data) == digest:
            return data
        same = self._status == (place.size, place.mtime_ns)
        raise Unfit(
            "other bytes are there, though size and time are the same" if same else "the file changed after the last sync"
        )

    def _open(self, path: Path) -> "BinaryIO | io.BufferedReader | ZstdReader":
        if path == self._path and self._file is not None:
            return self._file
        self.close()
        status = path.stat()
        if self._archive is not None and stat.S_ISDIR(status.st_mode) and is_within(path, self._archive):
            from lith.ingest.archived import open_archived  # noqa: PLC0415 -- few records live in the archive alone

            self._file = open_archived(path, whatever=True)
            self._path = path
            return self._file
        if not any(is_within(path, root) for root in self._roots):
            raise Unfit("it leads out of the folders that were synced")
        if not stat.S_ISREG(status.st_mode):
            raise Unfit("it is not a regular file")
        self._status = (status.st_size, status.st_mtime_ns)
        self._file = open_decompressed(path)
        self._path = path
        return self._file
