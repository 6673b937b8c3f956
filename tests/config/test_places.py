"""Where lith keeps its files."""

import sys
from pathlib import Path

import pytest

from lith.config import places
from lith.errors import UsageError

HOME = Path("/home/someone")
HERE = Path("/projects/here")


def test_the_option_wins_over_the_variable_and_that_over_the_state_folder() -> None:
    environment = {"LITH_DATA_DIR": "/variable", "XDG_STATE_HOME": "/state"}
    assert places.data_dir("/flag", HOME, environment, HERE) == Path("/flag")
    assert places.data_dir(None, HOME, environment, HERE) == Path("/variable")
    assert places.data_dir(None, HOME, {"XDG_STATE_HOME": "/state"}, HERE) == Path("/state/lith")


@pytest.mark.parametrize(
    ("word", "path"), [("sub", "/projects/here/sub"), ("~/x", "/home/someone/x"), ("~", "/home/someone"), ("/a", "/a")]
)
def test_a_data_directory_is_made_absolute(word: str, path: str) -> None:
    assert places.data_dir(word, HOME, {}, HERE) == Path(path)


def test_a_relative_path_takes_a_working_directory() -> None:
    assert places.absolute("~/a", HOME, None) == HOME / "a"
    assert places.data_dir("/a", HOME, {}, None) == Path("/a")
    with pytest.raises(UsageError, match="rel"):
        places.data_dir(None, HOME, {"LITH_DATA_DIR": "rel"}, None)


@pytest.mark.skipif(sys.platform in {"darwin", "win32"}, reason="these platforms have a place of their own")
def test_the_default_is_the_state_folder_of_the_home() -> None:
    assert places.default_data_dir(HOME, {}) == HOME / ".local/state/lith"
    assert places.default_data_dir(HOME, {"XDG_STATE_HOME": "relative"}) == HOME / ".local/state/lith"
    assert places.default_data_dir(HOME, {"XDG_STATE_HOME": ""}) == HOME / ".local/state/lith"


def test_the_config_file() -> None:
    assert places.config_file(HOME, {}) == HOME / ".config/lith/config.toml"
    assert places.config_file(HOME, {"XDG_CONFIG_HOME": "/conf"}) == Path("/conf/lith/config.toml")
