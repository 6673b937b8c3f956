"""Reading an archived generation as one reads a file: the other opener of `project`.

A damaged generation is an `OSError`, so that it fails as an unreadable file does and stops no other.
"""

import io
from pathlib import Path
from typing import BinaryIO, cast

from lith.archive import GenerationReader, load_generation
from lith.errors import LithError
from lith.kernel.zstd import SUFFIXES, ZstdReader


def open_archived(folder: Path, *, whatever: bool = False) -> BinaryIO | ZstdReader:
    """The bytes of the generation in a folder, decompressed where the file was compressed.

    With `whatever` also those of one that is damaged elsewhere. Raises `OSError`, also for what is damaged.
    """
    root = folder.parents[3]
    try:
        generation = load_generation(root, folder.relative_to(root).as_posix())
        raw = cast("BinaryIO", _Archived(GenerationReader(generation, whatever=whatever)))
    except LithError as error:
        raise OSError(error.message) from error
    return ZstdReader(raw) if generation.key.path.endswith(SUFFIXES) else raw


class _Archived(io.BufferedIOBase):
    """A generation whose damage is an `OSError`, as that of any file."""

    def __init__(self, inner: io.BufferedIOBase) -> None:
        self._inner = inner

    def read(self, size: int | None = -1, /) -> bytes:
        try:
            return self._inner.read(size)
        except LithError as error:
            raise OSError(error.message) from error

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        return self._inner.seek(offset, whence)

    def tell(self) -> int:
        return self._inner.tell()

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def close(self) -> None:
        self._inner.close()
        super().close()
