"""The adapter of dsh: `SOURCE`.

Experimental: it was written from a description of the format, and has not been tried on sessions of the client itself.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from lith.records.arrangement import Arrangement, Outline
from lith.records.record import Problem, Record
from lith.sources.base import Candidate, FileContext, Source
from lith.sources.dsh import arrange as arranging
from lith.sources.dsh import discovery, session, vocabulary
from lith.sources.dsh import parse as parsing


class Dsh:
    """The `Source` of dsh; it has no state, and its methods are the package's functions."""

    name = "dsh"

    def default_roots(self, home: Path, environment: Mapping[str, str]) -> Sequence[Path]:
        """See `Source`."""
        return discovery.default_roots(home, environment)

    def iter_candidates(self, root: Path) -> Iterator[Candidate]:
        """See `Source`."""
        return discovery.iter_candidates(root)

    def file_context(self, relative: str, first_object: bytes) -> FileContext:
        """See `Source`."""
        return session.file_context(relative, first_object)

    def parse(self, data: bytes | memoryview, context: FileContext, content_hash: bytes) -> Record | Problem:
        """See `Source`."""
        return parsing.parse(data, context, content_hash)

    def arrange(self, transcript: str, outlines: Sequence[Outline]) -> Arrangement:
        """See `Source`."""
        return arranging.arrange(transcript, outlines)

    def knows_type(self, type: str) -> bool:
        """See `Source`."""
        return type in vocabulary.KNOWN_TYPES

    def is_transcript_text(self, type: str) -> bool:
        """See `Source`."""
        return type in vocabulary.TEXT_TYPES


SOURCE: Source = Dsh()
