"""Projecting files on several cores, for one writer.

Files are parsed ahead of the writer, in segments: a file longer than a segment comes in pieces, one after the other, so that what waits in
memory is bounded whatever the size of the corpus or of a file. With one worker everything happens in this process, in the same order.
"""

import contextlib
import multiprocessing
from collections import deque
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor

import msgspec

from lith.ingest.inventory import Found
from lith.ingest.project import Chunk, Task, iter_chunks
from lith.sources.base import Source
from lith.sources.registry import get_source
from lith.store.map.files import FileRow

SEGMENT_BYTES = 16 << 20

Projected = Iterator[tuple["FilePlan", Iterator[Chunk]]]


class FilePlan(msgspec.Struct, frozen=True):
    """What a sync is going to do with one file: `task` is None where there is nothing to read."""

    found: Found
    row: FileRow | None
    task: Task | None
    appended: bool = False


@contextlib.contextmanager
def projecting(plans: Iterator[FilePlan], sources: Mapping[str, Source], *, workers: int) -> Iterator[Projected]:
    """Every plan with its chunks, in order; each plan's chunks must be used up before the next plan is taken. Chunks raise `OSError`."""
    if workers <= 1:
        yield ((plan, iter_chunks(plan.task, sources[plan.task.source]) if plan.task else iter(())) for plan in plans)
        return
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        try:
            yield _ahead(plans, pool, 2 * workers)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def project_segment(task: Task) -> list[Chunk]:
    """The chunks of one segment; runs in a worker. Raises `OSError`."""
    return list(iter_chunks(task, get_source(task.source)))


def _ahead(plans: Iterator[FilePlan], pool: ProcessPoolExecutor, depth: int) -> Projected:
    waiting: deque[tuple[FilePlan, Future[list[Chunk]] | None]] = deque()
    for plan in plans:
        waiting.append((plan, _submit(pool, plan.task) if plan.task else None))
        if len(waiting) > depth:
            yield _take(waiting, pool)
    while waiting:
        yield _take(waiting, pool)


def _take(
    waiting: deque[tuple[FilePlan, Future[list[Chunk]] | None]], pool: ProcessPoolExecutor
) -> tuple[FilePlan, Iterator[Chunk]]:
    plan, future = waiting.popleft()
    return plan, _chunks(plan.task, future, pool) if plan.task and future else iter(())


def _submit(pool: ProcessPoolExecutor, task: Task) -> Future[list[Chunk]]:
    return pool.submit(project_segment, msgspec.structs.replace(task, limit=SEGMENT_BYTES))


def _chunks(task: Task, future: Future[list[Chunk]], pool: ProcessPoolExecutor) -> Iterator[Chunk]:
    while True:
        chunks = future.result()
        last = chunks[-1]
        if last.more:
            task = msgspec.structs.replace(task, start=last.end, context=last.context)
            future = _submit(pool, task)
        yield from chunks
        if not last.more:
            return
