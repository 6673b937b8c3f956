"""Receipts: what a prune shortened from what, kept beside the generations of the file; authoritative, and never changed.

`applying` writes one before it swaps the files; `undo`, `gate` and `holdings` read them. A receipt of a prune that never came to its end is
known by the live file, which does not begin with what the receipt says.
"""

import os
import sys
from pathlib import Path

import msgspec

from lith.archive import ArchiveDamaged, Disk, FileKey
from lith.archive.layout import RECEIPTS, check_inside, file_dir
from lith.archive.placing import give_name, temporary
from lith.kernel.files import storage_errors

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_LARGEST = 256 << 20


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """One prune: of what, into what.

    `generation` holds the first `size` bytes with digest `sha256` as they were; `pruned_size` and `pruned_sha256` are what took their
    place. `pairs` are (hash of the shortened record, hash of its original) as `kernel.ids.digest` in hex; `removed` counts records that
    went. `at` is in milliseconds.
    """

    format: int = 1
    number: int
    source: str
    session: str
    path: str
    generation: int
    size: int
    sha256: str
    pruned_size: int
    pruned_sha256: str
    mode: str
    rules: tuple[str, ...]
    removed: int
    at: int
    pairs: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> FileKey:
        """The file that was pruned."""
        return FileKey(self.source, self.session, self.path)


def load_receipts(root: Path, key: FileKey) -> list[Receipt]:
    """The receipts of a file, oldest first. Raises `ArchiveDamaged`, `ArchiveRefused`, `StorageError`."""
    folder = file_dir(root, key) / RECEIPTS
    check_inside(root, folder)
    with storage_errors(f"read {folder}"):
        return [read_receipt(path) for path in sorted(folder.glob("*.json.zst"))]


def find_receipts(root: Path) -> list[str]:
    """The path below the archive of every receipt in it. Raises `OSError`."""
    return sorted(path.relative_to(root).as_posix() for path in root.glob(f"*/*/*/{RECEIPTS}/*.json.zst"))


def read_receipt(path: Path) -> Receipt:
    """One receipt. Raises `ArchiveDamaged`, `OSError`."""
    try:
        data = zstd.ZstdDecompressor().decompress(path.read_bytes(), _LARGEST)
        return msgspec.json.decode(data, type=Receipt)
    except (zstd.ZstdError, msgspec.DecodeError) as error:
        raise ArchiveDamaged(f"the receipt {path} is unreadable: {error}") from error


def save_receipt(root: Path, receipt: Receipt, disk: Disk) -> Path:
    """Write a receipt under its number, which must be free; returns its path. Raises `OSError`."""
    folder = file_dir(root, receipt.key) / RECEIPTS
    check_inside(root, folder)
    if not folder.is_dir():
        disk.make_dir(folder)
        disk.sync_dir(folder.parent)
    target = folder / f"{receipt.number:06d}.json.zst"
    with temporary(target, disk) as (temp, handle):
        try:
            disk.write(handle, zstd.compress(msgspec.json.encode(receipt)))
            disk.fsync(handle)
        finally:
            os.close(handle)
        give_name(temp, target, disk)
        disk.sync_dir(folder)
    return target
