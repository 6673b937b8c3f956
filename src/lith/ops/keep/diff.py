"""`diff`: what a prune or a rewrite cost, record by record, between two archived states of a session."""

import msgspec

from lith.archive import NotArchived
from lith.errors import UsageError
from lith.keep import diff_generations
from lith.keep.diff import RecordChange
from lith.ops.keep.targets import find_archived, main_file, resolve
from lith.ops.runtime import Runtime


class DiffRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Two `generations` of a session's transcript; none means the last two."""

    session: str
    generations: tuple[int, ...] = ()


class DiffResult(msgspec.Struct, frozen=True, kw_only=True):
    """The older and the newer state compared, record by record: `same`, `removed`, `added` and `changed` count records."""

    session_ref: str
    path: str
    old: int
    new: int
    bytes_before: int
    bytes_after: int
    same: int
    removed: int
    added: int
    changed: int
    items: list[RecordChange]
    total: int


def diff(request: DiffRequest, runtime: Runtime) -> DiffResult:
    """Compare. Raises `NotArchived`, `UsageError`, `ArchiveDamaged`, and what resolving the session raises."""
    session = resolve(runtime, request.session)
    own = main_file(find_archived(runtime, session), session)
    if len(request.generations) not in {0, 2}:
        raise UsageError("--generation takes two numbers, the older and the newer", hint="for example --generation 1 2")
    numbers = request.generations or tuple(one.number for one in own[-2:])
    by_number = {one.number: one for one in own}
    missing = [number for number in numbers if number not in by_number]
    if missing or len(numbers) < 2:
        what = f"no generation {missing[0]}" if missing else "only one state"
        raise NotArchived(
            f"the archive has {what} of {own[0].key.path}",
            hint="archive run takes in the present state; archive list names the states there are",
            next=[runtime.argv("archive", "run"), runtime.argv("archive", "list", session.ref)],
        )
    found = diff_generations(by_number[numbers[0]], by_number[numbers[1]])
    return DiffResult(
        session_ref=session.ref,
        path=found.path,
        old=found.old,
        new=found.new,
        bytes_before=found.bytes_before,
        bytes_after=found.bytes_after,
        same=found.same,
        removed=found.removed,
        added=found.added,
        changed=found.changed,
        items=list(found.changes),
        total=len(found.changes),
    )
