"""`wiki hot`: rebuild the page of what is hot from log and pages; the plan first."""

from lith.ops.runtime import Runtime
from lith.ops.wiki.place import VaultRequest, VaultResult, command, opened
from lith.wiki import apply_hot, plan_hot
from lith.wiki.transaction import digest_of


class HotRequest(VaultRequest, frozen=True, kw_only=True):
    """`apply` writes the page."""

    apply: bool = False


class HotResult(VaultResult, frozen=True, kw_only=True):
    """The page as it would be or is now; `changed` says whether it differs from what was there."""

    applied: bool
    changed: bool
    path: str
    words: int
    text: str
    next: list[list[str]] | None = None


def hot(request: HotRequest, runtime: Runtime) -> HotResult:
    """Rebuild the hot page. Raises `PlanStale`, `Locked`."""
    with opened(request, runtime) as vault:
        plan = plan_hot(vault)
        if request.apply:
            apply_hot(vault, plan, now=runtime.clock())
    changed = plan.before != digest_of(plan.text.encode())
    return HotResult(
        vault=str(vault.root),
        applied=request.apply,
        changed=changed,
        path=plan.path,
        words=plan.words,
        text=plan.text,
        next=[command(request, runtime, "hot", "--apply")] if changed and not request.apply else None,
    )
