"""Every setting with its origin."""

from pathlib import Path

from tests.command_line import CommandLine

from lith.config.settings import SETTINGS
from lith.ops.config_show import ConfigShowRequest, config_show
from lith.ops.runtime import open_runtime


def test_every_setting_is_shown_with_its_origin(home: Path) -> None:
    file = home / ".config" / "lith" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text("[sources]\nroots.codex = ['/a', '/b']\n")
    runtime = open_runtime(environment={"HOME": str(home), "LITH_SOURCES_DISABLED": "pi,dsh"})
    result = config_show(ConfigShowRequest(), runtime)
    shown = {setting.key: (setting.value, setting.origin) for setting in result.settings}
    expected = {
        "sources.roots": ({"codex": ["/a", "/b"]}, f"{file}:2"),
        "sources.disabled": (["pi", "dsh"], "$LITH_SOURCES_DISABLED"),
        "sources.projection": ("calls", "default"),
        "wiki.vault": ("", "default"),
    }
    assert {key: shown[key] for key in expected} == expected
    assert list(shown) == [setting.key for setting in SETTINGS]
    assert result.config_file == str(file)
    assert result.config_file_exists


def test_a_person_sees_value_and_origin(lith: CommandLine, home: Path) -> None:
    text = lith("config", "show").text
    assert "all defaults" in text
    assert all(setting.key in text and setting.variable in text for setting in SETTINGS)
    file = home / ".config" / "lith" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text("[sources]\nroots.codex = '/a'\nprojection = 'talk'\n")
    text = lith("config", "show").text
    assert "sources.roots = codex=/a" in text
    assert "sources.projection = talk" in text
    assert f"{file}:3" in text
