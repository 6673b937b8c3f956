"""One prune or undo on a disk that fails or dies at its n-th change: `python -m tests.keep.faults BASE WHAT MODE N`."""

import sys
from pathlib import Path

from tests.archive.faults import FaultyDisk
from tests.keep.world import KEY, NOW, build_house

from lith.errors import LithError
from lith.keep import apply_prune, apply_undo, plan_prune, plan_undo


def act(base: Path, what: str, disk: FaultyDisk) -> None:
    """Prune the live file below `base`, or undo it."""
    house = build_house(base, disk)
    live = base / "projects" / KEY.path
    if what == "prune":
        apply_prune(plan_prune(KEY, live, now=NOW), house)
    else:
        apply_undo(plan_undo(KEY, live, house.archive), house)


def main() -> int:
    base, what, mode, at = sys.argv[1:]
    disk = FaultyDisk(mode, int(at))
    try:
        act(Path(base), what, disk)
    except LithError as error:
        sys.stdout.write(f"{error.code}\n")
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
