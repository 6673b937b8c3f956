"""`wiki fold levels`: every fold by level, with its range, its children, and the fold that holds it."""

import msgspec

from lith.ops.runtime import Runtime
from lith.ops.wiki.place import VaultRequest, VaultResult, opened
from lith.wiki.fold.ledger import read_ledger
from lith.wiki.transaction import recover


class FoldLevelsRequest(VaultRequest, frozen=True, kw_only=True):
    """`level` keeps to one level."""

    level: int | None = None


class ListedFold(msgspec.Struct, frozen=True):
    """One fold: `ref` is its short name, `held_by` the higher fold that it is in, if any."""

    ref: str
    id: str
    level: int
    path: str
    first: str
    last: str
    entries: int
    children: int
    held_by: str | None


class FoldLevelsResult(VaultResult, frozen=True, kw_only=True):
    """The folds, the highest level first and the oldest range first within it; `depth` is the highest level in use."""

    depth: int
    items: list[ListedFold]
    total: int


def fold_levels(request: FoldLevelsRequest, runtime: Runtime) -> FoldLevelsResult:
    """The folds of a vault. Raises `VaultDamaged`."""
    with opened(request, runtime) as vault:
        recover(vault)
        ledger = read_ledger(vault)
    items = []
    for level in range(ledger.depth(), 0, -1):
        if request.level not in {None, level}:
            continue
        held = ledger.folded(level + 1)
        items += [
            ListedFold(
                f"f{fold.level}.{fold.ordinal}", fold.id, fold.level, fold.path, fold.first, fold.last, fold.entries,
                len(fold.children), held.get(fold.id),
            )
            for fold in ledger.at_level(level)
        ]  # fmt: skip
    return FoldLevelsResult(vault=str(vault.root), depth=ledger.depth(), items=items, total=len(items))
