"""`wiki fold run`: summarise batches of log entries in fold pages; the plan first."""

import msgspec

from lith.ops.runtime import Runtime
from lith.ops.wiki.place import VaultRequest, VaultResult, command, opened
from lith.wiki import apply_fold, plan_fold
from lith.wiki.fold.plan import EXPONENT


class FoldRunRequest(VaultRequest, frozen=True, kw_only=True):
    """Folds of 2**exponent items; `everything` folds the remainders too, `show` gives the pages' text, `git` commits what is written."""

    exponent: int = EXPONENT
    everything: bool = False
    show: bool = False
    apply: bool = False
    git: bool = False


class PlannedFold(msgspec.Struct, frozen=True):
    """A fold page: its range of days, how many log entries it stands for, how many children it has, and its text where asked for."""

    id: str
    level: int
    path: str
    first: str
    last: str
    entries: int
    children: int
    text: str | None = None


class FoldRunResult(VaultResult, frozen=True, kw_only=True):
    """The folds; `unfolded` is what stays, by level. Once applied: the files that were written and, with git, the commit."""

    applied: bool
    items: list[PlannedFold]
    total: int
    unfolded: dict[int, int]
    exponent: int
    paths: list[str] | None = None
    commit: str | None = None
    warning: str | None = None
    next: list[list[str]] | None = None


def fold_run(request: FoldRunRequest, runtime: Runtime) -> FoldRunResult:
    """Plan a fold run, and write it if asked to. Raises `UsageError`, `FoldUnsound`, `PlanStale`."""
    with opened(request, runtime) as vault:
        plan = plan_fold(vault, exponent=request.exponent, everything=request.everything)
        items = [
            PlannedFold(
                fold.id,
                fold.level,
                fold.path,
                fold.first,
                fold.last,
                fold.entries,
                len(fold.children),
                fold.text if request.show else None,
            )
            for fold in plan.folds
        ]
        written = apply_fold(vault, plan, now=runtime.clock(), git=request.git) if request.apply else None
    options = [
        *(["--all"] if request.everything else []),
        *([] if request.exponent == EXPONENT else ["-k", str(request.exponent)]),
    ]
    following = [command(request, runtime, "fold", *options, "--apply")] if items and written is None else []
    uncommitted = request.git and written is not None and written.paths and written.commit is None
    return FoldRunResult(
        vault=str(vault.root),
        applied=written is not None,
        items=items,
        total=len(items),
        unfolded=plan.unfolded,
        exponent=plan.exponent,
        paths=None if written is None else written.paths,
        commit=None if written is None else written.commit,
        warning="git did not take the files: no repository, ignored files, or a hook refused" if uncommitted else None,
        next=following or None,
    )
