"""Calibration with labels from files and from a person."""

import json
import random
from pathlib import Path

import pytest

from lith.errors import UsageError
from lith.kernel.clock import system_clock
from lith.ops.runtime import Runtime
from lith.ops.wiki.models import ModelChoice
from lith.ops.wiki.tiling_calibrate import Sketch, TilingCalibrateRequest, tiling_calibrate
from lith.ops.wiki.tiling_report import TilingReportRequest, tiling_report
from lith.wiki.errors import BadLabels

WORDS = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in "aeiou" for c in "lmnrst"]


@pytest.fixture
def runtime(home: Path) -> Runtime:
    """A runtime in a vault of 24 pages, every third of them with a planted duplicate (`copy of …`)."""
    generator = random.Random(5)
    root = home / "vault"
    (root / ".obsidian").mkdir(parents=True)
    for number in range(24):
        words = generator.choices(WORDS, k=160)
        (root / f"page {number}.md").write_text(f"# Page {number}\n\n{' '.join(words)}\n")
        if number % 3 == 0:
            words[::20] = generator.choices(WORDS, k=8)
            (root / f"copy of {number}.md").write_text(f"# Page {number}\n\n{' '.join(words)}\n")
    return Runtime(clock=system_clock, home=home, cwd=root, environment={}, data_dir=home / "data")


def is_planted(first: str, second: str) -> bool:
    numbers = {name.removesuffix(".md").split()[-1] for name in (first, second)}
    return len(numbers) == 1


def judge(number: int, total: int, first: Sketch, second: Sketch) -> str | None:
    return "duplicate" if is_planted(first.path, second.path) else "distinct"


def request(**given: object) -> TilingCalibrateRequest:
    return TilingCalibrateRequest(model=ModelChoice(model="hashed"), **given)  # type: ignore[arg-type]


def test_a_person_who_labels_planted_duplicates_gets_bands_that_find_just_them(runtime: Runtime) -> None:
    before = tiling_report(TilingReportRequest(model=ModelChoice(model="hashed")), runtime)
    assert before.bands.source == "default"
    result = tiling_calibrate(request(), runtime, ask=judge)
    assert result.calibration is not None
    assert result.calibration.stored
    assert result.calibration.error.precision >= 0.95
    assert result.calibration.error.recall == 1.0
    report = tiling_report(TilingReportRequest(model=ModelChoice(model="hashed")), runtime)
    assert (report.bands.source, report.bands.warnings) == ("calibrated", [])
    assert report.near == 8
    assert all(is_planted(pair.first, pair.second) for pair in report.items if pair.band == "error")


def test_what_was_labelled_is_kept_when_a_person_stops(runtime: Runtime) -> None:
    seen: list[int] = []

    def ask(number: int, total: int, first: Sketch, second: Sketch) -> str | None:
        seen.append(number)
        return None if len(seen) % 4 == 0 else judge(number, total, first, second)

    first = tiling_calibrate(request(), runtime, ask=ask)
    assert (first.labeled, first.calibration) == (3, None)
    second = tiling_calibrate(request(), runtime, ask=ask)
    assert second.labeled == 6
    assert seen == [1, 2, 3, 4, 4, 5, 6, 7], "it goes on where it was left"


def test_questions_go_to_a_file_and_come_back_with_labels(runtime: Runtime) -> None:
    drawn = tiling_calibrate(request(questions="pairs.json"), runtime)
    assert drawn.next is not None
    assert drawn.next[0][4:6] == ["--labels", "pairs.json"]
    file = runtime.cwd / "pairs.json"
    questions = json.loads(file.read_bytes())
    with pytest.raises(UsageError, match="there already"):
        tiling_calibrate(request(questions="pairs.json"), runtime)
    with pytest.raises(BadLabels, match="0 pairs"):
        tiling_calibrate(request(labels="pairs.json"), runtime)
    for item in questions["items"]:
        item["label"] = "duplicate" if is_planted(item["first"], item["second"]) else "distinct"
    by_id = {item["id"]: item["label"] for item in questions["items"]}
    (runtime.cwd / "ids.json").write_text(json.dumps(by_id))
    from_ids = tiling_calibrate(request(labels="ids.json"), runtime)
    from_both = tiling_calibrate(request(labels="ids.json", questions="pairs.json"), runtime)
    file.write_text(json.dumps(questions))
    from_file = tiling_calibrate(request(labels="pairs.json"), runtime)
    assert from_ids.calibration == from_both.calibration == from_file.calibration
    assert from_file.items == []


def test_labels_that_reach_no_target_store_nothing(runtime: Runtime) -> None:
    def all_distinct(number: int, total: int, first: Sketch, second: Sketch) -> str | None:
        return "distinct"

    result = tiling_calibrate(request(), runtime, ask=all_distinct)
    assert result.calibration is not None
    assert not result.calibration.stored
    assert not (runtime.cwd / ".vault-meta" / "tiling-thresholds.json").exists()


@pytest.mark.parametrize("target", ["high", "0.9", "0,0.8", "1.2,0.5"])
def test_a_target_is_two_precisions(runtime: Runtime, target: str) -> None:
    with pytest.raises(UsageError, match="targets"):
        tiling_calibrate(request(target=target), runtime)


def test_a_vault_without_two_pages_has_no_pairs(runtime: Runtime) -> None:
    for page in runtime.cwd.glob("*.md"):
        page.unlink()
    with pytest.raises(UsageError, match="no two pages"):
        tiling_calibrate(request(), runtime)
