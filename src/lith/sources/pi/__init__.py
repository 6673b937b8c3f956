"""The adapter of Pi, for all its session versions: `SOURCE`."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from lith.records.arrangement import Arrangement, Outline
from lith.records.record import Problem, Record
from lith.sources.base import Candidate, FileContext, Source
from lith.sources.pi import arrange as arranging
from lith.sources.pi import discovery, session, vocabulary
from lith.sources.pi import parse as parsing


class Pi:
    """The `Source` of Pi; it has no state, and its methods are the package's functions."""

    name = "pi"

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


SOURCE: Source = Pi()
