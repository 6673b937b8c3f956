"""The page on settings names what there is to set."""

from pathlib import Path

import pytest

from lith.config.load import load
from lith.config.settings import SETTINGS, Setting
from lith.sources.registry import SOURCES

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "config.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.key)
def test_a_setting_was_in_no_page(setting: Setting) -> None:
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{setting.key}` |"))
    assert f"`{setting.variable}`" in row
    assert all(f"`{choice}`" in row for choice in setting.choices)


def test_every_client_is_named() -> None:
    assert all(f"`{name}`" in PAGE for name in SOURCES)


def test_the_example_is_a_config_file(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(PAGE.partition("```toml\n")[2].partition("```")[0], encoding="utf-8")
    config = load(file, {}, sources=tuple(SOURCES))
    assert {value.key for value in config.values if value.origin.startswith(str(file))} >= {"sources.roots", "sources.projection"}
