"""Removing generations: only what is held elsewhere byte for byte, or shortened from what is."""

import os
from collections.abc import Callable
from pathlib import Path

from tests.archive.conftest import NOW, line, plain

from lith.archive import ArchiveItem, RunReport, apply_gc, find_generations, plan_gc
from lith.archive.importing import is_held
from lith.kernel import ids

Run = Callable[..., RunReport]


def state(live: Path, archive: Run, *rows: bytes, at: int) -> bytes:
    """Rewrite the live file, date it, archive it."""
    live.write_bytes(b"".join(rows))
    os.utime(live, (at, at))
    archive()
    return live.read_bytes()


def test_a_generation_whose_records_are_all_elsewhere_may_go(root: Path, live: Path, item: ArchiveItem, archive: Run) -> None:
    state(live, archive, line(2), line(1), at=100)
    last = state(live, archive, line(1), line(2), line(3), at=200)
    plan = plan_gc(root)
    assert [one.generation for one in plan.removals] == [1]
    assert plan.freed > 0
    assert len(find_generations(root, item.key)) == 2, "a plan removes nothing"
    assert apply_gc(root, plan, clock=lambda: NOW) == list(plan.removals)
    (kept,) = find_generations(root, item.key)
    assert plain(kept.folder) == last
    assert plan_gc(root).removals == ()
    assert not list(root.rglob(".removed-*"))


def test_the_only_copy_of_a_record_is_never_removed(root: Path, live: Path, item: ArchiveItem, archive: Run) -> None:
    """Same id, same length, other content: two records."""
    state(live, archive, line(1), line(2).replace(b'"text":"2', b'"text":"x'), at=100)
    state(live, archive, line(1), line(2), line(3), at=200)
    assert plan_gc(root).removals == ()


def test_of_two_that_hold_each_other_one_stays(root: Path, live: Path, item: ArchiveItem, archive: Run) -> None:
    state(live, archive, line(1), line(2), at=100)
    state(live, archive, line(2), line(1), at=200)
    state(live, archive, line(3), at=300)
    plan = plan_gc(root)
    assert [one.generation for one in plan.removals] == [1]


def test_a_shortened_record_is_held_by_its_original(root: Path, live: Path, item: ArchiveItem, archive: Run) -> None:
    short = line(2, 10)
    state(live, archive, line(1), line(2), at=100)
    state(live, archive, line(1), short, at=200)
    state(live, archive, line(9), at=300)
    originals = {ids.digest(short.strip()): ids.digest(line(2).strip())}
    assert plan_gc(root).removals == ()
    assert [one.generation for one in plan_gc(root, originals=originals).removals] == [2]
    protected = [(item.key, 2)]
    assert plan_gc(root, originals=originals, protected=protected).removals == ()


def test_damage_neither_goes_nor_covers(root: Path, live: Path, item: ArchiveItem, archive: Run) -> None:
    state(live, archive, line(2), line(1), at=100)
    state(live, archive, line(1), line(2), line(3), at=200)
    plan = plan_gc(root)
    segment = find_generations(root, item.key)[1].segments[0]
    data = bytearray(segment.file.read_bytes())
    data[40] ^= 1
    segment.file.write_bytes(data)
    assert plan_gc(root).removals == ()
    assert apply_gc(root, plan, clock=lambda: NOW) == [], "the plan was made in better days"
    assert len(find_generations(root, item.key)) == 2


def test_what_is_held_is_known(root: Path, live: Path, item: ArchiveItem, archive: Run) -> None:
    archive()
    assert is_held(root, item.key, live)
    live.write_bytes(live.read_bytes()[:100])
    assert is_held(root, item.key, live)
    live.write_bytes(b"other")
    assert not is_held(root, item.key, live)
