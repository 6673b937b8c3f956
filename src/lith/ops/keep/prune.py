"""`prune`: make a live session smaller without losing a byte of it; the itemised plan first."""

import msgspec

from lith.errors import UsageError
from lith.keep import RULES, apply_prune, plan_prune, write_handoff
from lith.keep.cache import CacheNote
from lith.keep.planning import KindCount, RuleCount
from lith.ops.keep.ports import build_house
from lith.ops.keep.targets import find_live
from lith.ops.runtime import Runtime
from lith.records.address import session_ref


class PruneRequest(msgspec.Struct, frozen=True, kw_only=True):
    """`target` is the address of a session or the path of its live file; `rules` are `NAME=on` or `NAME=off`.

    Without `apply` nothing is changed.
    """

    target: str
    mode: str = "resume"
    rules: tuple[str, ...] = ()
    apply: bool = False


class PruneAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The plan, and with `applied` what became of it.

    `records` counts lines, of which `removed` go and `shortened` become shorter; all of these stay `recallable` from the archive. `proven`
    records were read back from the archive before the change, `appended` bytes arrived meanwhile and were kept. In mode `handoff` nothing
    is planned, and `document` is the summary for a fresh session.
    """

    session_ref: str
    path: str
    mode: str
    bytes_before: int
    bytes_after: int
    records: int = 0
    removed: int = 0
    shortened: int = 0
    recallable: int = 0
    rules: tuple[RuleCount, ...] = ()
    kinds: tuple[KindCount, ...] = ()
    cache: CacheNote | None = None
    sha256: str | None = None
    applied: bool = False
    generation: int | None = None
    proven: int | None = None
    appended: int | None = None
    document: str | None = None
    warnings: list[str] = msgspec.field(default_factory=list)
    next: list[list[str]] = msgspec.field(default_factory=list)


def prune(request: PruneRequest, runtime: Runtime) -> PruneAnswer:
    """Plan, and with `apply` prune.

    Raises `CannotPrune`, `SessionLive`, `TornLine`, `FileChanged`, `GateRefused`, `InvalidPruned`, `UsageError`, and what finding the
    session raises.
    """
    live = find_live(runtime, request.target)
    ref = session_ref(live.key.source, live.key.session)
    switches = dict(_switch(word) for word in request.rules)
    if request.mode == "handoff":
        if request.apply or switches:
            raise UsageError("mode handoff changes nothing; it takes neither --apply nor --rule")
        size = live.path.stat().st_size
        document = write_handoff(live.key, live.path)
        return PruneAnswer(
            session_ref=ref, path=str(live.path), mode="handoff", bytes_before=size, bytes_after=size, document=document
        )
    plan = plan_prune(live.key, live.path, now=runtime.clock(), mode=request.mode, switches=switches)
    answer = PruneAnswer(
        session_ref=ref,
        path=plan.path,
        mode=plan.mode,
        bytes_before=plan.bytes_before,
        bytes_after=plan.bytes_after,
        records=plan.records,
        removed=plan.removed,
        shortened=plan.shortened,
        recallable=plan.recallable,
        rules=plan.rules,
        kinds=plan.kinds,
        cache=plan.cache,
        sha256=plan.sha256,
    )
    if not request.apply:
        words = ["prune", request.target, "--mode", request.mode, *(word for rule in request.rules for word in ("--rule", rule))]
        return msgspec.structs.replace(answer, next=[runtime.argv(*words, "--apply")] if plan.changes else [])
    result = apply_prune(plan, build_house(runtime))
    return msgspec.structs.replace(
        answer,
        applied=True,
        generation=result.receipt.generation if result.receipt else None,
        bytes_before=result.size_before,
        bytes_after=result.size_after,
        proven=result.records_proven,
        appended=result.appended,
        warnings=list(result.warnings),
        next=[runtime.argv("restore", request.target, "--undo", "--apply")] if result.receipt else [],
    )


def _switch(word: str) -> tuple[str, bool]:
    name, equals, value = word.partition("=")
    if name not in RULES:
        raise UsageError(f"--rule: there is no rule {name!r}", hint=f"the rules are {', '.join(RULES)}")
    if not equals or value not in {"on", "off"}:
        raise UsageError(f"--rule: {word!r} must be {name}=on or {name}=off")
    return name, value == "on"
