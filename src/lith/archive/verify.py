"""Is the archive what was written? By the facts of its segments, and with `deep` by reading every byte.

`ops` calls it through `keep`, which knows what records a damaged span held. It repairs nothing and changes nothing.
"""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

from lith.archive.errors import ArchiveDamaged
from lith.archive.generation import Generation, iter_generations
from lith.archive.layout import FileKey
from lith.archive.segment import Segment, chain_digest, open_plain, read_frame


class Damage(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something in a generation that cannot be trusted; `start` and `end` are the raw bytes of it that are hit, where that is known."""

    key: FileKey
    generation: int
    reason: str
    detail: str
    start: int | None = None
    end: int | None = None


class VerifyReport(msgspec.Struct, kw_only=True):
    """What was counted: `length` in raw bytes, `stored` on the disk. `leftovers` are files that belong to nothing and cost only space."""

    deep: bool
    files: int = 0
    generations: int = 0
    segments: int = 0
    length: int = 0
    stored: int = 0
    damage: list[Damage] = msgspec.field(default_factory=list)
    leftovers: list[str] = msgspec.field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Whether there is no doubt about anything."""
        return not self.damage


def verify(root: Path, *, source: str | None = None, session: str | None = None, deep: bool = False) -> VerifyReport:
    """Check the archive, or the part of one client or session. Raises `ArchiveRefused` for a symlink, `OSError`."""
    report = VerifyReport(deep=deep)
    files = set()
    for generation in iter_generations(root, source, session):
        files.add(generation.folder.parent)
        report.generations += 1
        report.segments += len(generation.segments)
        report.length += generation.length
        report.stored += generation.stored
        report.damage += check_generation(generation, deep=deep)
        report.leftovers += _leftovers(generation)
    report.files = len(files)
    return report


def check_generation(generation: Generation, *, deep: bool) -> list[Damage]:
    """What is wrong with one generation. Raises `OSError` where a file cannot be opened."""
    found = [_damage(generation, "structure", problem) for problem in generation.problems]
    chain = ""
    for segment in generation.segments:
        chain = chain_digest(chain, segment.facts.sha256)
        if segment.facts.chain != chain:
            found.append(_damage(generation, "chain", f"{segment.file} does not follow the segment before it"))
            chain = segment.facts.chain
    if deep:
        found += _iter_broken(generation)
    return found


def _iter_broken(generation: Generation) -> Iterator[Damage]:
    whole = hashlib.sha256()
    broken = False
    for segment in generation.segments:
        own = hashlib.sha256()
        spans = []
        for start, end, data in _iter_frames(segment):
            if data is None:
                spans.append((start, end))
                continue
            own.update(data)
            whole.update(data)
        for start, end in spans:
            yield _damage(generation, "frame", f"a frame of {segment.file} is broken", start, end)
        if not spans and own.hexdigest() != segment.facts.sha256:
            yield _damage(generation, "digest", f"{segment.file} holds other bytes", segment.facts.offset, segment.facts.end)
            spans = [(segment.facts.offset, segment.facts.end)]
        broken = broken or bool(spans)
    if not broken and generation.whole not in {None, whole.hexdigest()}:
        yield _damage(generation, "digest", "the generation does not have its digest", 0, generation.length)


def _iter_frames(segment: Segment) -> Iterator[tuple[int, int, bytes | None]]:
    at = segment.facts.offset
    with open_plain(segment.file) as handle:
        for index, (_, _, raw) in enumerate(segment.frames):
            try:
                yield at, at + raw, read_frame(handle, segment, index)
            except ArchiveDamaged:
                yield at, at + raw, None
            at += raw


def _leftovers(generation: Generation) -> list[str]:
    with os.scandir(generation.folder) as entries:
        temporary = sorted(entry.name for entry in entries if entry.name.endswith(".tmp"))
    return [*map(str, generation.leftovers), *(str(generation.folder / name) for name in temporary)]


def _damage(generation: Generation, reason: str, detail: str, start: int | None = None, end: int | None = None) -> Damage:
    return Damage(generation.key, generation.number, reason, detail, start, end)
