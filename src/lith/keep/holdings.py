"""What `archive gc` must know from prunes: which record stands for which, and which generations an undo still needs.

`ops` calls `plan_gc` and `apply_gc` here, not in the archive, so that no face can forget it.
"""

from pathlib import Path

from lith import archive
from lith.archive import DISK, Disk, FileKey, GcPlan, iter_generations
from lith.archive.gc import Removal
from lith.keep.gate import find_originals
from lith.keep.receipts import load_receipts
from lith.kernel.clock import Clock

Holdings = tuple[dict[bytes, bytes], set[tuple[FileKey, int]]]


def find_holdings(root: Path, source: str | None = None, session: str | None = None) -> Holdings:
    """Pruned hash to original hash, and the generations that the last prune of each file replaced. Raises `LithError`."""
    originals: dict[bytes, bytes] = {}
    protected: set[tuple[FileKey, int]] = set()
    files = {generation.folder.parent: generation for generation in iter_generations(root, source, session)}
    for generation in files.values():
        receipts = load_receipts(root, generation.key)
        if receipts:
            originals.update(find_originals(root, generation))
            protected.add((generation.key, receipts[-1].generation))
    return originals, protected


def plan_gc(root: Path, *, source: str | None = None, session: str | None = None) -> GcPlan:
    """Which generations may go. Raises `LithError`."""
    originals, protected = find_holdings(root, source, session)
    return archive.plan_gc(root, source=source, session=session, originals=originals, protected=protected)


def apply_gc(root: Path, plan: GcPlan, *, clock: Clock, disk: Disk = DISK) -> list[Removal]:
    """Remove what a plan says, as far as it is still true. Raises `LithError`."""
    originals, protected = find_holdings(root)
    return archive.apply_gc(root, plan, clock=clock, originals=originals, protected=protected, disk=disk)
