"""The evict gate: nothing is taken out of a live file before every record of it was read back from the archive, hash by hash.

`applying` and `undo` pass through it; no option leads around it. Lengths and names prove nothing here.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgspec

from lith.archive import ArchiveDamaged, Generation, find_generations, open_generation
from lith.keep.errors import GateRefused
from lith.keep.identity import iter_named
from lith.keep.ports import MapPort
from lith.keep.receipts import load_receipts
from lith.kernel import ids
from lith.kernel.jsonl import Huge, LineReader, Readable, iter_line_spans

_NAMED = 5


class Place(NamedTuple):
    """A record in a transcript: its line from 1, where its bytes are, and their content hash."""

    line: int
    offset: int
    length: int
    hash: bytes


def iter_records(source: Readable, end: int) -> Iterator[Place]:
    """Every record in the first `end` bytes, with the content hash that the map has of it."""
    for item in LineReader(source, end=end, final=True):
        if isinstance(item, Huge):
            if item.span.kind == "object":
                yield Place(item.span.line, item.span.offset, item.span.length, item.sha256[: ids.DIGEST_BYTES])
            continue
        spans = list(iter_line_spans(item.data, item.offset, item.line))
        for span in spans:
            if span.kind == "object":
                start = span.offset - item.offset
                yield Place(span.line, span.offset, span.length, ids.digest(item.data[start : start + span.length]))


def pass_gate(root: Path, live: BinaryIO, size: int, sha256: str, generation: Generation, map_port: MapPort) -> int:
    """Prove that the first `size` bytes of a live file are in a generation; returns how many records were proven.

    Raises `GateRefused`, naming the records that lack a copy, and `OSError`.
    """
    key = generation.key
    wanted: list[Place] = []
    known: set[bytes] = set()
    for named, record in iter_named(key.source, key.path, live, size):
        wanted.append(Place(named.line, named.offset, named.length, named.hash))
        if record is not None:
            known.add(named.hash)
    try:
        held, digest = _read_back(generation, size)
    except ArchiveDamaged as error:
        raise GateRefused(
            f"the archived copy cannot be read back: {error.message}", [], hint="run archive verify --deep"
        ) from error
    missing = [place for place in wanted if held.get(place.offset) != place.hash]
    if missing:
        raise _refuse(live, "have no archived copy with the same bytes", missing)
    if digest != sha256:
        raise GateRefused("the archived copy is not byte for byte the file", [], hint="run archive run, and try again")
    unindexed = set(map_port.find_unindexed(generation, known))
    if unindexed:
        raise _refuse(live, "are not in the map as archived", [place for place in wanted if place.hash in unindexed])
    _check_originals(root, live, generation, wanted)
    return len(wanted)


def _read_back(generation: Generation, size: int) -> tuple[dict[int, bytes], str]:
    """The hashes of the archived records by offset, and the digest of the archived bytes."""
    with open_generation(generation) as reader:
        hashing = _Hashing(reader)
        held = {place.offset: place.hash for place in iter_records(hashing, size)}
    return held, hashing.digest.hexdigest()


class _Hashing:
    """A stream that is read once from its start, and the digest of what was read."""

    def __init__(self, reader: Readable) -> None:
        self.digest = hashlib.sha256()
        self._reader = reader

    def read(self, size: int, /) -> bytes:
        data = self._reader.read(size)
        self.digest.update(data)
        return data

    def seek(self, offset: int, /) -> int:
        self.digest = hashlib.sha256()
        return self._reader.seek(offset)


def _check_originals(root: Path, live: BinaryIO, generation: Generation, wanted: list[Place]) -> None:
    """What an earlier prune shortened must still have its original in another generation."""
    originals = find_originals(root, generation)
    needed: dict[bytes, list[Place]] = {}
    for place in wanted:
        if place.hash in originals:
            needed.setdefault(originals[place.hash], []).append(place)
    if not needed:
        return
    for other in find_generations(root, generation.key):
        if other.number == generation.number or other.problems or not needed:
            continue
        try:
            with open_generation(other) as reader:
                for place in iter_records(reader, other.length):
                    needed.pop(place.hash, None)
        except ArchiveDamaged:
            continue
    if needed:
        raise _refuse(
            live, "were shortened before, and their originals are gone", [place for places in needed.values() for place in places]
        )


def find_originals(root: Path, generation: Generation) -> dict[bytes, bytes]:
    """From the hash of each record that a prune of this file shortened to that of its first original."""
    step: dict[bytes, bytes] = {}
    for receipt in load_receipts(root, generation.key):
        for pruned, original in receipt.pairs:
            first = step.get(bytes.fromhex(original), bytes.fromhex(original))
            if first != bytes.fromhex(pruned):
                step[bytes.fromhex(pruned)] = first
    return step


class _Named(msgspec.Struct):
    uuid: str | None = None
    id: str | None = None


def _refuse(live: BinaryIO, what: str, places: list[Place]) -> GateRefused:
    names = [f"line {place.line} ({_name(live, place)})" for place in places]
    shown = ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
    return GateRefused(
        f"{len(names)} records {what}: {shown}", names, hint="nothing was changed; run archive run, then archive verify --deep"
    )


def _name(live: BinaryIO, place: Place) -> str:
    """The id that a record gives itself, else its content hash."""
    live.seek(place.offset)
    try:
        named = msgspec.json.decode(live.read(place.length), type=_Named)
    except (msgspec.DecodeError, RecursionError):
        return place.hash.hex()
    return named.uuid or named.id or place.hash.hex()
