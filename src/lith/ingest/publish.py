"""Publishing: the rows of files go into the map in short transactions, each of which leaves it whole.

`sync` makes one `Publisher` per run. A batch is some megabytes of transcripts. A file larger than a batch is published in steps, each a
valid state of a file that is still growing.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

import apsw
import msgspec

from lith.ingest import generations as generations_of
from lith.ingest import proof, taking
from lith.ingest.alarm import find_alarm
from lith.ingest.archived import open_archived
from lith.ingest.batch import Batch
from lith.ingest.inventory import Found, Inventory
from lith.ingest.parallel import FilePlan, projecting
from lith.ingest.project import Checkpoint, Chunk, Task, is_compressed, open_regular
from lith.ingest.report import FileProblem, Progress, SyncRequest, Totals
from lith.kernel import sqlite
from lith.sources.base import Source
from lith.store.map import copies as copies_store
from lith.store.map import files as files_store
from lith.store.map.common_terms import refresh_common_terms
from lith.store.map.files import GENERATION, TRANSCRIPT, CoverageRow, FileRow

BATCH_BYTES = 48 << 20
BATCH_FILES = 256
STEP_BYTES = 256 << 20
"""A single file longer than this is published in steps, each twice as far as the one before."""
WORTH_A_WORD = frozenset({"outside_root", "broken_link", "special_file", "unreadable"})
"""Why a file is no transcript, where a person may think that it is one: named once, when it is first seen so."""
PARALLEL_BYTES = 64 << 20
"""Below this, starting processes takes longer than they save."""


class Publisher:
    """One run of publishing. `totals` are by source, `problems` in the order of their files."""

    def __init__(
        self,
        connection: apsw.Connection,
        request: SyncRequest,
        sources: Mapping[str, Source],
        progress: Callable[[Progress], None],
    ) -> None:
        self._connection = connection
        self._request = request
        self._sources = sources
        self._progress = progress
        self._batch = Batch(connection, sources)
        self._start_changes = connection.total_changes()
        self.totals: dict[str, Totals] = {spec.source: Totals() for spec in request.roots}
        self.problems: list[FileProblem] = []

    def run(self, inventory: Inventory, carried: Iterable[int] = (), moved: Iterable[FileRow] = ()) -> None:
        """Publish everything that is new, changed or gone.

        `carried` are transcripts to derive whatever becomes of their files, `moved` rows of files whose root has another name now.
        """
        for row in moved:
            self._batch.begin()
            files_store.save_file(self._connection, row)
        for transcript_id in carried:
            self._batch.begin()
            self._batch.touch(transcript_id)
        for same in inventory.unchanged:
            self._count_unchanged(same)
        if self._request.shelf is not None:
            generations_of.take_receipts(self._batch, self._request.shelf)
        work: list[tuple[Found, FileRow | None]] = [(found, None) for found in inventory.new]
        work += inventory.changed
        work.sort(key=lambda pair: pair[0].key)
        size, done = sum(found.size for found, _ in work), 0
        plans = (self._decide(found, row) for found, row in work)
        try:
            with projecting(plans, self._sources, workers=self._workers(size)) as projected:
                for number, (plan, chunks) in enumerate(projected):
                    self._progress(Progress(number, len(work), done, size))
                    self._publish_file(plan, chunks)
                    done += plan.found.size
            self._retire(inventory)
            self._commit()
        finally:
            self._batch.abandon()
        self._progress(Progress(len(work), len(work), size, size))

    def finish(self, inventory: Inventory, now: int) -> int:
        """Write what only the end of a run knows, unless nothing changed at all; returns the rows written in the whole run."""
        coverage = self._coverage(inventory, now)
        if self._changes() or not _same_coverage(files_store.load_coverage(self._connection), coverage):
            with sqlite.transaction(self._connection):
                if self._request.forget_gone:
                    files_store.delete_orphans(self._connection)
                refresh_common_terms(self._connection)
                for one in coverage:
                    files_store.save_coverage(self._connection, one)
                files_store.set_meta(self._connection, "last_sync", str(now))
        return self._changes()

    def _changes(self) -> int:
        return self._connection.total_changes() - self._start_changes - self._batch.undone

    def _workers(self, size: int) -> int:
        """How many processes parse: more than this one only where the work is worth starting them."""
        return self._request.workers if size >= PARALLEL_BYTES else 1

    def _decide(self, found: Found, row: FileRow | None) -> FilePlan:
        """What to do with a file; reads a bounded part of it, writes nothing."""
        if found.error is not None or found.skip is not None:
            return FilePlan(found, row, None)
        if row is not None and row.file_id:
            try:
                if self._is_append(found, row):
                    copies = copies_store.count_copies_before(self._connection, row.file_id, row.cursor)
                    return FilePlan(
                        found,
                        row,
                        self._task(found, Checkpoint(row.cursor, row.line, row.at, copies, row.problems), row.context),
                        appended=True,
                    )
            except OSError as error:
                return FilePlan(msgspec.structs.replace(found, error=error.strerror or str(error)), row, None)
        return FilePlan(found, row, self._task(found, Checkpoint(), None))

    def _task(self, found: Found, start: Checkpoint, context: str | None) -> Task:
        relative = found.path if found.origin is None else found.origin
        archived = found.role == GENERATION
        return Task(found.source, str(found.absolute), relative, start, context, self._request.projection, archived=archived)

    def _is_append(self, found: Found, row: FileRow) -> bool:
        """Whether a file holds what was read of it and perhaps more, as far as a bounded proof can tell."""
        path = found.path if found.origin is None else found.origin
        if self._request.verify or is_compressed(path) or row.context is None or found.size < row.cursor:
            return False
        if not row.cursor or row.state == "skipped":
            return False  # nothing of it was read for good: what its first record says may be new, and all others inherit that
        if found.size == row.size and row.state == "live":
            return False  # same size, other times: rewritten in place, for all that can be told without reading it
        with open_archived(found.absolute) if found.role == GENERATION else open_regular(found.absolute) as file:
            self._totals_of(found.source).bytes_read += row.head_length + row.tail_length
            return proof.holds(row, file)

    def _publish_file(self, plan: FilePlan, chunks: Iterator[Chunk]) -> None:
        found = plan.found
        total = self._totals_of(found.source)
        archived = found.role == GENERATION
        total.files += not archived
        if found.error is not None:
            self._fail(plan.found, plan.row, found.error)
            return
        if found.skip is not None:
            total.skipped += not archived
            if found.skip in WORTH_A_WORD and (plan.row is None or plan.row.reason != found.skip):
                self.problems.append(FileProblem(found.source, str(found.absolute), found.skip))
            taking.skip(self._batch, found, plan.row, forget_gone=self._request.forget_gone)
            return
        published = taking.copy_of(plan.row)
        own, problems = Totals(), len(self.problems)

        def note(row: FileRow, chunk: Chunk) -> None:
            nonlocal published
            self._note_chunk(row, chunk, own)
            if self._batch.bytes >= max(STEP_BYTES, row.cursor):
                files_store.save_file(self._connection, row)
                published = taking.copy_of(row)
                self._add_messages(self._batch.step())

        try:
            with self._batch.one_file():
                row = taking.take_in(self._batch, plan, chunks, note)
        except OSError as error:
            del self.problems[problems:]
            self._fail(found, published, error.strerror or str(error))
            return
        if archived:
            total.add(Totals(generations=1, bytes_read=own.bytes_read))
            del self.problems[problems:]  # the file that it is a state of had the same
        else:
            own.added, own.appended = int(plan.row is None), int(plan.appended)
            own.replayed = 1 - own.added - own.appended
            own.pending = int(row.pending > 0)
            self._raise_alarm(row, own)
            total.add(own)
        if self._batch.files >= BATCH_FILES or self._batch.bytes >= BATCH_BYTES:
            self._commit()

    def _note_chunk(self, row: FileRow, chunk: Chunk, own: Totals) -> None:
        own.add(
            Totals(
                records=len(chunk.copies),
                problems=chunk.problem_count,
                damage=chunk.damage,
                bytes_read=chunk.bytes_read,
                unknown_types=chunk.unknown,
            )
        )
        for offset, length, _, reason, detail in chunk.problems:
            self.problems.append(FileProblem(row.source, row.path, reason, detail, offset, length))

    def _raise_alarm(self, row: FileRow, own: Totals) -> None:
        detail = find_alarm(self._connection, row)
        if detail is not None:
            own.yield_alarms += 1
            self.problems.append(FileProblem(row.source, row.path, "yield_alarm", detail))

    def _fail(self, found: Found, row: FileRow | None, reason: str) -> None:
        self._totals_of(found.source).failed += 1
        self.problems.append(FileProblem(found.source, found.path, "unreadable", reason))
        taking.fail(self._batch, found, row, reason)

    def _totals_of(self, source: str) -> Totals:
        return self.totals.setdefault(source, Totals())

    def _count_unchanged(self, row: FileRow) -> None:
        total = self.totals[row.source]
        total.files += 1
        if row.state == "skipped":
            total.skipped += 1
            return
        total.unchanged += 1
        total.pending += row.pending > 0

    def _retire(self, inventory: Inventory) -> None:
        """Files that are no longer there: kept, or forgotten where that was asked for."""
        if self._request.forget_gone:
            for row in (*inventory.vanished, *inventory.gone):
                taking.forget(self._batch, row)
            return
        for row in inventory.vanished:
            stays = taking.vanish(self._batch, row)
            self._totals_of(row.source).gone += stays and row.role == TRANSCRIPT

    def _commit(self) -> None:
        self._add_messages(self._batch.commit())

    def _add_messages(self, found: Mapping[str, int]) -> None:
        for source, messages in found.items():
            self.totals.setdefault(source, Totals()).messages += messages

    def _coverage(self, inventory: Inventory, now: int) -> list[CoverageRow]:
        """What this run proved about each root that it could list."""
        files = files_store.load_files(self._connection).values()
        rows = []
        for spec in inventory.present_roots:
            own = [row for row in files if row.source == spec.source and row.root == str(spec.path) and row.state != "skipped"]
            pending = sum(1 for row in own if row.pending)
            failed = sum(1 for row in own if row.state == "failed")
            state = "partial" if failed else "complete"
            rows.append(
                CoverageRow(
                    selector=f"{spec.source}:{spec.path}",
                    state=state,
                    synced_at=now,
                    files=len(own),
                    pending=pending,
                    failed=failed,
                )
            )
        return rows


def _same_coverage(old: list[CoverageRow], new: list[CoverageRow]) -> bool:
    known = {row.selector: msgspec.structs.replace(row, synced_at=0) for row in old}
    return all(known.get(row.selector) == msgspec.structs.replace(row, synced_at=0) for row in new)
