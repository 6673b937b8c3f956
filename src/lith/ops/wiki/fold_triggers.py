"""`wiki fold triggers`: what would make a fold due, measured, with its limit and the reason."""

from lith.ops.runtime import Runtime
from lith.ops.wiki.fold_status import FoldStatusRequest, fold_status
from lith.ops.wiki.place import VaultResult
from lith.wiki.fold.triggers import Trigger


class FoldTriggersRequest(FoldStatusRequest, frozen=True, kw_only=True):
    """As for the status."""


class FoldTriggersResult(VaultResult, frozen=True, kw_only=True):
    """Every trigger; `fires` says whether one of them would."""

    fires: bool
    items: list[Trigger]
    total: int
    next: list[list[str]] | None = None


def fold_triggers(request: FoldTriggersRequest, runtime: Runtime) -> FoldTriggersResult:
    """The triggers of a vault. Raises `EmbedderFailed` where a model was asked for that cannot be had."""
    found = fold_status(request, runtime)
    fires = any(trigger.fires for trigger in found.triggers)
    return FoldTriggersResult(vault=found.vault, fires=fires, items=found.triggers, total=len(found.triggers), next=found.next)
