"""`archive gc`: remove archived states whose every record is held elsewhere in the archive; the plan first."""

import msgspec

from lith.archive import GcPlan
from lith.keep import apply_gc, plan_gc
from lith.ops.keep.ports import take_in
from lith.ops.keep.targets import resolve
from lith.ops.runtime import Runtime
from lith.records.address import session_ref


class ArchiveGcRequest(msgspec.Struct, frozen=True, kw_only=True):
    """All of the archive, or one session of it; without `apply` nothing is removed."""

    session: str | None = None
    apply: bool = False


class Removable(msgspec.Struct, frozen=True, kw_only=True):
    """A generation that may go, or went."""

    session_ref: str
    path: str
    generation: int
    length: int
    stored: int


class ArchiveGcResult(msgspec.Struct, frozen=True, kw_only=True):
    """What may go, or with `applied` went; `freed` are bytes on the disk, `kept` counts generations that stay."""

    items: list[Removable]
    total: int
    freed: int
    kept: int
    applied: bool
    next: list[list[str]]


def archive_gc(request: ArchiveGcRequest, runtime: Runtime) -> ArchiveGcResult:
    """Plan, and with `apply` remove. Raises `Locked`, `StorageError`, `ArchiveDamaged`, `SessionNotFound`."""
    session = None if request.session is None else resolve(runtime, request.session)
    plan = plan_gc(
        runtime.archive_dir,
        source=session.source if session else None,
        session=session.native_id.partition("/")[0] if session else None,
    )
    removals = plan.removals
    if request.apply and removals:
        removals = tuple(apply_gc(runtime.archive_dir, plan, clock=runtime.clock))
        take_in(runtime)
    words = ("archive", "gc", *((request.session,) if request.session else ()), "--apply")
    return ArchiveGcResult(
        items=[
            Removable(
                session_ref=session_ref(one.key.source, one.key.session),
                path=one.key.path,
                generation=one.generation,
                length=one.length,
                stored=one.stored,
            )
            for one in removals
        ],
        total=len(removals),
        freed=sum(one.stored for one in removals),
        kept=plan.kept + _stayed(plan, len(removals)),
        applied=request.apply,
        next=[] if request.apply or not removals else [runtime.argv(*words)],
    )


def _stayed(plan: GcPlan, removed: int) -> int:
    """Generations that the plan would have removed and that are needed by now."""
    return len(plan.removals) - removed
