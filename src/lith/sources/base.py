"""The seam that every client's adapter fills.

An adapter is a module-level `Source` value in the registry. It finds a client's files below a root, turns the bytes of one record
into a `Record`, and says how the records of a transcript hang together. It opens no file of its own and knows no database.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from lith.records.arrangement import Arrangement, Outline
from lith.records.record import Problem, Record


class FileContext(msgspec.Struct, frozen=True):
    """What the records of a file inherit from it.

    `transcript` is the native id of records that name none. `attributes` are as in `Record`. `head` is whatever else an
    adapter wants
    to remember from the first record of the file.
    """

    transcript: str
    attributes: tuple[tuple[str, str], ...] = ()
    head: tuple[tuple[str, str], ...] = ()


class Candidate(msgspec.Struct, frozen=True):
    """A file below a root.

    `relative` uses `/`. `skip` gives the reason when it holds no records of a conversation (a sidecar, an index).
    """

    path: Path
    relative: str
    skip: str | None = None


class Source(Protocol):
    """One client's adapter."""

    @property
    def name(self) -> str:
        """The client's name, one of `records.address.SOURCES`."""
        ...

    def default_roots(self, home: Path, environment: Mapping[str, str]) -> Sequence[Path]:
        """Where this client keeps its sessions for this user, honouring the client's own variables. They need not exist."""
        ...

    def iter_candidates(self, root: Path) -> Iterator[Candidate]:
        """Every file below `root` that belongs to the client's sessions, in a stable order; follows no symlink out of `root`."""
        ...

    def file_context(self, relative: str, first_object: bytes) -> FileContext:
        """The context of a file, from its path below the root and its first whole object (empty bytes if it has none).

        Never raises.
        """
        ...

    def parse(self, data: bytes | memoryview, context: FileContext, content_hash: bytes) -> Record | Problem:
        """The record of one whole JSON object.

        Raises `msgspec.DecodeError` only where the bytes are not one JSON object (the caller then looks for what is whole in
        them); everything else, whatever it is, becomes a `Record` or a `Problem` (with offset and length 0; the caller fills
        them in).
        """
        ...

    def arrange(self, transcript: str, outlines: Sequence[Outline]) -> Arrangement:
        """How the records of one transcript hang together."""
        ...

    def knows_type(self, type: str) -> bool:
        """Whether a record type (as in `Record.type`) is one this adapter was written for."""
        ...

    def is_transcript_text(self, type: str) -> bool:
        """Whether records of this type are expected to give messages (for the yield alarm)."""
        ...
