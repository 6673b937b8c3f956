"""A house for the pruner: real files, a real archive, and a small map that reads what it is told to index."""

import os
from collections.abc import Collection, Sequence
from pathlib import Path

from tests.keep.transcripts import SESSION

from lith.archive import DISK, Disk, FileKey, Generation, open_generation
from lith.keep import House, Receipt, Timing, iter_records

NOW = 1_790_000_000_000
KEY = FileKey("claude_code", SESSION, f"-home-dev-x/{SESSION}.jsonl")


class ShelfMap:
    """A map in memory: the content hashes of every generation that was indexed, read from the archive."""

    def __init__(self) -> None:
        self.hashes: dict[tuple[FileKey, int], set[bytes]] = {}
        self.places: dict[tuple[FileKey, int], list[tuple[int, bytes]]] = {}
        self.receipts: list[Receipt] = []
        self.resynced: list[Path] = []

    def index_generation(self, generation: Generation) -> None:
        with open_generation(generation) as reader:
            places = [(place.offset, place.hash) for place in iter_records(reader, generation.length)]
        self.places[generation.key, generation.number] = places
        self.hashes[generation.key, generation.number] = {found for _, found in places}

    def find_unindexed(self, generation: Generation, hashes: Collection[bytes]) -> Collection[bytes]:
        return set(hashes) - self.hashes.get((generation.key, generation.number), set())

    def note_receipt(self, receipt: Receipt) -> None:
        self.receipts.append(receipt)

    def resync(self, path: Path) -> None:
        self.resynced.append(path)

    def find_in_generation(self, generation: Generation, start: int, end: int) -> Sequence[tuple[str, bytes]]:
        places = self.places.get((generation.key, generation.number), [])
        return [(found.hex(), found) for offset, found in places if start <= offset < end]

    def find_readable_copies(self, content_hash: bytes) -> Sequence[str]:
        return [key.path for (key, number), found in self.hashes.items() if content_hash in found and number != 1]


class Nobody:
    """Holds nothing."""

    def find_holders(self, path: Path, session: str) -> Sequence[str]:
        return ()


def age(path: Path, ms: int = 3_600_000 * 5) -> None:
    """Date a file so long before now."""
    at = (NOW - ms) * 1_000_000
    os.utime(path, ns=(at, at))


def build_house(base: Path, disk: Disk = DISK) -> House:
    """A house whose archive and sessions are below `base`; waiting takes no time in it."""
    return House(
        archive=base / "archive",
        roots=(base / "projects",),
        map=ShelfMap(),
        holders=Nobody(),
        clock=lambda: NOW,
        disk=disk,
        timing=Timing(sleep=lambda _: None),
    )


def map_of(house: House) -> ShelfMap:
    assert isinstance(house.map, ShelfMap)
    return house.map
