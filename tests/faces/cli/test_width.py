"""Text fits the terminal: nothing is laid out wider than it, and no sentence is clipped."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from tests.command_line import CommandLine

from lith.faces.cli.layout import display_width
from lith.ops.demo import DemoRequest, demo
from lith.ops.runtime import open_runtime

RETRY = "codex:019cc1a4-52c0-7d10-8a11-6f20c3d4e503"
COMMANDS = (
    ("list",),
    ("list", "--no-subagents"),
    ("read", RETRY),
    ("stats",),
    ("stats", "--usage"),
    ("status",),
    ("config", "show"),
    ("sync",),
    ("find", "retry", "storm", "--explain"),
    ("find", "nothingatall"),
    ("demo",),
    ("find", "x", "--since", "someday"),
)
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The demo's data directory, in force by `LITH_DATA_DIR`."""
    with open_runtime() as runtime:
        result = demo(DemoRequest(), runtime)
    monkeypatch.setenv("LITH_DATA_DIR", result.data_dir)
    return Path(result.data_dir)


def in_terminal(argv: tuple[str, ...], columns: int) -> list[str]:
    """The lines that lith prints on a terminal of so many columns, without colours."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    running = subprocess.Popen([sys.executable, "-m", "lith", *argv], stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown = b""
    while True:
        try:
            data = os.read(ours, 65536)
        except OSError:  # the other side is closed
            break
        if not data:
            break
        shown += data
    os.close(ours)
    running.wait(timeout=60)
    return [COLOUR.sub("", line) for line in shown.decode().replace("\r", "").split("\n")]


def too_wide(lines: list[str], columns: int) -> list[str]:
    """Lines that are wider, but for what has to stay in one piece to be copied: commands, paths, addresses."""
    wide = [line for line in lines if display_width(line) > columns]
    return [
        line
        for line in wide
        if not re.search(r"\blith (read|find|list|stats|status|sync|demo|config)\b", line) and " " in line.strip()
    ]


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("argv", COMMANDS, ids=" ".join)
def test_lines_went_beyond_80_columns(argv: tuple[str, ...]) -> None:
    lines = in_terminal(argv, 80)
    assert any(lines)
    assert too_wide(lines, 80) == []


@pytest.mark.usefixtures("place")
def test_a_terminal_that_says_0_columns_was_laid_out_at_40() -> None:
    lines = in_terminal(("find", "retry", "storm", "-n", "3"), 0)
    assert too_wide(lines, 80) == []
    assert max(map(display_width, lines)) > 60


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("argv", COMMANDS, ids=" ".join)
def test_columns_was_ignored(lith: CommandLine, monkeypatch: pytest.MonkeyPatch, argv: tuple[str, ...]) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    if argv[0] in {"stats", "sync", "read"}:
        return  # a table of numbers has a least width, and what was said is left as it is where no terminal shows it
    assert too_wide(lith(*argv).text.splitlines(), 60) == []


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("said", ["", "x", "-5", "0", "9" * 30])
def test_columns_that_is_no_number_is_no_width(lith: CommandLine, monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    monkeypatch.setenv("COLUMNS", said)
    assert too_wide(lith("find", "retry", "storm").text.splitlines(), 100) == []


@pytest.mark.usefixtures("place")
def test_a_sentence_is_whole(lith: CommandLine) -> None:
    text = " ".join(lith("find", "retry", "--since", "2099-01-01").text.split())
    assert "nothing within the scope" in text
    assert "…" not in text
