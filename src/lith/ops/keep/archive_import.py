"""`archive import`: take in backups that other tools left, as states of their sessions."""

from pathlib import Path

import msgspec

from lith.archive import FileKey, apply_import, plan_import
from lith.errors import UsageError
from lith.keep import identify_backup
from lith.ops.keep.ports import take_in
from lith.ops.runtime import Runtime
from lith.records.address import session_ref


class ArchiveImportRequest(msgspec.Struct, frozen=True):
    """A folder with backups: `v0-raw.jsonl`, `v1-pruned.jsonl`, plain copies of transcripts."""

    folder: str


class Imported(msgspec.Struct, frozen=True, kw_only=True):
    """A backup, and what it became."""

    session_ref: str
    path: str
    generation: int
    outcome: str
    added: int


class PassedOver(msgspec.Struct, frozen=True):
    """A file that was not taken in: `held` (the archive has these bytes), `not_a_transcript`, `unreadable`."""

    path: str
    reason: str


class ArchiveImportResult(msgspec.Struct, frozen=True, kw_only=True):
    """What was taken in, oldest first, and what was not."""

    items: list[Imported]
    total: int
    skipped: list[PassedOver]


def archive_import(request: ArchiveImportRequest, runtime: Runtime) -> ArchiveImportResult:
    """Import. Raises `UsageError` where there is no such folder, `Locked`, `StorageError`."""
    folder = runtime.path(request.folder)
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder", hint="name the folder that holds the backups")

    def identify(path: Path) -> FileKey | None:
        return identify_backup(path, runtime.archive_dir)

    plan = plan_import(runtime.archive_dir, folder, identify)
    taken = apply_import(runtime.archive_dir, plan, clock=runtime.clock)
    if taken:
        take_in(runtime)
    return ArchiveImportResult(
        items=[
            Imported(
                session_ref=session_ref(one.key.source, one.key.session),
                path=one.key.path,
                generation=one.generation.number,
                outcome=one.outcome,
                added=one.added,
            )
            for one in taken
        ],
        total=len(taken),
        skipped=[PassedOver(one.path, one.reason) for one in plan.skipped],
    )
