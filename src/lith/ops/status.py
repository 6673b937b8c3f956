"""`status`: what the map knows against what is on the disk, by `stat` alone, and what to run next.

The only operation that says fresh or stale, because it is the only one that looks. It reads no transcript and writes nothing.
"""

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from lith.errors import NoMap
from lith.ingest import RootSpec, take_inventory
from lith.kernel.clock import format_iso
from lith.ops.roots import plan_roots
from lith.ops.runtime import Runtime
from lith.sources.registry import SOURCES
from lith.store.map import copies, files, read
from lith.store.map.files import FileRow
from lith.store.map.narrow import Condition

if TYPE_CHECKING:
    import apsw

State = Literal["fresh", "stale", "missing", "absent"]
"""`missing`: there are sessions and they were never synced. `absent`: the folder is not there, so there is nothing to sync."""

SHOWN = 20


class StatusRequest(msgspec.Struct, frozen=True, kw_only=True):
    """`sources` narrows to these clients."""

    sources: tuple[str, ...] = ()


class RootStatus(msgspec.Struct, frozen=True, kw_only=True):
    """One folder of one client. `reason` says why it is not fresh; the counts are of transcripts on the disk, against the map."""

    source: str
    root: str
    state: State
    reason: str | None = None
    files: int = 0
    new: int = 0
    changed: int = 0
    vanished: int = 0


class FileNote(msgspec.Struct, frozen=True, kw_only=True):
    """A file that a person may want to look at, and why."""

    source: str
    path: str
    reason: str


class StatusResult(msgspec.Struct, frozen=True, kw_only=True):
    """The whole state. `gone_sessions` have lost their file; `notes` are cut at `SHOWN`, the counts are not."""

    state: State
    data_dir: str
    map_bytes: int | None = None
    projection: str | None = None
    last_sync: str | None = None
    roots: list[RootStatus]
    gone_sessions: int = 0
    pending_files: int = 0
    failed_files: int = 0
    damaged_files: int = 0
    yield_alarms: int = 0
    problems: int = 0
    notes: list[FileNote] = []
    unknown_types: dict[str, int] = {}
    next: list[list[str]] = []


def status(request: StatusRequest, runtime: Runtime) -> StatusResult:
    """Compare the map with the disk. Raises what reading the map raises, except that a map that is not there is an answer."""
    specs = plan_roots(runtime, request.sources)
    try:
        with runtime.reading() as connection:
            return _with_map(connection, specs, runtime)
    except NoMap:
        return _without_map(specs, runtime)


def _with_map(connection: "apsw.Connection", specs: tuple[RootSpec, ...], runtime: Runtime) -> StatusResult:
    names = {spec.source for spec in specs}
    known = {key: row for key, row in files.load_files(connection).items() if row.source in names}
    synced = {row.selector for row in files.load_coverage(connection)}
    roots = [_root_status(spec, known, synced) for spec in specs]
    state = _overall(roots)
    last_sync = files.get_meta(connection, "last_sync")
    alarms = [row for row in known.values() if row.expected and not copies.has_messages(connection, row.file_id)]
    return StatusResult(
        state=state,
        data_dir=str(runtime.data_dir),
        map_bytes=runtime.map_path.stat().st_size,
        projection=(files.get_meta(connection, "projection") or "").partition("/")[0] or None,
        last_sync=format_iso(int(last_sync)) if last_sync else None,
        roots=roots,
        gone_sessions=read.count_sessions(connection, Condition("s.state = ?", ("gone",))),
        yield_alarms=len(alarms),
        next=[runtime.argv("sync")] if state in {"stale", "missing"} else [],
        **_file_health(list(known.values()), alarms),
    )


def _without_map(specs: tuple[RootSpec, ...], runtime: Runtime) -> StatusResult:
    roots = [_root_status(spec, {}, set()) for spec in specs]
    state: State = "missing" if any(root.files for root in roots) else "absent"
    following = [runtime.argv("sync")] if state == "missing" else [runtime.argv("demo")]
    return StatusResult(state=state, data_dir=str(runtime.data_dir), roots=roots, next=following)


def _root_status(spec: RootSpec, known: dict[tuple[str, str, str], FileRow], synced: set[str]) -> RootStatus:
    inventory = take_inventory([spec], SOURCES, known)
    if not inventory.present_roots:
        why = "the folder is not there, or cannot be read" if spec.given else "no sessions of this client here"
        return RootStatus(source=spec.source, root=str(spec.path), state="absent", reason=why)
    root = inventory.present_roots[0].path
    new = sum(found.skip is None for found in inventory.new)
    changed = sum(found.skip is None for found, _ in inventory.changed)
    unchanged = sum(row.state != "skipped" for row in inventory.unchanged)
    vanished = len(inventory.vanished)
    parts = [f"{count} {word}" for count, word in ((new, "new"), (changed, "changed"), (vanished, "vanished")) if count]
    state: State = "stale" if parts else "fresh"
    reason = f"{' and '.join(parts)} since the last sync" if parts else None
    if f"{spec.source}:{root}" not in synced and not any(row.root == str(root) for row in inventory.unchanged):
        state, reason = ("missing", "never synced") if new else ("fresh", None)
    return RootStatus(
        source=spec.source,
        root=str(root),
        state=state,
        reason=reason,
        files=new + changed + unchanged,
        new=new,
        changed=changed,
        vanished=vanished,
    )


def _overall(roots: list[RootStatus]) -> State:
    states = {root.state for root in roots}
    if "stale" in states or {"fresh", "missing"} <= states:
        return "stale"
    order: tuple[State, ...] = ("missing", "fresh")
    return next((state for state in order if state in states), "absent")


def _file_health(rows: list[FileRow], alarms: list[FileRow]) -> dict[str, Any]:
    """The counts of files that are not quite well, and the first of them with the reason."""
    unknown: dict[str, int] = {}
    for row in rows:
        for name, count in row.unknown.items():
            unknown[name] = unknown.get(name, 0) + count
    notes = [
        FileNote(source=row.source, path=row.path, reason=row.reason or "could not be read")
        for row in rows
        if row.state == "failed"
    ]
    notes += [FileNote(source=row.source, path=row.path, reason="conversation in it, and no message found") for row in alarms]
    notes += [FileNote(source=row.source, path=row.path, reason=f"{row.damage} damaged places") for row in rows if row.damage]
    return {
        "pending_files": sum(row.pending > 0 for row in rows),
        "failed_files": sum(row.state == "failed" for row in rows),
        "damaged_files": sum(row.damage > 0 for row in rows),
        "problems": sum(row.problems for row in rows),
        "notes": notes[:SHOWN],
        "unknown_types": unknown,
    }
