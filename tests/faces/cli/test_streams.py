"""Where output cannot go, and words that are no text: an error in words or nothing at all, never a traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.command_line import Outcome

from lith.ops.demo import DemoRequest, demo
from lith.ops.runtime import open_runtime


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The demo's data directory, in force by `LITH_DATA_DIR`."""
    with open_runtime() as runtime:
        result = demo(DemoRequest(), runtime)
    monkeypatch.setenv("LITH_DATA_DIR", result.data_dir)
    return Path(result.data_dir)


def in_shell(line: str) -> Outcome:
    """Run a line of shell in which `lith` is this lith."""
    program = f'lith() {{ "{sys.executable}" -m lith "$@"; }}\n{line}'
    done = subprocess.run(["bash", "-c", program], capture_output=True, check=False, env=dict(os.environ), timeout=120)
    return Outcome(done.returncode, done.stdout, done.stderr)


FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")


@FULL
@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(
    "command", ["list --json", "list", "find retry", "find retry --json", "--version", "block 019cc1a4#2", "--help"]
)
def test_a_full_disk_behind_standard_output_was_two_tracebacks(command: str) -> None:
    outcome = in_shell(f"lith {command} >/dev/full")
    assert outcome.status == 1
    assert outcome.notes.startswith("lith: the answer could not be written: No space left on device")
    assert "Traceback" not in outcome.notes


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("command", ["list", "list --json", "find retry", "--version", "--help", "sync"])
def test_a_closed_standard_output_was_a_traceback(command: str) -> None:
    outcome = in_shell(f"lith {command} >&-")
    assert (outcome.status, outcome.stdout) == (0, b"")
    assert "Traceback" not in outcome.notes
    assert "lith:" not in outcome.notes


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("closing", ["2>&-", "2>&- <&-", "2>/dev/full"])
def test_a_closed_standard_error_was_a_traceback(closing: str) -> None:
    outcome = in_shell(f"lith find retry -n 1 {closing}")
    assert outcome.status == 0
    assert b"lith read codex:019cc1a4" in outcome.stdout
    assert in_shell(f"lith find --nope {closing}") == Outcome(2, b"", b"")


def test_a_closed_stream_gave_its_number_to_the_map(place: Path) -> None:
    before = (place / "map.sqlite").read_bytes()
    assert in_shell("lith find retry >&- 2>&- <&-").status == 0
    assert (place / "map.sqlite").read_bytes() == before


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(
    "command",
    [
        r"find $'\xff'",
        r"read $'\xff'",
        r"find x --project $'\xff'",
        r"find x --file $'a\xfe'",
        r"find x --session $'\xff'",
        r"sync --root $'codex=/\xff'",
        r"$'\xff'",
    ],
)
def test_bytes_that_are_no_text_were_a_mistake_in_lith(command: str) -> None:
    outcome = in_shell(f"lith {command} --json")
    assert outcome.status == 2
    assert outcome.error["code"] == "usage"
    assert "UTF-8" in outcome.error["message"]


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("option", ["--data-dir rel2", "--project .", "--cwd .", "--project ./x"])
def test_a_relative_path_in_a_deleted_directory_meant_the_home(tmp_path: Path, option: str) -> None:
    outcome = in_shell(f"mkdir {tmp_path}/gone && cd {tmp_path}/gone && rmdir {tmp_path}/gone && lith find retry {option} --json")
    assert outcome.status == 2
    assert "deleted" in outcome.error["message"]


@pytest.mark.usefixtures("place")
def test_a_deleted_directory_keeps_nobody_from_searching(tmp_path: Path) -> None:
    outcome = in_shell(f"mkdir {tmp_path}/gone && cd {tmp_path}/gone && rmdir {tmp_path}/gone && lith find retry -n 1")
    assert outcome.status == 0
