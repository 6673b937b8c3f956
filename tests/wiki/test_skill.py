"""Skills are installed once, and an edited one stays."""

from pathlib import Path

import pytest

from lith.errors import UsageError
from lith.wiki.errors import OutsideVault
from lith.wiki.frontmatter import read_front
from lith.wiki.skill import install_skills, list_skills, plan_skills, read_skill


def test_every_skill_has_a_name_and_a_description() -> None:
    assert list_skills() == ["wiki-fold", "wiki-frontier", "wiki-ingest", "wiki-lint"]
    for name in list_skills():
        front = read_front(read_skill(name).encode())
        assert front.problems == []
        assert front.values["name"] == name
        assert "Use when" in str(front.values["description"])


def test_installing_is_idempotent_and_spares_edits(tmp_path: Path) -> None:
    assert {item.status for item in plan_skills(tmp_path)} == {"new"}
    assert {item.status for item in install_skills(tmp_path)} == {"written"}
    assert {item.status for item in install_skills(tmp_path)} == {"same"}
    place = tmp_path / ".claude/skills/wiki-fold/SKILL.md"
    place.write_text("my own")
    assert [item.status for item in install_skills(tmp_path, ["wiki-fold"])] == ["changed"]
    assert place.read_text() == "my own"
    assert [item.status for item in install_skills(tmp_path, ["wiki-fold"], force=True)] == ["replaced"]
    assert place.read_text() == read_skill("wiki-fold")


def test_wrong_names_and_places_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no skill"):
        install_skills(tmp_path, ["../x"])
    with pytest.raises(OutsideVault):
        install_skills(tmp_path, folder="../elsewhere")
