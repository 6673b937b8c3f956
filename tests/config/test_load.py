"""The settings: which origin wins, and what is said about a word that is not valid."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lith.config.load import load
from lith.config.settings import SETTINGS, find_unknown_variables
from lith.config.values import Config
from lith.errors import ConfigError, UsageError

CLIENTS = ("claude_code", "codex")


def read(tmp_path: Path, text: str | None, environment: dict[str, str] | None = None, **flags: list[str]) -> Config:
    file = tmp_path / "config.toml"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    named = {key.replace("_", ".", 1): words for key, words in flags.items()}
    return load(file, environment or {}, sources=CLIENTS, flags=named)


def origins(config: Config) -> dict[str, str]:
    return {value.key: value.origin for value in config.values if value.key.startswith("sources.")}


def test_without_a_file_everything_is_default(tmp_path: Path) -> None:
    config = read(tmp_path, None)
    assert not config.file_exists
    assert config.sources.projection == "calls"
    assert {value.origin for value in config.values} == {"default"}
    assert [value.key for value in config.values] == [setting.key for setting in SETTINGS]


def test_a_file_names_the_line_that_a_value_came_from(tmp_path: Path) -> None:
    text = '# mine\n[sources]\ndisabled = ["codex"]\n\nprojection = "talk"\n[sources.roots]\nclaude_code = "/a"\ncodex = ["/b", "/c"]\n'
    config = read(tmp_path, text)
    assert config.sources.roots == (("claude_code", "/a"), ("codex", "/b"), ("codex", "/c"))
    assert config.sources.disabled == ("codex",)
    file = tmp_path / "config.toml"
    assert origins(config) == {"sources.roots": f"{file}:6", "sources.disabled": f"{file}:3", "sources.projection": f"{file}:5"}


@pytest.mark.parametrize(
    "text",
    [
        'sources.projection = "talk"',
        'sources = { projection = "talk" }',
        '[sources]\n"projection" = "talk"',
        '[ sources ]\nprojection="talk"',
    ],
)
def test_every_way_to_write_a_key_is_read(tmp_path: Path, text: str) -> None:
    config = read(tmp_path, text)
    assert config.sources.projection == "talk"
    assert origins(config)["sources.projection"].startswith(str(tmp_path / "config.toml"))


def test_an_option_wins_over_a_variable_and_that_over_the_file(tmp_path: Path) -> None:
    text = '[sources]\nprojection = "calls"\ndisabled = ["codex"]\nroots.codex = "/file"'
    variables = {"LITH_SOURCES_PROJECTION": "talk", "LITH_SOURCES_ROOTS": "codex=/variable,claude_code=/v"}
    config = read(tmp_path, text, variables, sources_roots=["codex=/option"])
    assert config.sources.roots == (("codex", "/option"),)
    assert config.sources.projection == "talk"
    assert origins(config) == {
        "sources.roots": "an option",
        "sources.disabled": f"{tmp_path / 'config.toml'}:3",
        "sources.projection": "$LITH_SOURCES_PROJECTION",
    }


def test_an_empty_variable_empties_a_list(tmp_path: Path) -> None:
    config = read(tmp_path, '[sources]\ndisabled = ["codex"]', {"LITH_SOURCES_DISABLED": ""})
    assert config.sources.disabled == ()


@pytest.mark.parametrize(
    ("text", "says", "hint"),
    [
        ("[source]\n", "[source]", "[sources]"),
        ('[sources]\nprojetcion = "talk"\n', ":2", "sources.projection"),
        ('[sources]\nprojection = "all"\n', "'all'", "talk, calls"),
        ("[sources]\nprojection = 3\n", "one word", ""),
        ('[sources]\ndisabled = "codex"\n', "a list", ""),
        ('[sources]\ndisabled = ["codx"]\n', "'codx'", "codex"),
        ("[sources]\nroots = [1]\n", "a table", ""),
        ('[sources.roots]\ncodx = "/a"\n', "'codx'", "codex"),
        ("sources = 3\n", "a table", ""),
        ("[sources\n", "not valid TOML", ""),
    ],
)
def test_a_mistake_in_the_file_is_named(tmp_path: Path, text: str, says: str, hint: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, text)
    assert says in caught.value.message
    assert str(tmp_path / "config.toml") in caught.value.message
    assert hint in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("LITH_SOURCES_PROJECTIN", "talk", "LITH_SOURCES_PROJECTION"),
        ("LITH_SOURCES_PROJECTION", "work,talk", "talk, calls"),
        ("LITH_SOURCES_ROOTS", "/somewhere", "claude_code=/path"),
    ],
)
def test_a_mistake_in_a_variable_is_named(tmp_path: Path, name: str, text: str, says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, None, {name: text})
    assert says in (caught.value.hint or "")


@pytest.mark.parametrize(("words", "says"), [(["foo=/tmp"], "'foo'"), (["/tmp"], "NAME=PATH"), (["codex="], "NAME=PATH")])
def test_a_mistake_in_an_option_was_called_one_of_the_settings(tmp_path: Path, words: list[str], says: str) -> None:
    with pytest.raises(UsageError, match="--root") as caught:
        read(tmp_path, None, sources_roots=words)
    assert says in caught.value.message
    assert caught.value.exit_status == 2
    assert "codex" in (caught.value.hint or "")


def test_a_variable_that_means_nothing_is_found() -> None:
    found = find_unknown_variables(["LITH_SOURCE_ROOTS", "LITH_SOURCES_ROOTS", "LITH_DATA_DIR", "LITH_XYZ"])
    assert found == [("LITH_SOURCE_ROOTS", "LITH_SOURCES_ROOTS"), ("LITH_XYZ", None)]


def test_an_unreadable_file_is_an_error_and_not_a_default(tmp_path: Path) -> None:
    (tmp_path / "config.toml").mkdir()
    with pytest.raises(ConfigError, match="could not read"):
        read(tmp_path, None)
    (tmp_path / "config.toml").rmdir()
    (tmp_path / "config.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="could not read"):
        read(tmp_path, None)


@given(st.text(max_size=80))
def test_any_text_is_a_config_or_a_config_error(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    file = tmp_path_factory.mktemp("config") / "config.toml"
    file.write_text(f"[sources]\n{text}", encoding="utf-8", errors="replace")
    try:
        config = load(file, {}, sources=CLIENTS)
    except ConfigError:
        return
    assert config.sources.projection in {"talk", "calls"}
