"""`wiki fold undo`: take folds back, with their index lines and log entries; the plan first."""

import msgspec

from lith.ops.runtime import Runtime
from lith.ops.wiki.place import VaultRequest, VaultResult, command, opened
from lith.wiki import apply_undo, plan_undo


class FoldUndoRequest(VaultRequest, frozen=True, kw_only=True):
    """Folds by id, by `f1.2`, or by a unique beginning; or `everything`."""

    folds: tuple[str, ...] = ()
    everything: bool = False
    apply: bool = False


class UndoneFold(msgspec.Struct, frozen=True):
    """A fold and its page."""

    id: str
    path: str


class FoldUndoResult(VaultResult, frozen=True, kw_only=True):
    """The folds to remove, highest level first; once applied, every file that was changed or removed."""

    applied: bool
    items: list[UndoneFold]
    total: int
    paths: list[str] | None = None
    next: list[list[str]] | None = None


def fold_undo(request: FoldUndoRequest, runtime: Runtime) -> FoldUndoResult:
    """Plan an undo, and do it if asked to. Raises `UsageError`, `FoldInUse`, `PlanStale`."""
    with opened(request, runtime) as vault:
        plan = plan_undo(vault, request.folds, everything=request.everything)
        written = apply_undo(vault, plan, now=runtime.clock()) if request.apply else None
    items = [UndoneFold(id, path) for id, path in zip(plan.folds, plan.paths, strict=True)]
    which = ["--all"] if request.everything else list(request.folds)
    return FoldUndoResult(
        vault=str(vault.root),
        applied=written is not None,
        items=items,
        total=len(items),
        paths=None if written is None else written.paths,
        next=[command(request, runtime, "fold", "undo", *which, "--apply")] if items and written is None else None,
    )
