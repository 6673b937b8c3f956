"""A prune from plan to receipt: what it writes, what it refuses, and that the original comes back."""

import json
import stat
from pathlib import Path

import msgspec
import pytest
from tests.keep.transcripts import EVERYTHING, REAL, SESSION, make
from tests.keep.world import KEY, NOW, age, build_house, map_of

from lith.archive import find_generations, get_generation, open_generation, read_range
from lith.errors import Locked
from lith.keep import (
    CannotPrune,
    FileChanged,
    GateRefused,
    House,
    SessionLive,
    TornLine,
    UndoRefused,
    apply_prune,
    apply_undo,
    iter_records,
    load_receipts,
    plan_prune,
    plan_undo,
)
from lith.keep.applying import exclusive
from lith.kernel import ids


def pruned(house: House, live: Path, mode: str = "resume") -> None:
    apply_prune(plan_prune(KEY, live, now=NOW, mode=mode), house)


def test_a_prune_leaves_the_original_in_the_archive_and_a_receipt(house: House, live: Path) -> None:
    plan = plan_prune(KEY, live, now=NOW)
    assert live.read_bytes() == EVERYTHING
    assert not house.archive.exists()
    result = apply_prune(plan, house)
    assert live.stat().st_size == result.size_after == plan.bytes_after < plan.bytes_before
    generation = get_generation(house.archive, KEY)
    with open_generation(generation) as reader:
        assert reader.read() == EVERYTHING
    (receipt,) = load_receipts(house.archive, KEY)
    assert receipt == result.receipt == map_of(house).receipts[0]
    assert map_of(house).resynced == [live]
    assert result.records_proven > 30


def test_every_record_that_was_shortened_is_found_by_its_receipt(house: House, live: Path) -> None:
    pruned(house, live)
    generation = get_generation(house.archive, KEY)
    with open_generation(generation) as reader:
        places = {place.hash.hex(): place for place in iter_records(reader, generation.length)}
    pairs = dict(load_receipts(house.archive, KEY)[0].pairs)
    shortened = 0
    for line in live.read_bytes().splitlines():
        found = ids.digest(line.strip()).hex()
        original = pairs.get(found, found)
        if original not in places:
            continue  # two objects in one line, a blank, damage
        place = places[original]
        data = read_range(generation, place.offset, place.length)
        shortened += data != line
        if data != line:
            assert json.loads(data)["uuid"] == json.loads(line)["uuid"]
    assert shortened == len(pairs) > 5


def test_pruning_again_changes_nothing(house: House, live: Path) -> None:
    pruned(house, live)
    once = live.read_bytes()
    age(live)
    again = plan_prune(KEY, live, now=NOW)
    assert not again.changes
    inode = live.stat().st_ino
    result = apply_prune(again, house)
    assert (result.receipt, result.size_after) == (None, len(once))
    assert live.read_bytes() == once
    assert live.stat().st_ino == inode
    assert len(load_receipts(house.archive, KEY)) == 1


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_the_mode_stays(house: House, live: Path, mode: int) -> None:
    live.chmod(mode)
    pruned(house, live)
    assert stat.S_IMODE(live.stat().st_mode) == mode
    assert [path.name for path in live.parent.iterdir()] == [live.name]


@pytest.mark.parametrize("path", REAL, ids=lambda path: f"{path.parts[-4]}-{path.stem[:18]}")
def test_real_transcripts_come_back_byte_for_byte(path: Path, house: House, live: Path) -> None:
    live.write_bytes(path.read_bytes())
    age(live)
    plan = plan_prune(KEY, live, now=NOW)
    apply_prune(plan, house)
    if plan.changes:
        assert live.stat().st_size == plan.bytes_after
        assert apply_undo(plan_undo(KEY, live, house.archive), house).size_after == path.stat().st_size
    assert live.read_bytes() == path.read_bytes()


def test_undo_keeps_what_was_written_since(house: House, live: Path) -> None:
    pruned(house, live)
    tail = make(["prompt", "call"], start=500)
    with live.open("ab") as file:
        file.write(tail)
    age(live)
    plan = plan_undo(KEY, live, house.archive)
    assert plan.tail == len(tail)
    apply_undo(plan, house)
    assert live.read_bytes() == EVERYTHING + tail
    with pytest.raises(UndoRefused, match="original already"):
        plan_undo(KEY, live, house.archive)


def test_prunes_are_undone_one_by_one(house: House, live: Path) -> None:
    pruned(house, live)
    first = live.read_bytes()
    tail = make(["prompt", "progress", "call", "call", "prompt"], start=500)
    live.write_bytes(first + tail)
    age(live)
    pruned(house, live)
    assert len(live.read_bytes()) < len(first + tail)
    assert len(load_receipts(house.archive, KEY)) == 2
    for expected in (first + tail, EVERYTHING + tail):
        age(live)
        apply_undo(plan_undo(KEY, live, house.archive), house)
        assert live.read_bytes() == expected


def test_undo_of_what_was_rewritten_since_is_refused(house: House, live: Path) -> None:
    with pytest.raises(UndoRefused, match="never pruned"):
        plan_undo(KEY, live, house.archive)
    pruned(house, live)
    data = live.read_bytes()
    live.write_bytes(data.replace(b"please do", b"PLEASE DO"))
    with pytest.raises(UndoRefused, match="rewritten"):
        plan_undo(KEY, live, house.archive)


def test_undo_without_the_original_is_refused_and_changes_nothing(house: House, live: Path) -> None:
    pruned(house, live)
    age(live)
    plan = plan_undo(KEY, live, house.archive)
    for path in get_generation(house.archive, KEY, 1).folder.iterdir():
        path.unlink()
    before = live.read_bytes()
    with pytest.raises((UndoRefused, GateRefused)):
        apply_undo(plan, house)
    assert live.read_bytes() == before


def test_a_plan_of_yesterday_is_refused(house: House, live: Path) -> None:
    plan = plan_prune(KEY, live, now=NOW)
    live.write_bytes(EVERYTHING + make(["prompt"]))
    age(live)
    with pytest.raises(FileChanged):
        apply_prune(plan, house)
    live.write_bytes(EVERYTHING[:-2] + b"x\n")
    age(live)
    with pytest.raises(FileChanged):
        apply_prune(plan, house)
    assert live.read_bytes() == EVERYTHING[:-2] + b"x\n"


def test_a_prune_is_no_use_of_the_session(house: House, live: Path) -> None:
    """The client lists sessions by their time, and an undo must not have to wait until the file counts as quiet."""
    before = live.stat().st_mtime_ns
    pruned(house, live)
    assert live.stat().st_mtime_ns == before
    apply_undo(plan_undo(KEY, live, house.archive), house)
    assert live.stat().st_mtime_ns == before


def test_a_live_session_is_refused(house: House, live: Path) -> None:
    plan = plan_prune(KEY, live, now=NOW)
    age(live, 1000)
    with pytest.raises(SessionLive):
        apply_prune(plan, house)
    assert live.read_bytes() == EVERYTHING


def test_a_half_written_line_is_refused_and_a_whole_one_is_not(house: House, live: Path) -> None:
    live.write_bytes(make(["prompt", "call"]) + b'{"type":"user","mess')
    age(live)
    plan = plan_prune(KEY, live, now=NOW)
    assert plan.torn
    before = live.read_bytes()
    with pytest.raises(TornLine):
        apply_prune(plan, house)
    assert live.read_bytes() == before
    live.write_bytes(make(["prompt", "call", "answer"], final_newline=False))
    age(live)
    whole = live.read_bytes()
    pruned(house, live)
    assert live.read_bytes().splitlines()[-1] == whole.splitlines()[-1]
    age(live)
    apply_undo(plan_undo(KEY, live, house.archive), house)
    assert live.read_bytes() == whole


def test_paths_that_lead_elsewhere_are_refused(house: House, live: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.jsonl"
    outside.write_bytes(EVERYTHING)
    age(outside)
    link = live.with_name("link.jsonl")
    link.symlink_to(outside)
    for path in (outside, link, live.with_name("missing.jsonl")):
        with pytest.raises(CannotPrune):
            apply_prune(msgspec.structs.replace(plan_prune(KEY, outside, now=NOW), path=str(path)), house)
    assert outside.read_bytes() == EVERYTHING
    inside = live.with_name("inside.jsonl")
    inside.symlink_to(live)
    apply_prune(plan_prune(KEY, inside, now=NOW), house)
    assert inside.is_symlink()
    assert live.stat().st_size < len(EVERYTHING)


def test_a_file_that_may_not_be_written_is_refused(house: House, live: Path) -> None:
    plan = plan_prune(KEY, live, now=NOW)
    live.chmod(0o400)
    with pytest.raises(CannotPrune):
        apply_prune(plan, house)
    assert live.read_bytes() == EVERYTHING


def test_a_second_pruner_is_refused(house: House, live: Path, tmp_path: Path) -> None:
    plan = plan_prune(KEY, live, now=NOW)
    with exclusive(build_house(tmp_path), SESSION), pytest.raises(Locked):
        apply_prune(plan, house)
    assert live.read_bytes() == EVERYTHING
    apply_prune(plan, house)


def test_a_map_that_fails_after_the_swap_is_a_warning(house: House, live: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(path: Path) -> None:
        raise OSError("the map is away")

    shelf = map_of(house)
    monkeypatch.setattr(shelf, "resync", fail)
    result = apply_prune(plan_prune(KEY, live, now=NOW), house)
    assert result.warnings
    assert live.stat().st_size == result.size_after


def test_the_pruned_state_is_archived_as_a_generation_of_its_own(house: House, live: Path) -> None:
    pruned(house, live)
    age(live)
    pruned(house, live)
    generations = find_generations(house.archive, KEY)
    assert [one.length for one in generations] == [len(EVERYTHING), live.stat().st_size]
