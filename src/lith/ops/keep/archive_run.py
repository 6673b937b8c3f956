"""`archive run`: take the present bytes of every session into the archive, and the archive into the map."""

import msgspec

from lith import archive
from lith.errors import BadSelector
from lith.kernel.clock import parse_when
from lith.ops.keep.items import find_items
from lith.ops.keep.ports import take_in
from lith.ops.runtime import Runtime
from lith.records.address import session_ref


class ArchiveRunRequest(msgspec.Struct, frozen=True, kw_only=True):
    """`sources` narrows to these clients, `since` to files that changed since; `full` compares also every byte that is archived already."""

    sources: tuple[str, ...] = ()
    since: str | None = None
    full: bool = False


class ArchivedFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file that got bytes: whose it is, and the generation that they went to."""

    session_ref: str
    path: str
    generation: int
    length: int


class NotTaken(msgspec.Struct, frozen=True):
    """A file that could not be archived, and why."""

    source: str
    path: str
    reason: str
    detail: str


class ArchiveRunResult(msgspec.Struct, frozen=True, kw_only=True):
    """Files by what became of them; `bytes_added` are raw ones, `bytes_written` what they take on the disk."""

    files: int
    unchanged: int
    new: int
    appended: int
    rewritten: int
    bytes_added: int
    bytes_written: int
    items: list[ArchivedFile] = []
    problems: list[NotTaken] = []


def archive_run(request: ArchiveRunRequest, runtime: Runtime) -> ArchiveRunResult:
    """Archive, and index what is new. Raises `Locked`, `StorageError`, `BadSelector`, `UnknownSource`, `ConfigError`."""
    result = run_archive(request, runtime)
    take_in(runtime)
    return result


def run_archive(request: ArchiveRunRequest, runtime: Runtime) -> ArchiveRunResult:
    """As `archive_run`, without telling the map."""
    since = None
    if request.since is not None:
        since = parse_when(request.since, runtime.clock(), end=False)
        if since is None:
            raise BadSelector(
                f"--since: {request.since!r} is not a moment", hint="write 2026-01-31, yesterday, or an age such as 2h, 3d"
            )
    items = find_items(runtime, request.sources, since)
    report = archive.run(runtime.archive_dir, items, clock=runtime.clock, full=request.full)
    return ArchiveRunResult(
        files=report.files,
        unchanged=report.unchanged,
        new=report.new,
        appended=report.appended,
        rewritten=report.rewritten,
        bytes_added=report.bytes_added,
        bytes_written=report.bytes_written,
        items=[
            ArchivedFile(
                session_ref=session_ref(one.key.source, one.key.session),
                path=one.key.path,
                generation=one.number,
                length=one.length,
            )
            for one in report.changed
        ],
        problems=[NotTaken(one.source, one.path, one.reason, one.detail) for one in report.problems],
    )
