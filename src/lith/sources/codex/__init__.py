"""The adapter of Codex, for all its versions: `SOURCE`."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from lith.records.arrangement import Arrangement, Outline
from lith.records.record import Problem, Record
from lith.sources.base import Candidate, FileContext, Source
from lith.sources.codex import arrange as arranging
from lith.sources.codex import classification, discovery, session
from lith.sources.codex import parse as parsing


class Codex:
    """The `Source` of Codex; it has no state, and its methods are the package's functions."""

    name = "codex"

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
        return type in classification.KNOWN_TYPES

    def is_transcript_text(self, type: str) -> bool:
        """See `Source`."""
        return type in classification.TEXT_TYPES


SOURCE: Source = Codex()
