"""The prune itself: archive, index, gate, write, validate, receipt, swap, in this order and no other.

`ops` calls `apply_prune` with a plan and the ports. Whatever fails before the swap leaves the live file as it was; what fails in the swap
is taken back; what fails after it is a warning, because the pruned file is whole and the original is archived.
"""

import contextlib
import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from lith.archive import DISK, ArchiveItem, Disk, Generation, archive_file
from lith.archive.layout import safe_name
from lith.errors import LithError
from lith.keep.errors import CannotPrune, FileChanged, TornLine
from lith.keep.gate import pass_gate
from lith.keep.liveness import QUIET_MS, refuse_live
from lith.keep.outline import Outline, read_outline
from lith.keep.planning import PrunePlan, decide
from lith.keep.ports import LivePort, MapPort
from lith.keep.receipts import Receipt, load_receipts, save_receipt
from lith.keep.rewriting import Decisions, iter_rewritten
from lith.keep.swap import Swap, Swapped, Timing, open_swap, recover
from lith.keep.validation import validate
from lith.kernel import ids, locks
from lith.kernel.clock import Clock
from lith.kernel.files import is_within, make_private_dir, storage_errors

LOCKS = "locks"


class PruneResult(msgspec.Struct, frozen=True, kw_only=True):
    """What a prune did. `receipt` is what was written down, None where there was nothing to do and only the archive was brought up to date.

    `appended` are the bytes that arrived meanwhile and were kept, `records_proven` those that were read back from the archive.
    `warnings` say what could not be done after the file was in place.
    """

    receipt: Receipt | None
    size_before: int
    size_after: int
    appended: int
    records_proven: int
    warnings: tuple[str, ...] = ()


class House(msgspec.Struct, frozen=True, kw_only=True):
    """What a prune needs of the house: the archive's folder, the ports, clock, disk and patience.

    `roots` are the folders in which clients keep their sessions.
    """

    archive: Path
    roots: tuple[Path, ...]
    map: MapPort
    holders: LivePort
    clock: Clock
    disk: Disk = DISK
    timing: Timing = Timing()
    quiet_ms: int = QUIET_MS


def apply_prune(plan: PrunePlan, house: House) -> PruneResult:
    """Carry out a plan. Raises `CannotPrune`, `SessionLive`, `FileChanged`, `TornLine`, `GateRefused`, `InvalidPruned`, `StorageError`."""
    path = resolve_live(Path(plan.path), house.roots)
    with exclusive(house, plan.key.main_session), storage_errors(f"prune {path}"):
        recover(path, house.disk)
        refuse_live(path, plan.key.main_session, now=house.clock(), holders=house.holders, quiet_ms=house.quiet_ms)
        with path.open("rb") as live:
            outline = _take_snapshot(live, plan)
            generation = archive_snapshot(house, ArchiveItem(plan.key.source, plan.key.session, plan.key.path, path))
            house.map.index_generation(generation)
            proven = pass_gate(house.archive, live, outline.size, outline.sha256, generation, house.map)
            if not plan.changes:
                return PruneResult(receipt=None, size_before=plan.size, size_after=plan.size, appended=0, records_proven=proven)
            decisions = decide(outline, mode=plan.mode, switches=plan.switches, limit=plan.limit)
            receipt, swapped = _write(plan, path, live, outline, decisions, generation, house)
    warnings = settle(house, path, receipt)
    return PruneResult(
        receipt=receipt,
        size_before=outline.size + swapped.appended,
        size_after=swapped.size,
        appended=swapped.appended,
        records_proven=proven,
        warnings=warnings,
    )


def resolve_live(path: Path, roots: tuple[Path, ...]) -> Path:
    """The real path of a file that may be rewritten. Raises `CannotPrune`."""
    try:
        real = path.resolve(strict=True)
        status = real.stat()
    except OSError as error:
        raise CannotPrune(f"{path} cannot be reached: {error.strerror}") from error
    if not any(is_within(real, root) for root in roots):
        raise CannotPrune(f"{path} leads out of the folders of sessions", hint="name the folder with --root")
    if not stat.S_ISREG(status.st_mode):
        raise CannotPrune(f"{path} is not a regular file")
    if hasattr(os, "geteuid") and status.st_uid != os.geteuid():
        raise CannotPrune(f"{path} belongs to another user")
    if not status.st_mode & stat.S_IWUSR or not os.access(real, os.W_OK) or not os.access(real.parent, os.W_OK):
        raise CannotPrune(f"{path} may not be written")
    return real


@contextlib.contextmanager
def exclusive(house: House, session: str) -> Iterator[None]:
    """Be the only one who rewrites the session. Raises `Locked`."""
    make_private_dir(house.archive)
    lock = house.archive / LOCKS / f"{safe_name(session)}.lock"
    with locks.exclusive(lock, wait_seconds=0.0, now=house.clock()):
        yield


def archive_snapshot(house: House, item: ArchiveItem) -> Generation:
    """Archive a live file as it is, every byte compared. Raises `LithError`."""
    return archive_file(house.archive, item, clock=house.clock, disk=house.disk).generation


def settle(house: House, path: Path, receipt: Receipt | None) -> tuple[str, ...]:
    """Tell the map what happened; returns what went wrong with that, in words."""
    warnings = []
    try:
        if receipt is not None:
            house.map.note_receipt(receipt)
        house.map.resync(path)
    except (LithError, OSError) as error:
        warnings.append(f"the map could not be brought up to date: {error}; run a sync")
    return tuple(warnings)


def _take_snapshot(live: BinaryIO, plan: PrunePlan) -> Outline:
    """The rows of the file as the plan saw it. Raises `FileChanged`, `TornLine`."""
    status = os.fstat(live.fileno())
    outline = read_outline(live, status.st_size)
    same = (status.st_dev, status.st_ino, outline.size, outline.sha256) == (plan.dev, plan.inode, plan.size, plan.sha256)
    if not same:
        raise FileChanged(f"{plan.path} changed since the plan was made", hint="make the plan again")
    if outline.torn:
        raise TornLine(f"the last line of {plan.path} is half written", hint="let the client finish it, then try again")
    return outline


def _write(
    plan: PrunePlan, path: Path, live: BinaryIO, outline: Outline, decisions: Decisions, generation: Generation, house: House
) -> tuple[Receipt, Swapped]:
    """Write the pruned file, check it, write the receipt, and swap."""
    with open_swap(path, live.fileno(), house.disk, house.timing) as swap:
        size, sha256, pairs = _fill(swap, live, outline, decisions, house.disk)
        with swap.temp.open("rb") as pruned:
            validate(live, outline, pruned, decisions, size)
        receipt = Receipt(
            number=max((one.number for one in load_receipts(house.archive, plan.key)), default=0) + 1,
            source=plan.key.source,
            session=plan.key.session,
            path=plan.key.path,
            generation=generation.number,
            size=outline.size,
            sha256=outline.sha256,
            pruned_size=size,
            pruned_sha256=sha256,
            mode=plan.mode,
            rules=tuple(rule.name for rule in decisions.rules),
            removed=len(decisions.removed),
            at=house.clock(),
            pairs=pairs,
        )
        written = save_receipt(house.archive, receipt, house.disk)
        try:
            return receipt, swap.finish(outline.size)
        except BaseException:
            with contextlib.suppress(OSError):
                written.unlink()
            raise


def _fill(
    swap: Swap, live: BinaryIO, outline: Outline, decisions: Decisions, disk: Disk
) -> tuple[int, str, tuple[tuple[str, str], ...]]:
    """Write the pruned lines; returns their size, their digest, and the pairs for the receipt."""
    read, digest = hashlib.sha256(), hashlib.sha256()
    pairs = []
    size = 0
    waiting: list[bytes] = []
    held = 0
    for rewritten in iter_rewritten(live, outline, decisions):
        new = rewritten.new
        read.update(rewritten.data)
        if new is None:
            continue
        if new is not rewritten.data:
            pairs.append((ids.digest(new.strip()).hex(), ids.digest(rewritten.data.strip()).hex()))
        digest.update(new)
        size += len(new)
        waiting.append(new)
        held += len(new)
        if held >= 1 << 20:
            disk.write(swap.handle, b"".join(waiting))
            waiting, held = [], 0
    disk.write(swap.handle, b"".join(waiting))
    if read.hexdigest() != outline.sha256:
        raise FileChanged("the file changed while it was being read")
    return size, digest.hexdigest(), tuple(pairs)
