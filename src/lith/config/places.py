"""Where lith keeps its files: the data directory and the config file.

Pure: home and environment are arguments, and nothing is created.
"""

import sys
from collections.abc import Mapping
from pathlib import Path

from lith.errors import UsageError

DATA_DIR_VARIABLE = "LITH_DATA_DIR"


def data_dir(flag: str | None, home: Path, environment: Mapping[str, str], cwd: Path | None) -> Path:
    """The data directory: the flag, else `$LITH_DATA_DIR`, else the default one. Absolute; symlinks are left as they are.

    Raises `UsageError` as `absolute` does.
    """
    given = flag or environment.get(DATA_DIR_VARIABLE)
    return absolute(given, home, cwd) if given else default_data_dir(home, environment)


def default_data_dir(home: Path, environment: Mapping[str, str]) -> Path:
    """`$XDG_STATE_HOME/lith`, else the platform's place for a program's state."""
    base = _xdg(environment, "XDG_STATE_HOME")
    if base is not None:
        return base / "lith"
    if sys.platform in {"darwin", "win32"}:
        import platformdirs  # noqa: PLC0415 -- costs milliseconds that the other systems need not pay

        return Path(platformdirs.user_state_dir("lith", appauthor=False))
    return home / ".local" / "state" / "lith"


def config_file(home: Path, environment: Mapping[str, str]) -> Path:
    """`$XDG_CONFIG_HOME/lith/config.toml`, else the same below `~/.config`, on every platform."""
    base = _xdg(environment, "XDG_CONFIG_HOME") or home / ".config"
    return base / "lith" / "config.toml"


def absolute(text: str, home: Path, cwd: Path | None) -> Path:
    """A path as a person writes it: `~` is the home, anything relative starts at the working directory.

    Raises `UsageError` for a relative path where there is no working directory (any more).
    """
    if text == "~" or text.startswith("~/"):
        return home / text[2:]
    path = Path(text)
    if path.is_absolute():
        return path
    if cwd is None:
        raise UsageError(
            f"{text!r} is a path in the working directory, which was deleted",
            hint="change to a directory that is there, or write the path in full",
        )
    return cwd / path


def _xdg(environment: Mapping[str, str], name: str) -> Path | None:
    """An XDG base directory; the specification says that a relative one is to be ignored."""
    value = environment.get(name)
    return Path(value) if value and Path(value).is_absolute() else None
