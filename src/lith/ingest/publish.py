"""Publishing: the rows of files go into the map in short transactions, each of which leaves it whole.

`sync` makes one `Publisher` per run. A batch is a few megabytes of transcripts; at its end every transcript that it touched is derived
anew, so that a reader between two batches sees whole sessions. A file larger than a batch is published in steps, each a valid state of a
file that is still growing.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

import apsw
import msgspec

from lith.ingest import projects, proof
from lith.ingest.derive import Summaries, derive
from lith.ingest.inventory import Found, Inventory
from lith.ingest.parallel import FilePlan, projecting
from lith.ingest.project import Checkpoint, Chunk, Task, is_compressed, open_regular
from lith.ingest.report import FileProblem, Progress, SyncRequest, Totals
from lith.kernel import sqlite
from lith.kernel.ids import Packed
from lith.sources.base import Source
from lith.store.map import copies as copies_store
from lith.store.map import files as files_store
from lith.store.map.common_terms import refresh_common_terms
from lith.store.map.files import CoverageRow, FileRow
from lith.store.map.schema import PIECE_SHIFT

BATCH_BYTES = 48 << 20
BATCH_FILES = 256
STEP_BYTES = 256 << 20
"""A single file longer than this is published in steps, each twice as far as the one before."""
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
        self._interned = copies_store.Interned(connection)
        self._summaries = Summaries(connection)
        self._dirty: dict[int, set[Packed]] = {}
        self._index_texts: dict[int, str] = {}
        self._batch_bytes = self._batch_files = 0
        self._open = False
        self._published: FileRow | None = None  # the file in work as the map has it, should the rest of it fail
        self._start_changes = connection.total_changes()
        self.totals: dict[str, Totals] = {spec.source: Totals() for spec in request.roots}
        self.problems: list[FileProblem] = []

    def run(self, inventory: Inventory, carried: Iterable[int] = ()) -> None:
        """Publish everything that is new, changed or gone. `carried` are transcripts to derive whatever becomes of their files."""
        for transcript_id in carried:
            self._begin()
            self._dirty.setdefault(transcript_id, set())
        for same in inventory.unchanged:
            self._count_unchanged(same)
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
            for gone in inventory.vanished:
                self._vanish(gone)
            for gone in inventory.gone if self._request.forget_gone else ():
                self._forget(gone)
            self._commit()
        finally:
            self._rollback()
        self._progress(Progress(len(work), len(work), size, size))

    def finish(self, inventory: Inventory, now: int) -> int:
        """Write what only the end of a run knows, unless nothing changed at all; returns the rows written in the whole run."""
        coverage = self._coverage(inventory, now)
        if self._changes() or not _same_coverage(files_store.load_coverage(self._connection), coverage):
            with sqlite.transaction(self._connection):
                refresh_common_terms(self._connection)
                for one in coverage:
                    files_store.save_coverage(self._connection, one)
                files_store.set_meta(self._connection, "last_sync", str(now))
        return self._changes()

    def _changes(self) -> int:
        return self._connection.total_changes() - self._start_changes

    def _workers(self, size: int) -> int:
        """How many processes parse: more than this one only where the work is worth starting them."""
        return self._request.workers if size >= PARALLEL_BYTES else 1

    # --- one file -------------------------------------------------------------------------------------------------------

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
                        self._task(found, Checkpoint(row.cursor, row.line, row.at, copies), row.context),
                        appended=True,
                    )
            except OSError as error:
                return FilePlan(msgspec.structs.replace(found, error=error.strerror or str(error)), row, None)
        return FilePlan(found, row, self._task(found, Checkpoint(), None))

    def _task(self, found: Found, start: Checkpoint, context: str | None) -> Task:
        return Task(found.source, str(found.absolute), found.path, start, context, self._request.projection)

    def _is_append(self, found: Found, row: FileRow) -> bool:
        """Whether a file holds what was read of it and perhaps more, as far as a bounded proof can tell."""
        if self._request.verify or is_compressed(found.path) or row.context is None or found.size < row.cursor:
            return False
        if found.size == row.size and row.state == "live":
            return False  # same size, other times: rewritten in place, for all that can be told without reading it
        with open_regular(found.absolute) as file:
            self.totals[found.source].bytes_read += row.head_length + row.tail_length
            return proof.holds(row, file)

    def _publish_file(self, plan: FilePlan, chunks: Iterator[Chunk]) -> None:
        found, row = plan.found, plan.row
        total = self.totals[found.source]
        total.files += 1
        if found.error is not None:
            self._fail(found, row, found.error)
            return
        if found.skip is not None:
            self._skip(found, row)
            return
        self._begin()
        self._connection.execute("SAVEPOINT one_file")
        self._published = msgspec.structs.replace(row) if row else None
        counted, changes = msgspec.structs.replace(total), self._connection.total_changes()
        try:
            self._take_in(plan, chunks, total)
        except OSError as error:
            self._connection.execute("ROLLBACK TO one_file; RELEASE one_file")
            self._start_changes += self._connection.total_changes() - changes
            self.totals[found.source] = counted
            self._interned.forget()
            self._fail(found, self._published, error.strerror or str(error))
            return
        self._connection.execute("RELEASE one_file")
        self._batch_files += 1
        if self._batch_files >= BATCH_FILES or self._batch_bytes >= BATCH_BYTES:
            self._commit()

    def _take_in(self, plan: FilePlan, chunks: Iterator[Chunk], total: Totals) -> None:
        """Publish a file: all of it, or what was appended."""
        found, row = plan.found, plan.row
        if row is None:
            row = FileRow(source=found.source, root=found.root, path=found.path, state="live")
            total.added += 1
        elif plan.appended:
            total.appended += 1
        else:
            total.replayed += 1
        if row.file_id:
            self._take_back(row, from_offset=row.cursor if plan.appended else 0)
            if row.state != "live":
                self._touch_all(row)
        else:
            files_store.save_file(self._connection, row)
        if not plan.appended:
            row.problems = row.damage = row.expected = 0
            row.unknown = {}
        row.state, row.reason = "live", None
        _set_identity(row, found)
        for chunk in chunks:
            self._apply(row, chunk, total)
        if not is_compressed(found.path):
            with open_regular(found.absolute) as file:
                total.bytes_read += proof.set_proof(row, file)
        files_store.save_file(self._connection, row)
        total.pending += row.pending > 0
        self._raise_alarm(row, total)

    def _take_back(self, row: FileRow, *, from_offset: int) -> None:
        """Delete the copies of a file at and after an offset: all of them, or what stood on an unfinished last line."""
        first = copies_store.count_copies_before(self._connection, row.file_id, from_offset) if from_offset else 0
        for transcript_id, record_id, target in copies_store.iter_ids(self._connection, row.file_id, from_copy=first):
            self._dirty.setdefault(transcript_id, set()).add(record_id)
            if target is not None:
                self._touch_target(target)
        if copies_store.delete_copies(self._connection, row.file_id, from_copy=first) and not from_offset:
            self._touch_all(row)
            copies_store.unlink_transcripts(self._connection, row.file_id)
        row.copies = first
        files_store.delete_problems(self._connection, row.file_id, from_offset)

    def _apply(self, row: FileRow, chunk: Chunk, total: Totals) -> None:
        base = copies_store.first_copy(row.file_id)
        transcripts = [self._interned.transcript(row.source, native_id) for native_id in chunk.transcripts]
        sets = [self._interned.attribute_set(attributes) for attributes in chunk.attribute_sets]
        for transcript_id in transcripts:
            self._dirty.setdefault(transcript_id, set())
        copies_store.insert_copies(
            self._connection,
            [
                (base + copy[0], transcripts[copy[1]], *copy[2:-1], None if copy[-1] is None else sets[copy[-1]])
                for copy in chunk.copies
            ],
            [(((base + piece[0]) << PIECE_SHIFT) + piece[1], *piece[2:]) for piece in chunk.pieces],
        )
        copies_store.link_transcripts(self._connection, row.file_id, transcripts)
        for piece, text in zip(chunk.pieces, chunk.index_texts, strict=True):
            self._index_texts[((base + piece[0]) << PIECE_SHIFT) + piece[1]] = text
        for target in chunk.targets:
            self._touch_target(target)
        files_store.save_problems(self._connection, row.file_id, chunk.problems)
        self._note_chunk(row, chunk, total)
        if self._batch_bytes >= max(STEP_BYTES, row.cursor):
            files_store.save_file(self._connection, row)
            self._published = msgspec.structs.replace(row)
            self._connection.execute("RELEASE one_file")
            self._commit()
            self._begin()
            self._connection.execute("SAVEPOINT one_file")

    def _note_chunk(self, row: FileRow, chunk: Chunk, total: Totals) -> None:
        row.cursor, row.line, row.at, row.copies = chunk.end.cursor, chunk.end.line, chunk.end.at, chunk.end.copies
        row.context, row.pending = chunk.context, chunk.pending
        row.problems += chunk.problem_count
        row.damage += chunk.damage
        row.expected += chunk.expected
        for name, count in chunk.unknown.items():
            row.unknown = {**row.unknown, name: row.unknown.get(name, 0) + count}
            total.unknown_types[name] = total.unknown_types.get(name, 0) + count
        for offset, length, _, reason, detail in chunk.problems:
            self.problems.append(FileProblem(row.source, row.path, reason, detail, offset, length))
        total.problems += chunk.problem_count
        total.damage += chunk.damage
        total.records += len(chunk.copies)
        total.bytes_read += chunk.bytes_read
        self._batch_bytes += chunk.bytes_read

    def _raise_alarm(self, row: FileRow, total: Totals) -> None:
        """A file with conversation in it and no message out of it is the sign of a format that lith does not know."""
        if row.expected and not copies_store.has_messages(self._connection, row.file_id):
            total.yield_alarms += 1
            detail = f"{row.expected} conversation records and not one message: perhaps a format that this version does not know"
            self.problems.append(FileProblem(row.source, row.path, "yield_alarm", detail))

    # --- files without records ------------------------------------------------------------------------------------------

    def _count_unchanged(self, row: FileRow) -> None:
        total = self.totals[row.source]
        total.files += 1
        if row.state == "skipped":
            total.skipped += 1
            return
        total.unchanged += 1
        total.pending += row.pending > 0

    def _skip(self, found: Found, row: FileRow | None) -> None:
        """Note a file that is no transcript, so that it is listed, with the reason."""
        self.totals[found.source].skipped += 1
        self._begin()
        if row is None:
            row = FileRow(source=found.source, root=found.root, path=found.path, state="skipped")
        elif row.state != "skipped":
            self._take_back(row, from_offset=0)
        row.state, row.reason = "skipped", found.skip
        _set_identity(row, found)
        files_store.save_file(self._connection, row)

    def _fail(self, found: Found, row: FileRow | None, reason: str) -> None:
        """Note a file that could not be read. What was read of it before stays."""
        self.totals[found.source].failed += 1
        self.problems.append(FileProblem(found.source, found.path, "unreadable", reason))
        if row is None:
            row = FileRow(source=found.source, root=found.root, path=found.path, state="failed", reason=reason)
        elif (row.state, row.reason) == ("failed", reason):
            return
        self._begin()
        row.state, row.reason = "failed", reason
        files_store.save_file(self._connection, row)

    def _vanish(self, row: FileRow) -> None:
        """A file is no longer there. Its rows stay, unless every record in it has the same bytes in another file: then it only moved."""
        self._begin()
        if row.copies and not self._request.forget_gone and not self._is_elsewhere(row):
            self.totals[row.source].gone += 1
            row.state, row.reason = "gone", None
            self._touch_all(row)
            files_store.save_file(self._connection, row)
            return
        self._forget(row)

    def _forget(self, row: FileRow) -> None:
        """Drop everything that a file said."""
        self._begin()
        self._take_back(row, from_offset=0)
        files_store.delete_file(self._connection, row.file_id)

    def _is_elsewhere(self, row: FileRow) -> bool:
        mine: dict[int, set[tuple[Packed, bytes]]] = {}
        for transcript_id, record_id, content_hash in copies_store.iter_hashes(self._connection, row.file_id):
            mine.setdefault(transcript_id, set()).add((record_id, content_hash))
        for transcript_id, held in mine.items():
            for other in copies_store.other_files(self._connection, row.file_id, transcript_id):
                held.difference_update(
                    (record_id, hash_) for _, record_id, hash_ in copies_store.iter_hashes(self._connection, other)
                )
            if held:
                return False
        return True

    # --- transactions ---------------------------------------------------------------------------------------------------

    def _touch_all(self, row: FileRow) -> None:
        for transcript_id in copies_store.transcripts_of_file(self._connection, row.file_id):
            self._dirty.setdefault(transcript_id, set())

    def _touch_target(self, target: Packed) -> None:
        self._summaries.reset()
        for transcript_id in copies_store.transcripts_of_record(self._connection, target):
            self._dirty.setdefault(transcript_id, set())

    def _begin(self) -> None:
        if not self._open:
            self._connection.execute("BEGIN IMMEDIATE")
            self._open = True

    def _commit(self) -> None:
        """Derive what the batch touched and publish it."""
        if not self._open:
            return
        for transcript_id, removed in self._dirty.items():
            source, native_id = copies_store.get_transcript(self._connection, transcript_id)
            self.totals.setdefault(source, Totals()).messages += derive(
                self._connection,
                self._sources[source],
                (transcript_id, native_id),
                removed=removed,
                summaries=self._summaries,
                index_texts=self._index_texts,
            )
        projects.resolve_new(self._connection)
        self._connection.execute("COMMIT")
        self._open = False
        self._dirty.clear()
        self._index_texts.clear()
        self._batch_bytes = self._batch_files = 0

    def _rollback(self) -> None:
        """After an error: nothing of the open batch is published."""
        if self._open:
            self._open = False
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

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


def _set_identity(row: FileRow, found: Found) -> None:
    for name in ("dev", "inode", "size", "mtime_ns", "ctime_ns"):
        setattr(row, name, getattr(found, name))


def _same_coverage(old: list[CoverageRow], new: list[CoverageRow]) -> bool:
    known = {row.selector: msgspec.structs.replace(row, synced_at=0) for row in old}
    return all(known.get(row.selector) == msgspec.structs.replace(row, synced_at=0) for row in new)
