"""`sync`: bring the map up to date with the sessions on this machine."""

import os
from collections.abc import Callable

import msgspec

from lith.ingest import sync as ingest_sync
from lith.ingest.report import Progress, SyncReport
from lith.ingest.report import SyncRequest as IngestRequest
from lith.ops.roots import plan_roots
from lith.ops.runtime import Runtime
from lith.sources.registry import SOURCES

MAX_WORKERS = 4
"""More processes than this only wait for the one writer."""


class SyncRequest(msgspec.Struct, frozen=True, kw_only=True):
    """`sources` narrows to these clients; `verify` reads every file again, whatever its times say."""

    sources: tuple[str, ...] = ()
    verify: bool = False


def sync(request: SyncRequest, runtime: Runtime, progress: Callable[[Progress], None] = lambda _: None) -> SyncReport:
    """Bring the map up to date. Raises `Locked`, `StorageError`, `MapTooNew`, `ConfigError`, `UnknownSource`."""
    asked = IngestRequest(
        roots=plan_roots(runtime, request.sources),
        projection=runtime.config.sources.projection,
        verify=request.verify,
        workers=min(MAX_WORKERS, os.cpu_count() or 1),
    )
    return ingest_sync(asked, data_dir=runtime.data_dir, sources=SOURCES, clock=runtime.clock, progress=progress)
