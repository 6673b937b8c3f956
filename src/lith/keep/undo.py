"""Undo of the last prune: the archived original in front, what was written since behind it.

`ops` calls it for `restore --undo`. The present bytes are archived first, so that an undo loses nothing either.
"""

import hashlib
import os
from pathlib import Path

import msgspec

from lith.archive import ArchiveItem, Disk, FileKey, get_generation
from lith.archive.proof import pread
from lith.archive.reader import iter_pieces
from lith.errors import LithError
from lith.keep.applying import House, archive_snapshot, exclusive, resolve_live, settle
from lith.keep.errors import FileChanged, TornLine, UndoRefused
from lith.keep.gate import pass_gate
from lith.keep.liveness import refuse_live
from lith.keep.outline import is_whole
from lith.keep.receipts import Receipt, load_receipts
from lith.keep.swap import Swap, open_swap, recover
from lith.kernel.files import storage_errors

_PIECE = 1 << 20


class UndoPlan(msgspec.Struct, frozen=True):
    """What an undo would put back: the original of `receipt`, and `tail` bytes that were written since. `size` is the present one."""

    key: FileKey
    path: str
    receipt: Receipt
    size: int
    tail: int


class UndoResult(msgspec.Struct, frozen=True):
    """What an undo did."""

    size_before: int
    size_after: int
    tail: int
    warnings: tuple[str, ...] = ()


def plan_undo(key: FileKey, path: Path, archive: Path) -> UndoPlan:
    """Find the prune that the live file still begins with. Raises `UndoRefused`, saying why there is none, and `StorageError`."""
    receipts = load_receipts(archive, key)
    if not receipts:
        raise UndoRefused(f"{path} was never pruned by lith, or its receipts are elsewhere")
    with storage_errors(f"read {path}"), path.open("rb") as live:
        size = os.fstat(live.fileno()).st_size
        for receipt in reversed(receipts):
            if size >= receipt.pruned_size and _digest(live.fileno(), receipt.pruned_size) == receipt.pruned_sha256:
                return UndoPlan(key, str(path), receipt, size, size - receipt.pruned_size)
        last = receipts[-1]
        if size >= last.size and _digest(live.fileno(), last.size) == last.sha256:
            raise UndoRefused(f"{path} holds its original already")
    raise UndoRefused(
        f"{path} was rewritten after it was pruned, so its tail cannot be told from the rest",
        hint="restore a generation to another place with -o",
    )


def apply_undo(plan: UndoPlan, house: House) -> UndoResult:
    """Put the original back. Raises what `apply_prune` raises, and `ArchiveDamaged` where the original cannot be read."""
    path = resolve_live(Path(plan.path), house.roots)
    with exclusive(house, plan.key.main_session), storage_errors(f"undo the prune of {path}"):
        recover(path, house.disk)
        refuse_live(path, plan.key.main_session, now=house.clock(), holders=house.holders, quiet_ms=house.quiet_ms)
        with path.open("rb") as live:
            size = os.fstat(live.fileno()).st_size
            receipt = plan.receipt
            if size != plan.size or _digest(live.fileno(), receipt.pruned_size) != receipt.pruned_sha256:
                raise FileChanged(f"{path} changed since the plan was made", hint="make the plan again")
            present = archive_snapshot(house, ArchiveItem(plan.key.source, plan.key.session, plan.key.path, path))
            house.map.index_generation(present)
            pass_gate(house.archive, live, size, _digest(live.fileno(), size), present, house.map)
            with open_swap(path, live.fileno(), house.disk, house.timing) as swap:
                _fill(swap, receipt, house.archive, house.disk)
                tail = pread(live.fileno(), size - receipt.pruned_size, receipt.pruned_size)
                last = tail[tail.rfind(b"\n") + 1 :]
                if last.strip() and not is_whole(last):
                    raise TornLine(f"the last line of {path} is half written", hint="let the client finish it, then try again")
                house.disk.write(swap.handle, tail)
                swapped = swap.finish(size)
    return UndoResult(size, swapped.size, len(tail) + swapped.appended, settle(house, path, None))


def _fill(swap: Swap, receipt: Receipt, archive: Path, disk: Disk) -> None:
    """Write the original, checked against the receipt. Raises `UndoRefused`, `ArchiveDamaged`."""
    digest = hashlib.sha256()
    try:
        generation = get_generation(archive, receipt.key, receipt.generation)
    except LithError as error:
        raise UndoRefused(f"the original is not in the archive any more: {error.message}") from error
    for piece in iter_pieces(generation, end=receipt.size):
        digest.update(piece)
        disk.write(swap.handle, piece)
    if digest.hexdigest() != receipt.sha256:
        raise UndoRefused("the archived original is not what the receipt says")


def _digest(handle: int, size: int) -> str:
    digest = hashlib.sha256()
    at = 0
    while at < size and (piece := pread(handle, min(_PIECE, size - at), at)):
        digest.update(piece)
        at += len(piece)
    return digest.hexdigest()
