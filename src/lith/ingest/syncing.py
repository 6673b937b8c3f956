"""Bring the map up to date with the disk: lock, inventory, decide per file, publish in short transactions, coverage.

The only writer of the map. Cost follows what changed: an unchanged tree costs one stat per file and writes nothing, a grown file its new
bytes and a bounded proof. Whatever interrupts it, what was published is whole, and the next sync goes on from there.
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from lith.ingest.generations import take_stock
from lith.ingest.inventory import FileKey, Inventory, take_inventory
from lith.ingest.publish import Publisher
from lith.ingest.rebuild import OpenMap, open_map
from lith.ingest.report import PROBLEMS_SHOWN, Progress, RootSpec, SyncReport, SyncRequest, Totals
from lith.kernel import locks, sqlite
from lith.kernel.clock import Clock
from lith.kernel.files import make_private_dir
from lith.sources.base import Source
from lith.store.map import files as files_store
from lith.store.map import schema
from lith.store.map.files import FileRow

LOCK_NAME = "map.lock"
LOCK_WAIT_SECONDS = 30.0


def sync(
    request: SyncRequest,
    *,
    data_dir: Path,
    sources: Mapping[str, Source],
    clock: Clock,
    progress: Callable[[Progress], None] = lambda _: None,
    lock_wait_seconds: float = LOCK_WAIT_SECONDS,
) -> SyncReport:
    """Bring the map in `data_dir` up to date. Raises `Locked`, `StorageError`, `MapTooNew`."""
    make_private_dir(data_dir)
    path = data_dir / schema.FILE_NAME
    with (
        locks.exclusive(data_dir / LOCK_NAME, wait_seconds=lock_wait_seconds, now=clock()),
        open_map(path, projection=request.projection) as opened,
        sqlite.translate(path),
    ):
        request = _with_known_roots(request, opened)
        known = files_store.load_files(opened.connection)
        inventory = take_inventory(request.roots, sources, known, verify=request.verify)
        moved = _take_stock(request, inventory, known)
        publisher = Publisher(opened.connection, request, sources, progress)
        publisher.run(inventory, opened.carried, moved)
        rows = publisher.finish(inventory, clock())
        report = _report(publisher, inventory, rows)
        report.rebuilt = opened.rebuilt
        report.warnings += [opened.warning] if opened.warning else []
        return report


def _take_stock(request: SyncRequest, inventory: Inventory, known: Mapping[FileKey, FileRow]) -> list[FileRow]:
    return [] if request.shelf is None else take_stock(request.shelf, inventory, known, verify=request.verify)


def _with_known_roots(request: SyncRequest, opened: OpenMap) -> SyncRequest:
    """A map that is made anew takes in every root that the old one knew, not only those asked for this time."""
    asked = {(spec.source, os.path.realpath(spec.path)) for spec in request.roots}
    more = tuple(RootSpec(source, Path(root)) for source, root in opened.roots if (source, root) not in asked)
    return msgspec.structs.replace(request, roots=request.roots + more)


def _report(publisher: Publisher, inventory: Inventory, rows_written: int) -> SyncReport:
    totals = Totals(rows_written=rows_written)
    for one in publisher.totals.values():
        totals.add(one)
    report = SyncReport(totals=totals, sources=publisher.totals, problems=publisher.problems[:PROBLEMS_SHOWN])
    report.missing_roots = sum(spec.given for spec in inventory.missing_roots)
    report.warnings = [
        f"{spec.source}: {spec.path} is not there or cannot be read" for spec in inventory.missing_roots if spec.given
    ]
    return report
