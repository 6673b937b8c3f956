"""What every test gets: a home, a data directory and an environment of its own, and no way to the real ones."""

import os
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import CommandLine

_REAL_HOME = os.path.realpath(Path.home())
_FORBIDDEN = tuple(
    f"{_REAL_HOME}/{name}"
    for name in (
        ".claude",
        ".codex",
        ".pi",
        ".dsh",
        ".gemini",
        ".local/share/opencode",
        ".local/state/lith",
        ".config/lith",
    )
)
_OUTSIDE = ("LITH_", "XDG_", "CLAUDE", "CODEX_", "PI_", "DSH_", "OPENCODE", "GEMINI_")


def _keep_out(event: str, arguments: tuple[Any, ...]) -> None:
    """Refuse to open anything of a coding agent, or of lith, in the home of whoever runs the tests."""
    if event in {"open", "os.listdir", "os.scandir", "os.mkdir", "os.rename", "os.remove"} and arguments:
        path = arguments[0]
        if isinstance(path, bytes | str) and os.fsdecode(path).startswith(_FORBIDDEN):
            raise PermissionError(f"a test went for the real home: {os.fsdecode(path)}")


sys.addaudithook(_keep_out)


@pytest.fixture(autouse=True)
def isolated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty home, no variables of lith or of any client, the zone fixed, no colour forced."""
    for name in list(os.environ):
        if name.startswith(_OUTSIDE):
            monkeypatch.delenv(name)
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    home = tmp_path / "home"
    home.mkdir(exist_ok=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("TZ", "UTC")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The test's own home directory, empty."""
    return tmp_path / "home"


@pytest.fixture
def data_dir(home: Path) -> Path:
    """The default data directory in the test's own home; it does not exist yet."""
    return home / ".local" / "state" / "lith"


@pytest.fixture
def lith(capfdbinary: pytest.CaptureFixture[bytes]) -> CommandLine:
    """Runs lith in this process: `lith("find", "words")` gives status, stdout and stderr."""
    return CommandLine(capfdbinary)
