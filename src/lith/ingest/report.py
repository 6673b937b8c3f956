"""What a sync is asked for and what it reports."""

from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

import msgspec


class RootSpec(msgspec.Struct, frozen=True):
    """One folder of one client's sessions. `given` is true where the user named it (then its absence is worth a word)."""

    source: str
    path: Path
    given: bool = False


class Receipts(Protocol):
    """What prunes wrote down, by the path of each receipt below the archive; `ops` connects it."""

    def names(self) -> Iterable[str]:
        """The path of every receipt that there is."""
        ...

    def load(self, name: str) -> Iterable[tuple[bytes, bytes]]:
        """(hash of a shortened record, hash of what it was) of one receipt. Raises `LithError`."""
        ...


class Shelf(msgspec.Struct, frozen=True):
    """The archive to take in: its folder, its receipts, and the clients whose part of it counts (none: all)."""

    root: Path
    receipts: Receipts
    sources: tuple[str, ...] = ()


class SyncRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What to sync.

    `roots` are all folders to look at, `shelf` is the archive, if it counts. `projection` is `talk`, `calls` or `work`. `verify` reads
    every file again, whatever its times say. `forget_gone` drops what the map keeps of files that are no longer there. `workers` is the
    number of processes that parse (1: this one).
    """

    roots: tuple[RootSpec, ...]
    shelf: Shelf | None = None
    projection: str = "calls"
    verify: bool = False
    forget_gone: bool = False
    workers: int = 1


class Totals(msgspec.Struct, kw_only=True):
    """Counts of one source, or of all of them. Files by what became of them; `bytes_read` of content, `rows_written` in the map.

    `generations` counts archived states of files that were taken in; they are no files.
    """

    files: int = 0
    added: int = 0
    appended: int = 0
    replayed: int = 0
    unchanged: int = 0
    gone: int = 0
    skipped: int = 0
    pending: int = 0
    failed: int = 0
    generations: int = 0
    bytes_read: int = 0
    rows_written: int = 0
    records: int = 0
    messages: int = 0
    problems: int = 0
    damage: int = 0
    yield_alarms: int = 0
    unknown_types: dict[str, int] = msgspec.field(default_factory=dict)

    def add(self, other: "Totals") -> None:
        """Add the counts of another."""
        for name in self.__struct_fields__:
            if name == "unknown_types":
                for type_name, count in other.unknown_types.items():
                    self.unknown_types[type_name] = self.unknown_types.get(type_name, 0) + count
            else:
                setattr(self, name, getattr(self, name) + getattr(other, name))


class FileProblem(msgspec.Struct, frozen=True, omit_defaults=True):
    """A file, or a place in it, that a person may want to look at. `reason` is a slug, `detail` a sentence."""

    source: str
    path: str
    reason: str
    detail: str = ""
    offset: int | None = None
    length: int | None = None


class SyncReport(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What a sync did. `problems` lists at most `PROBLEMS_SHOWN`; the totals count all of them."""

    totals: Totals
    sources: dict[str, Totals]
    problems: list[FileProblem]
    rebuilt: bool = False
    missing_roots: int = 0
    warnings: list[str] = msgspec.field(default_factory=list)


PROBLEMS_SHOWN = 50


class Progress(msgspec.Struct, frozen=True):
    """How far a sync is: bytes and files done and in all."""

    files_done: int
    files: int
    bytes_done: int
    bytes: int
