"""The gate: every way in which a copy may be missing closes it, and it says whose."""

from pathlib import Path

import pytest
from tests.keep.transcripts import EVERYTHING, make
from tests.keep.world import KEY, NOW, age, map_of

from lith.archive import ArchiveItem, Generation, archive_file, get_generation
from lith.keep import GateRefused, House, apply_prune, load_receipts, plan_prune


def test_a_record_that_the_map_lacks_is_named(house: House, live: Path) -> None:
    shelf = map_of(house)
    index = shelf.index_generation

    def forgetful(generation: Generation) -> None:
        index(generation)
        first = shelf.places[generation.key, generation.number][0][1]
        shelf.hashes[generation.key, generation.number].discard(first)

    shelf.index_generation = forgetful  # type: ignore[method-assign]
    with pytest.raises(GateRefused) as caught:
        apply_prune(plan_prune(KEY, live, now=NOW), house)
    assert caught.value.records == ["line 1 (00000000-0000-4001-8000-000000000000)"]
    assert "line 1" in caught.value.message
    assert live.read_bytes() == EVERYTHING


def test_bit_rot_in_the_archive_closes_the_gate(house: House, live: Path) -> None:
    archive_file(house.archive, ArchiveItem(KEY.source, KEY.session, KEY.path, live), clock=lambda: NOW)
    shelf = map_of(house)
    index = shelf.index_generation

    def rot(generation: Generation) -> None:
        index(generation)
        segment = generation.segments[0].file
        data = bytearray(segment.read_bytes())
        data[200] ^= 1
        segment.write_bytes(data)

    shelf.index_generation = rot  # type: ignore[method-assign]
    with pytest.raises(GateRefused):
        apply_prune(plan_prune(KEY, live, now=NOW), house)
    assert live.read_bytes() == EVERYTHING


def test_originals_of_an_earlier_prune_must_be_there_still(house: House, live: Path) -> None:
    apply_prune(plan_prune(KEY, live, now=NOW), house)
    live.write_bytes(live.read_bytes() + make(["prompt", "progress", "call", "prompt"]))
    age(live)
    for path in get_generation(house.archive, KEY, 1).folder.iterdir():
        path.unlink()
    before = live.read_bytes()
    with pytest.raises(GateRefused, match="originals are gone") as caught:
        apply_prune(plan_prune(KEY, live, now=NOW), house)
    assert len(caught.value.records) == len(load_receipts(house.archive, KEY)[0].pairs)
    assert live.read_bytes() == before
