"""`wiki address backfill`: `l-` addresses for the pages that are older than the vault's addresses; the plan first."""

from lith.ops.runtime import Runtime
from lith.ops.wiki.place import VaultRequest, VaultResult, command, opened
from lith.wiki import apply_backfill, plan_backfill
from lith.wiki.address import Assigned, Skipped


class AddressBackfillRequest(VaultRequest, frozen=True, kw_only=True):
    """`apply` writes what the plan says."""

    apply: bool = False


class AddressBackfillResult(VaultResult, frozen=True, kw_only=True):
    """Legacy pages in the order of their addresses, and those that cannot take one."""

    applied: bool
    items: list[Assigned]
    total: int
    skipped: list[Skipped]
    next: list[list[str]] | None = None


def address_backfill(request: AddressBackfillRequest, runtime: Runtime) -> AddressBackfillResult:
    """Plan a backfill, and write it if asked to. Raises `PlanStale`, `Locked`."""
    with opened(request, runtime) as vault:
        plan = plan_backfill(vault)
        done = apply_backfill(vault, plan, now=runtime.clock()) if request.apply else None
    items = plan.items if done is None else done.items
    return AddressBackfillResult(
        vault=str(vault.root),
        applied=done is not None,
        items=items,
        total=len(items),
        skipped=plan.skipped if done is None else done.skipped,
        next=[command(request, runtime, "address", "backfill", "--apply")] if items and done is None else None,
    )
