"""`wiki fold status`: what is folded, what waits, and which trigger would fire."""

from lith.ops.runtime import Runtime
from lith.ops.wiki.models import ModelChoice, find_model
from lith.ops.wiki.place import VaultRequest, VaultResult, command, opened
from lith.wiki import fold_status as measure
from lith.wiki.fold.plan import EXPONENT
from lith.wiki.fold.triggers import Level, Trigger


class FoldStatusRequest(VaultRequest, frozen=True, kw_only=True):
    """`exponent` gives the size of a batch, `model` what novelty is measured with."""

    exponent: int = EXPONENT
    model: ModelChoice = ModelChoice()


class FoldStatusResult(VaultResult, frozen=True, kw_only=True):
    """Entries of the log, levels, triggers, the number of folds, and folded entries that were edited or removed since."""

    entries: int
    levels: list[Level]
    triggers: list[Trigger]
    folds: int
    changed: list[str]
    next: list[list[str]] | None = None


def fold_status(request: FoldStatusRequest, runtime: Runtime) -> FoldStatusResult:
    """The state of a vault's folds. Raises `EmbedderFailed` where a model was asked for that cannot be had."""
    with opened(request, runtime) as vault:
        found = measure(
            vault,
            now=runtime.clock(),
            exponent=request.exponent,
            embedder=find_model(request.model),
        )
    fires = {trigger.name for trigger in found.triggers if trigger.fires}
    words = ["fold"] if fires <= {"batch"} else ["fold", "--all"]
    return FoldStatusResult(
        vault=str(vault.root),
        entries=found.entries,
        levels=found.levels,
        triggers=found.triggers,
        folds=len(found.folds),
        changed=found.changed,
        next=[command(request, runtime, *words)] if fires else None,
    )
