"""Removing generations after prunes: the originals stay, and so does what an undo needs."""

from pathlib import Path

from tests.keep.transcripts import EVERYTHING, make
from tests.keep.world import KEY, NOW, age

from lith.archive import ArchiveItem, archive_file, find_generations, open_generation, plan_gc
from lith.keep import House, apply_gc, apply_prune, apply_undo, holdings, plan_prune, plan_undo


def test_pruned_states_go_and_originals_stay(house: House, live: Path) -> None:
    item = ArchiveItem(KEY.source, KEY.session, KEY.path, live)
    apply_prune(plan_prune(KEY, live, now=NOW), house)
    archive_file(house.archive, item, clock=lambda: NOW)
    tail = make(["prompt", "progress", "prompt"], start=500)
    live.write_bytes(live.read_bytes() + tail)
    age(live, 3_600_000)
    apply_prune(plan_prune(KEY, live, now=NOW), house)
    archive_file(house.archive, item, clock=lambda: NOW)
    numbers = [one.number for one in find_generations(house.archive, KEY)]
    assert numbers == [1, 2, 3]
    plan = holdings.plan_gc(house.archive)
    assert plan.removals == (), "the second is what an undo needs, the first has the originals"
    assert [one.generation for one in plan_gc(house.archive).removals] == []
    apply_gc(house.archive, plan, clock=lambda: NOW)
    age(live)
    apply_undo(plan_undo(KEY, live, house.archive), house)
    age(live)
    apply_undo(plan_undo(KEY, live, house.archive), house)
    assert live.read_bytes() == EVERYTHING + tail


def test_a_pruned_state_that_nobody_needs_goes(house: House, live: Path) -> None:
    item = ArchiveItem(KEY.source, KEY.session, KEY.path, live)
    apply_prune(plan_prune(KEY, live, now=NOW), house)
    archive_file(house.archive, item, clock=lambda: NOW)
    age(live)
    apply_undo(plan_undo(KEY, live, house.archive), house)
    live.write_bytes(live.read_bytes() + make(["prompt"], start=500))
    archive_file(house.archive, item, clock=lambda: NOW)
    removed = apply_gc(house.archive, holdings.plan_gc(house.archive), clock=lambda: NOW)
    assert [one.generation for one in removed] == [2]
    (kept,) = find_generations(house.archive, KEY)
    with open_generation(kept) as reader:
        assert reader.read() == live.read_bytes()
