"""On a session with the byte shares of real ones: what the archive takes, and what a prune takes away."""

from pathlib import Path

import pytest
from benchmarks.corpus import write_corpus
from tests.keep.world import NOW, age, build_house

from lith.archive import FileKey, get_generation
from lith.keep import apply_prune, plan_prune


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("corpus")
    (path,) = write_corpus(base / "projects", source="claude_code", megabytes=10, session_megabytes=10)
    age(path)
    return path


def test_most_of_the_bytes_go_and_the_archive_is_a_quarter(session: Path) -> None:
    key = FileKey("claude_code", session.stem, f"{session.parent.name}/{session.name}")
    plan = plan_prune(key, session, now=NOW)
    kinds = {kind.kind: kind for kind in plan.kinds}
    for name in ("user_text", "assistant_text"):
        assert kinds[name].bytes_before == kinds[name].bytes_after > 0
    house = build_house(session.parents[2])
    result = apply_prune(plan, house)
    assert result.size_after <= 0.4 * result.size_before
    assert get_generation(house.archive, key).stored <= 0.25 * result.size_before
