"""Verifying against the map: what is hit by damage, what of it is lost, what the map lacks."""

from pathlib import Path

from tests.keep.transcripts import make
from tests.keep.world import KEY, NOW, map_of

from lith.archive import ArchiveItem, archive_file, get_generation
from lith.keep import House, prove
from lith.kernel import ids


def archived(house: House, live: Path) -> None:
    generation = archive_file(house.archive, ArchiveItem(KEY.source, KEY.session, KEY.path, live), clock=lambda: NOW).generation
    map_of(house).index_generation(generation)


def test_a_sound_archive_is_proven_record_by_record(house: House, live: Path) -> None:
    archived(house, live)
    proof = prove(house.archive, map_of(house), deep=True)
    assert proof.sound
    assert proof.records > 30
    assert prove(house.archive, map_of(house)).records == 0


def test_what_the_map_lacks_is_counted(house: House, live: Path) -> None:
    archived(house, live)
    map_of(house).hashes[KEY, 1].discard(map_of(house).places[KEY, 1][0][1])
    proof = prove(house.archive, map_of(house), deep=True)
    assert not proof.sound
    assert [(one.generation, one.records) for one in proof.unindexed] == [(1, 1)]


def test_damage_names_its_records_and_those_that_nobody_else_has(house: House, live: Path) -> None:
    first = make(["prompt", "answer"])
    live.write_bytes(first)
    archived(house, live)
    live.write_bytes(first.splitlines(keepends=True)[0] + make(["prompt"], start=50))
    archived(house, live)
    segment = get_generation(house.archive, KEY, 1).segments[0].file
    data = bytearray(segment.read_bytes())
    data[30] ^= 4
    segment.write_bytes(data)
    proof = prove(house.archive, map_of(house), deep=True)
    assert not proof.sound
    (loss,) = proof.losses
    names = [ids.digest(line).hex() for line in first.splitlines()]
    assert list(loss.records) == names
    assert list(loss.lost) == names[1:]
