"""`restore`: give a session back as it was, somewhere else or in place of what a prune left."""

from pathlib import Path

import msgspec

from lith.archive import Generation, NotArchived, Restored, restore_session, restore_to
from lith.archive.restore import newest
from lith.errors import UsageError
from lith.keep import apply_undo, plan_undo
from lith.ops.keep.ports import build_house
from lith.ops.keep.targets import find_archived, find_live, main_file, resolve
from lith.ops.runtime import Runtime


class RestoreRequest(msgspec.Struct, frozen=True, kw_only=True):
    """`session` is an address (with `undo` also the path of a live file), `output` where to write, `generation` which state.

    `undo` takes the last prune of the live file back instead. `apply` writes over a file that is there.
    """

    session: str
    output: str | None = None
    generation: int | None = None
    undo: bool = False
    apply: bool = False


class RestoredFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file that was written, or would be."""

    path: str
    source_path: str
    generation: int
    length: int
    sha256: str | None = None


class RestoreResult(msgspec.Struct, frozen=True, kw_only=True):
    """What was written. Of an undo: `size_before`, `size_after`, and `tail`, the bytes kept that were written since the prune."""

    applied: bool
    items: list[RestoredFile] = msgspec.field(default_factory=list)
    undone: bool = False
    size_before: int | None = None
    size_after: int | None = None
    tail: int | None = None
    warnings: list[str] = msgspec.field(default_factory=list)
    next: list[list[str]] = msgspec.field(default_factory=list)


def restore(request: RestoreRequest, runtime: Runtime) -> RestoreResult:
    """Restore. Raises `NotArchived`, `ArchiveDamaged`, `ArchiveRefused`, `UndoRefused`, `SessionLive` and what resolving raises."""
    if request.undo:
        if request.output is not None or request.generation is not None:
            raise UsageError("--undo puts the original back in its own place; it takes neither -o nor --generation")
        return _undo(request, runtime)
    if request.output is None:
        raise UsageError("restore needs a place to write to", hint="name it with -o, or take the last prune back with --undo")
    session = resolve(runtime, request.session)
    generations = find_archived(runtime, session)
    target = runtime.path(request.output)
    paths = {one.key.path for one in generations}
    if len(paths) > 1 and request.generation is None:
        if "/" in session.native_id:
            generations = main_file(generations, session)
        else:
            restored = restore_session(runtime.archive_dir, session.source, session.native_id, target)
            return RestoreResult(applied=True, items=[_file(one) for one in restored])
    chosen = _choose(main_file(generations, session), request.generation)
    if target.is_dir():
        target /= Path(chosen.key.path).name
    if target.is_file() and not request.apply:
        words = ["restore", request.session, "-o", request.output, "--apply"]
        words += [] if request.generation is None else ["--generation", str(request.generation)]
        planned = RestoredFile(path=str(target), source_path=chosen.key.path, generation=chosen.number, length=chosen.length)
        return RestoreResult(applied=False, items=[planned], next=[runtime.argv(*words)])
    return RestoreResult(applied=True, items=[_file(restore_to(chosen, target, overwrite=request.apply))])


def _choose(generations: list[Generation], number: int | None) -> Generation:
    if number is None:
        return newest(generations)
    for one in generations:
        if one.number == number:
            return one
    raise NotArchived(
        f"there is no generation {number} of {generations[0].key.path}",
        hint=f"there are {', '.join(str(one.number) for one in generations)}",
    )


def _undo(request: RestoreRequest, runtime: Runtime) -> RestoreResult:
    live = find_live(runtime, request.session)
    plan = plan_undo(live.key, live.path, runtime.archive_dir)
    item = RestoredFile(
        path=str(live.path),
        source_path=live.key.path,
        generation=plan.receipt.generation,
        length=plan.receipt.size + plan.tail,
        sha256=plan.receipt.sha256,
    )
    if not request.apply:
        return RestoreResult(
            applied=False,
            items=[item],
            undone=True,
            size_before=plan.size,
            size_after=item.length,
            tail=plan.tail,
            next=[runtime.argv("restore", request.session, "--undo", "--apply")],
        )
    result = apply_undo(plan, build_house(runtime))
    return RestoreResult(
        applied=True,
        items=[item],
        undone=True,
        size_before=result.size_before,
        size_after=result.size_after,
        tail=result.tail,
        warnings=list(result.warnings),
    )


def _file(one: Restored) -> RestoredFile:
    return RestoredFile(path=one.path, source_path=one.key.path, generation=one.generation, length=one.length, sha256=one.sha256)
