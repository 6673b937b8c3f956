"""`sync`: bring the map up to date with the sessions on this machine, and archive them where that is wanted."""

import os
from collections.abc import Callable

import msgspec

from lith.ingest import sync as ingest_sync
from lith.ingest.report import Progress, SyncReport
from lith.ingest.report import SyncRequest as IngestRequest
from lith.ops.keep.archive_run import ArchiveRunRequest, ArchiveRunResult, run_archive
from lith.ops.keep.ports import shelf
from lith.ops.roots import plan_roots
from lith.ops.runtime import Runtime
from lith.sources.registry import SOURCES

MAX_WORKERS = 4
"""More processes than this only wait for the one writer."""


class SyncRequest(msgspec.Struct, frozen=True, kw_only=True):
    """`sources` narrows to these clients; `verify` reads every file again, whatever its times say; `archive` takes every byte into the
    archive first (None: as the setting `archive.auto` says).
    """

    sources: tuple[str, ...] = ()
    verify: bool = False
    archive: bool | None = None


class SyncAnswer(SyncReport, kw_only=True, omit_defaults=True):
    """As `SyncReport`; `archive` is what the archive took in."""

    archive: ArchiveRunResult | None = None


def sync(request: SyncRequest, runtime: Runtime, progress: Callable[[Progress], None] = lambda _: None) -> SyncAnswer:
    """Bring the map up to date. Raises `Locked`, `StorageError`, `MapTooNew`, `ConfigError`, `UnknownSource`."""
    roots = plan_roots(runtime, request.sources)
    archived = None
    if runtime.config.archive.auto == "on" if request.archive is None else request.archive:
        archived = run_archive(ArchiveRunRequest(sources=request.sources), runtime)
        runtime.close()
    asked = IngestRequest(
        roots=roots,
        shelf=shelf(runtime, request.sources),
        projection=runtime.config.sources.projection,
        verify=request.verify,
        workers=min(MAX_WORKERS, os.cpu_count() or 1),
    )
    report = ingest_sync(asked, data_dir=runtime.data_dir, sources=SOURCES, clock=runtime.clock, progress=progress)
    return SyncAnswer(**{name: getattr(report, name) for name in SyncReport.__struct_fields__}, archive=archived)
