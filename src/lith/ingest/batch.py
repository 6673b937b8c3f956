"""One transaction of a sync and what it touched: several small files, or a stretch of a big one.

A file that fails midway takes back what it wrote and what it touched, and nothing else: until a file is through, both are kept apart.
At the end of a batch every transcript that it touched is derived anew, so that a reader between two batches sees whole sessions.
"""

import contextlib
from collections.abc import Iterable, Iterator, Mapping

import apsw

from lith.ingest import projects
from lith.ingest.derive import Summaries, derive
from lith.kernel.ids import Packed
from lith.sources.base import Source
from lith.store.map import copies

Touched = dict[int, set[Packed]]
"""Transcripts to derive, each with the ids of records that lost a copy."""


REMEMBERED = 20_000
"""Index texts that are kept from one half of a sync to the other; beyond that they are made again, so that memory stays bounded."""


class Batch:
    """The open transaction, if there is one. `files` and `bytes` say how full it is."""

    def __init__(self, connection: apsw.Connection, sources: Mapping[str, Source]) -> None:
        self.connection = connection
        self.interned = copies.Interned(connection)
        self.files = 0
        self.bytes = 0
        self.undone = 0  # changes that were taken back, which SQLite counts all the same
        self._sources = sources
        self._summaries = Summaries(connection)
        self._touched: Touched = {}
        self._index_texts: dict[int, str] = {}
        self._of_file: Touched | None = None
        self._texts_of_file: dict[int, str] = {}

    def begin(self) -> None:
        """Open a transaction, if none is open."""
        if not self.connection.in_transaction:
            self.connection.execute("BEGIN IMMEDIATE")

    @contextlib.contextmanager
    def one_file(self) -> Iterator[None]:
        """The block publishes one file. After an `OSError` nothing of it stays but what `step` published before."""
        self.begin()
        self.connection.execute("SAVEPOINT one_file")
        self._of_file = {}
        changes = self.connection.total_changes()
        try:
            yield
        except OSError:
            self.connection.execute("ROLLBACK TO one_file; RELEASE one_file")
            self.undone += self.connection.total_changes() - changes
            self.interned.forget()
            self._summaries.reset()
            self._of_file = None
            self._texts_of_file.clear()
            raise
        self.connection.execute("RELEASE one_file")
        self._keep_file()
        self._of_file = None
        self.files += 1

    def step(self) -> dict[str, int]:
        """Publish what a file has given so far, in the middle of it; answers as `commit`."""
        self.connection.execute("RELEASE one_file")
        self._keep_file()
        found = self.commit()
        self.begin()
        self.connection.execute("SAVEPOINT one_file")
        return found

    def touch(self, transcript_id: int, removed: Iterable[Packed] = ()) -> None:
        """Note that a transcript must be derived; `removed` are records that lost a copy."""
        touched = self._touched if self._of_file is None else self._of_file
        touched.setdefault(transcript_id, set()).update(removed)

    def touch_file(self, file_id: int) -> None:
        """Note that every transcript of a file must be derived."""
        for transcript_id in copies.transcripts_of_file(self.connection, file_id):
            self.touch(transcript_id)

    def touch_target(self, target: Packed) -> None:
        """Note that a summary about a record came or went."""
        self._summaries.reset()
        for transcript_id in copies.transcripts_of_record(self.connection, target):
            self.touch(transcript_id)

    def remember(self, piece_id: int, index_text: str) -> None:
        """Keep the index text of a piece for the derivation at the end of the batch."""
        if len(self._index_texts) + len(self._texts_of_file) < REMEMBERED:
            self._texts_of_file[piece_id] = index_text

    def commit(self) -> dict[str, int]:
        """Derive what was touched and publish it; returns how many messages are new, by source."""
        found: dict[str, int] = {}
        if not self.connection.in_transaction:
            return found
        for transcript_id, removed in self._touched.items():
            source, native_id = copies.get_transcript(self.connection, transcript_id)
            found[source] = found.get(source, 0) + derive(
                self.connection,
                self._sources[source],
                (transcript_id, native_id),
                removed=removed,
                summaries=self._summaries,
                index_texts=self._index_texts,
            )
        projects.resolve_new(self.connection)
        self.connection.execute("COMMIT")
        self._touched.clear()
        self._index_texts.clear()
        self.files = self.bytes = 0
        return found

    def abandon(self) -> None:
        """After an error: nothing of the open batch is published."""
        if self.connection.in_transaction:
            self.connection.execute("ROLLBACK")

    def _keep_file(self) -> None:
        for transcript_id, removed in (self._of_file or {}).items():
            self._touched.setdefault(transcript_id, set()).update(removed)
        if self._of_file is not None:
            self._of_file = {}
        self._index_texts.update(self._texts_of_file)
        self._texts_of_file.clear()
