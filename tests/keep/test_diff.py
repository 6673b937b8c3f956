"""What a prune cost, record by record."""

from pathlib import Path

from tests.keep.transcripts import EVERYTHING, make
from tests.keep.world import KEY, NOW, age

from lith.archive import ArchiveItem, archive_file, get_generation
from lith.keep import House, apply_prune, diff_generations, load_receipts, plan_prune

ITEM = (KEY.source, KEY.session, KEY.path)


def test_a_prune_is_told_record_by_record(house: House, live: Path) -> None:
    plan = plan_prune(KEY, live, now=NOW)
    apply_prune(plan, house)
    archive_file(house.archive, ArchiveItem(*ITEM, live), clock=lambda: NOW)
    diff = diff_generations(get_generation(house.archive, KEY, 1), get_generation(house.archive, KEY, 2))
    assert (diff.bytes_before, diff.bytes_after) == (len(EVERYTHING), plan.bytes_after)
    assert diff.added == 0
    assert diff.removed == plan.removed
    assert diff.changed == len(load_receipts(house.archive, KEY)[0].pairs)
    assert all(change.after < change.before for change in diff.changes if change.what == "removed")
    assert {change.type for change in diff.changes if change.what == "removed"} >= {"progress/bash_progress", "ai-title"}


def test_a_rewrite_that_keeps_ids_is_a_change_and_not_the_same(house: House, live: Path) -> None:
    live.write_bytes(make(["prompt", "answer"]))
    archive_file(house.archive, ArchiveItem(*ITEM, live), clock=lambda: NOW)
    live.write_bytes(make(["prompt", "answer"]).replace(b"an answer", b"an insert") + make(["prompt"], start=70))
    age(live)
    archive_file(house.archive, ArchiveItem(*ITEM, live), clock=lambda: NOW)
    old, new = get_generation(house.archive, KEY, 1), get_generation(house.archive, KEY, 2)
    diff = diff_generations(old, new)
    assert (diff.same, diff.changed, diff.removed, diff.added) == (1, 1, 0, 1)
    assert diff_generations(old, old).changes == ()
