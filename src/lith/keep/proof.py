"""The proof: is everything in the archive what was written, is it in the map, and what does damage cost?

`ops` calls it for `archive verify`. It reads and compares, and changes nothing.
"""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from lith.archive import ArchiveDamaged, Damage, Generation, VerifyReport, iter_generations, open_generation, verify
from lith.keep.identity import iter_named


class CopiesPort(Protocol):
    """The map, as far as verifying goes; `ops` connects it."""

    def find_in_generation(self, generation: Generation, start: int, end: int) -> Sequence[tuple[str, bytes]]:
        """(record id, content hash) of the records that the map has in a span of a generation."""
        ...

    def find_unindexed(self, generation: Generation, hashes: Collection[bytes]) -> Collection[bytes]:
        """As `MapPort.find_unindexed`."""
        ...

    def find_readable_copies(self, content_hash: bytes) -> Sequence[str]:
        """Where else the record is, in words: only places whose bytes were read and have the hash."""
        ...


class Loss(msgspec.Struct, frozen=True):
    """Damage with what it hit: `records` are the ids in the span, `lost` those that no other place was found for."""

    damage: Damage
    records: tuple[str, ...]
    lost: tuple[str, ...]


class Unindexed(msgspec.Struct, frozen=True):
    """A generation of which the map lacks records."""

    path: str
    generation: int
    records: int


class Proof(msgspec.Struct, frozen=True):
    """All that a verify found; `records` were read and hashed (with `deep` only)."""

    report: VerifyReport
    losses: tuple[Loss, ...]
    unindexed: tuple[Unindexed, ...]
    records: int

    @property
    def sound(self) -> bool:
        """Whether there is no doubt about anything."""
        return self.report.sound and not self.unindexed


def prove(root: Path, copies: CopiesPort, *, source: str | None = None, session: str | None = None, deep: bool = False) -> Proof:
    """Verify the archive against itself and the map. Raises `ArchiveRefused`, `OSError`."""
    report = verify(root, source=source, session=session, deep=deep)
    generations = {(one.folder.parent, one.number): one for one in iter_generations(root, source, session)}
    by_key = {(one.key, one.number): one for one in generations.values()}
    losses = tuple(_weigh(damage, by_key.get((damage.key, damage.generation)), copies) for damage in report.damage)
    unindexed = []
    records = 0
    broken = {(damage.key, damage.generation) for damage in report.damage}
    for generation in generations.values() if deep else ():
        if (generation.key, generation.number) in broken or ".jsonl" not in generation.key.path:
            continue
        count, missing = _count(generation, copies)
        records += count
        if missing:
            unindexed.append(Unindexed(generation.key.path, generation.number, missing))
    return Proof(report, losses, tuple(unindexed), records)


def _weigh(damage: Damage, generation: Generation | None, copies: CopiesPort) -> Loss:
    if generation is None or damage.start is None or damage.end is None:
        return Loss(damage, (), ())
    hit = copies.find_in_generation(generation, damage.start, damage.end)
    lost = tuple(record for record, found in hit if not copies.find_readable_copies(found))
    return Loss(damage, tuple(record for record, _ in hit), lost)


def _count(generation: Generation, copies: CopiesPort) -> tuple[int, int]:
    """How many records a generation holds, and how many of them the map lacks."""
    try:
        with open_generation(generation) as reader:
            key = generation.key
            hashes = [named.hash for named, record in iter_named(key.source, key.path, reader) if record is not None]
    except ArchiveDamaged:
        return 0, 0
    missing = set(copies.find_unindexed(generation, set(hashes)))
    return len(hashes), sum(1 for one in hashes if one in missing)
