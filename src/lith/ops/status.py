"""`status`: what the map knows against what is on the disk, by `stat` alone, and what to run next.

The only operation that says fresh or stale, because it is the only one that looks. It reads no transcript and writes nothing.
"""

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from lith.errors import NoMap
from lith.ingest import RootSpec, take_inventory
from lith.kernel.clock import format_iso
from lith.ops.health import FileNote, check_files, count_reasons, find_skipped
from lith.ops.roots import plan_roots
from lith.ops.runtime import Runtime
from lith.sources.registry import SOURCES
from lith.store.map import copies, files, read
from lith.store.map.files import FileRow
from lith.store.map.narrow import Condition

if TYPE_CHECKING:
    import apsw

State = Literal["fresh", "degraded", "stale", "missing", "absent"]
"""`degraded`, of the whole only: the map is up to date with what could be read, and `warnings` say what is amiss. `missing`: there are
sessions and they were never synced. `absent`: the folder is not there, so there is nothing to sync."""


class StatusRequest(msgspec.Struct, frozen=True, kw_only=True):
    """`sources` narrows to these clients."""

    sources: tuple[str, ...] = ()


class RootStatus(msgspec.Struct, frozen=True, kw_only=True):
    """One folder of one client.

    `given` is true where a setting or an option names it. `reason` says why it is not fresh; the counts are of transcripts on the disk,
    against the map.
    """

    source: str
    root: str
    state: State
    given: bool = False
    reason: str | None = None
    files: int = 0
    new: int = 0
    changed: int = 0
    vanished: int = 0


class StatusResult(msgspec.Struct, frozen=True, kw_only=True):
    """The whole state.

    `warnings` are sentences on what is amiss although the map may be up to date. `gone_sessions` have lost their file; `notes` are cut at
    `SHOWN`, the counts are not. `skipped` counts the files that are not read, by reason, and `skipped_files` names every one of them.
    """

    state: State
    warnings: list[str] = []
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
    skipped: dict[str, int] = {}
    skipped_files: list[FileNote] = []
    next: list[list[str]] = []


class _Look(msgspec.Struct):
    """What a look at the disk gathers beside the state of each folder."""

    skipped: list[FileNote] = []


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
    known = {
        key: row for key, row in files.load_files(connection).items() if row.source in names and row.role == files.TRANSCRIPT
    }
    synced = {row.selector for row in files.load_coverage(connection)}
    look = _Look()
    roots = [_root_status(spec, known, synced, look) for spec in specs]
    last_sync = files.get_meta(connection, "last_sync")
    alarms = [row for row in known.values() if row.expected and not copies.has_messages(connection, row.file_id)]
    health = check_files(list(known.values()), alarms)
    warnings = _warn(roots, look.skipped, health, len(alarms))
    state = _overall(roots, amiss=bool(warnings))
    following = [runtime.argv("sync")] if state in {"stale", "missing"} or health["failed_files"] else []
    following += [runtime.argv("config", "show")] if any(_is_lost(root) for root in roots) else []
    return StatusResult(
        state=state,
        warnings=warnings,
        data_dir=str(runtime.data_dir),
        map_bytes=runtime.map_path.stat().st_size,
        projection=(files.get_meta(connection, "projection") or "").partition("/")[0] or None,
        last_sync=format_iso(int(last_sync)) if last_sync else None,
        roots=roots,
        gone_sessions=read.count_sessions(connection, Condition("s.state = ?", ("gone",))),
        yield_alarms=len(alarms),
        skipped=count_reasons(look.skipped),
        skipped_files=look.skipped,
        next=following,
        **health,
    )


def _without_map(specs: tuple[RootSpec, ...], runtime: Runtime) -> StatusResult:
    look = _Look()
    roots = [_root_status(spec, {}, set(), look) for spec in specs]
    state: State = "missing" if any(root.files for root in roots) else "absent"
    following = [runtime.argv("sync")] if state == "missing" else [runtime.argv("demo")]
    following += [runtime.argv("config", "show")] if any(_is_lost(root) for root in roots) else []
    return StatusResult(
        state=state,
        warnings=_warn(roots, look.skipped, {}, 0),
        data_dir=str(runtime.data_dir),
        roots=roots,
        skipped=count_reasons(look.skipped),
        skipped_files=look.skipped,
        next=following,
    )


def _root_status(spec: RootSpec, known: dict[tuple[str, str, str], FileRow], synced: set[str], look: _Look) -> RootStatus:
    inventory = take_inventory([spec], SOURCES, known)
    if not inventory.present_roots:
        why = "the folder is not there, or cannot be read" if spec.given else "no sessions of this client here"
        return RootStatus(source=spec.source, root=str(spec.path), state="absent", given=spec.given, reason=why)
    look.skipped += find_skipped(inventory)
    root = inventory.present_roots[0].path
    new = sum(found.skip is None for found in inventory.new)
    changed = sum(found.skip is None for found, _ in inventory.changed)
    unchanged = sum(row.state != "skipped" for row in inventory.unchanged)
    vanished = sum(row.state != "skipped" for row in inventory.vanished)
    parts = [f"{count} {word}" for count, word in ((new, "new"), (changed, "changed"), (vanished, "vanished")) if count]
    state: State = "stale" if parts else "fresh"
    reason = f"{' and '.join(parts)} since the last sync" if parts else None
    if f"{spec.source}:{root}" not in synced and not any(row.root == str(root) for row in inventory.unchanged):
        state, reason = ("missing", "never synced") if new else ("fresh", None)
    return RootStatus(
        source=spec.source,
        root=str(root),
        state=state,
        given=spec.given,
        reason=reason,
        files=new + changed + unchanged,
        new=new,
        changed=changed,
        vanished=vanished,
    )


def _is_lost(root: RootStatus) -> bool:
    """Whether somebody named a folder that is not there."""
    return root.given and root.state == "absent"


def _warn(roots: list[RootStatus], skipped: list[FileNote], health: dict[str, Any], alarms: int) -> list[str]:
    """What must not pass for a map in good health."""
    lost = [f"{root.source}: {root.root} is configured, and is not there or cannot be read" for root in roots if _is_lost(root)]
    unlisted = sum(note.reason == "unreadable" for note in skipped)
    unknown = health.get("unknown_types", {})
    counted = (
        (health.get("failed_files", 0), "file could not be read", "files could not be read"),
        (unlisted, "folder could not be listed", "folders could not be listed"),
        (
            alarms,
            "file holds conversation, but no message was found in it",
            "files hold conversation, but no message was found in them",
        ),
        (health.get("damaged_files", 0), "file is damaged in places", "files are damaged in places"),
        (len(unknown), "record type is unknown to this version", "record types are unknown to this version"),
    )
    return lost + [f"{count} {one if count == 1 else many}" for count, one, many in counted if count]


def _overall(roots: list[RootStatus], *, amiss: bool) -> State:
    states = {root.state for root in roots}
    if "stale" in states or {"fresh", "missing"} <= states:
        return "stale"
    if "missing" in states:
        return "missing"
    if "fresh" in states:
        return "degraded" if amiss else "fresh"
    return "absent"
