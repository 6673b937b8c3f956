"""The runtime: the world enters here, and commands that it prints work as printed."""

from pathlib import Path

import pytest

from lith.errors import ConfigError, NoMap, UsageError
from lith.ops.runtime import open_runtime


def environment(home: Path, **more: str) -> dict[str, str]:
    return {"HOME": str(home), **more}


def test_the_default_data_directory_needs_no_word(home: Path, data_dir: Path) -> None:
    with open_runtime(environment=environment(home)) as runtime:
        assert runtime.data_dir == data_dir
        assert runtime.data_dir_word is None
        assert runtime.argv("find", "x") == ["lith", "find", "x"]


def test_any_other_is_repeated(home: Path, tmp_path: Path) -> None:
    other = str(tmp_path / "o ther")
    for runtime in (
        open_runtime(data_dir=other, environment=environment(home)),
        open_runtime(environment=environment(home)).at(Path(other)),
        open_runtime(environment=environment(home, LITH_DATA_DIR=f"{other}2")).at(Path(other)),
    ):
        assert runtime.argv("list") == ["lith", "list", "--data-dir", other]
        assert runtime.argv("find", "--", "-x") == ["lith", "find", "--data-dir", other, "--", "-x"]


def test_a_data_directory_that_the_variable_gives_was_repeated_all_the_same(home: Path, tmp_path: Path) -> None:
    world = environment(home, LITH_DATA_DIR=str(tmp_path / "other"))
    assert open_runtime(environment=world).argv("list") == ["lith", "list"]
    default = str(home / ".local" / "state" / "lith")
    assert open_runtime(data_dir=default, environment=world).argv("list") == ["lith", "list", "--data-dir", default]


def test_the_default_named_in_full_is_still_the_default(home: Path, data_dir: Path) -> None:
    assert open_runtime(data_dir=str(data_dir), environment=environment(home)).data_dir_word is None


def test_reading_where_nothing_is_creates_nothing(home: Path) -> None:
    with open_runtime(environment=environment(home)) as runtime, pytest.raises(NoMap):
        runtime.read_map()
    assert list(home.iterdir()) == []


def test_settings_are_read_when_they_are_asked_for(home: Path) -> None:
    file = home / ".config" / "lith" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text("[nothing]")
    runtime = open_runtime(environment=environment(home))
    with pytest.raises(ConfigError):
        _ = runtime.config
    file.write_text("[sources]\ndisabled = ['codex']")
    assert runtime.config.sources.disabled == ("codex",)


def test_options_override_settings(home: Path) -> None:
    runtime = open_runtime(environment=environment(home), flags={"sources.projection": ("talk",), "sources.roots": ()})
    assert runtime.config.sources.projection == "talk"
    assert runtime.config.sources.roots == ()


@pytest.fixture
def deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory that is not there any more."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    return gone


@pytest.mark.usefixtures("deleted")
def test_a_relative_path_in_a_deleted_working_directory_meant_the_home(home: Path) -> None:
    runtime = open_runtime(environment=environment(home))
    assert runtime.near is None
    assert runtime.path("/a") == Path("/a")
    assert runtime.path("~/a") == home / "a"
    with pytest.raises(UsageError, match="deleted"):
        _ = runtime.cwd
    for word in ("rel2", "."):
        with pytest.raises(UsageError, match="deleted"):
            runtime.path(word)
    with pytest.raises(UsageError, match="rel2"):
        open_runtime(data_dir="rel2", environment=environment(home))
    with pytest.raises(UsageError, match="rel2"):
        open_runtime(environment=environment(home, LITH_DATA_DIR="rel2"))
