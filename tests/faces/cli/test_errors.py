"""Whatever goes wrong is an answer: JSON under `--json`, a sentence otherwise, never a traceback and never silence."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from filelock import FileLock
from tests.command_line import CommandLine, start_lith

from lith.faces.cli import failures
from lith.kernel.files import make_private_dir

NONSENSE = [
    (("find", "x", "--sinse", "2h"), "usage", "--since"),
    (("find", "x", "--since", "someday"), "bad_selector", "yesterday"),
    (("find", "x", "--source", "claud_code"), "unknown_source", "claude_code"),
    (("find", "x", "--role", "usr"), "usage", "user"),
    (("find", "x", "--limit", "ten"), "usage", "ten"),
    (("find", "x", "--limit", "0"), "usage", "1"),
    (("find", "x", "--limit"), "usage", "--limit"),
    (("find",), "usage", "QUERY"),
    (("fnid", "x"), "usage", "find"),
    (("config", "shwo"), "usage", "show"),
    (("read",), "usage", "REF"),
    (("--nope",), "usage", "--nope"),
    (("sync", "--projection", "everything"), "usage", "talk"),
    (("sync", "--source", "pi_agent"), "unknown_source", "claude_code"),
    (("sync", "--root", "/somewhere"), "usage", "--root: '/somewhere' must be NAME=PATH"),
    (("sync", "--root", "foo=/tmp"), "usage", "--root: 'foo'"),
    (("status", "--root", "cladue_code=/tmp"), "usage", "did you mean claude_code?"),
    (("find", "x", "--source", "claude"), "unknown_source", "did you mean claude_code?"),
    (("sync", "--source", "claude"), "unknown_source", "did you mean claude_code?"),
    (("find", "x", "--project", ""), "bad_selector", "--project"),
    (("find", "x", "-n", "1000000"), "usage", "200"),
    (("list", "-n", "5000"), "usage", "1000"),
    (("list", "--kind", "main", "--kind", "subagent", "--no-subagents"), "usage", "--no-subagents"),
    (("stats", "--sinze", "1d"), "usage", "did you mean --since"),
    (("read", "claude_code:x", "--at", "1", "--offset", "2"), "usage", "--query"),
    (("read", "claude_code:x#1", "--offset", "2"), "usage", "--query"),
    (("search", "x"), "usage", "did you mean lith find?"),
    (("help", "find"), "usage", "did you mean lith find?"),
    (("show", "codex:x"), "usage", "did you mean lith read?"),
    (("version",), "usage", "did you mean lith --version?"),
    (("init",), "usage", "did you mean lith start?"),
]


@pytest.mark.parametrize(("argv", "code", "names"), NONSENSE)
def test_a_mistake_on_the_command_line_is_json_and_names_what_is_valid(
    lith: CommandLine, argv: tuple[str, ...], code: str, names: str
) -> None:
    outcome = lith(*argv, "--json")
    error = outcome.error
    assert error["code"] == code
    assert outcome.status == 2
    assert error["hint"]
    assert error["next"]
    assert names in f"{error['message']} {error.get('hint', '')}"
    assert outcome.notes == ""


@pytest.mark.parametrize("command", ["find", "list"])
def test_a_value_for_the_json_flag_was_an_error_in_text(lith: CommandLine, command: str) -> None:
    assert "--json" in lith(command, "--json=1").error["message"]


@pytest.mark.parametrize(("argv", "code", "names"), NONSENSE)
def test_the_same_mistakes_are_a_sentence_on_stderr(lith: CommandLine, argv: tuple[str, ...], code: str, names: str) -> None:
    outcome = lith(*argv)
    assert outcome.stdout == b""
    assert outcome.notes.startswith("lith: ")
    assert names in outcome.notes
    assert "Traceback" not in outcome.notes


@pytest.mark.parametrize("argv", [("find", "x"), ("read", "claude_code:x"), ("list",), ("stats",), ("block", "rec:x")])
def test_a_home_that_was_never_synced_is_told_what_to_run(lith: CommandLine, data_dir: Path, argv: tuple[str, ...]) -> None:
    outcome = lith(*argv, "--json")
    assert outcome.status == 1
    assert outcome.error["code"] == "no_map"
    assert outcome.error["next"] == [["lith", "sync"]]
    assert not data_dir.exists(), "asking creates nothing"
    assert "lith sync" in lith(*argv).notes


def test_what_to_run_repeats_a_data_directory_that_is_not_the_default(
    lith: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = str(tmp_path / "other")
    assert lith("find", "x", "--json", "--data-dir", other).error["next"] == [["lith", "sync", "--data-dir", other]]
    assert lith("--data-dir", other, "--json", "find", "x").error["next"] == [["lith", "sync", "--data-dir", other]]
    monkeypatch.setenv("LITH_DATA_DIR", other)
    assert lith("find", "x", "--json").error["next"] == [["lith", "sync"]]


def test_a_broken_config_file_is_named(lith: CommandLine, home: Path) -> None:
    file = home / ".config" / "lith" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text("[sources]\nprojektion = 'talk'\n")
    error = lith("sync", "--json").error
    assert error["code"] == "bad_config"
    assert f"{file}:2" in error["message"]
    assert "sources.projection" in error["hint"]


def test_a_mistake_in_lith_is_logged_and_not_shown(lith: CommandLine, data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lith.ops.config_show.SETTINGS", None)
    outcome = lith("config", "show", "--json")
    assert outcome.status == 1
    assert outcome.error["code"] == "internal"
    log = data_dir / "log" / "errors.log"
    assert str(log) in outcome.error["hint"]
    assert "Traceback" in log.read_text()
    assert log.stat().st_mode & 0o777 == 0o600
    assert log.parent.stat().st_mode & 0o777 == 0o700
    assert b"Traceback" not in outcome.stdout + outcome.stderr


def test_a_mistake_in_lith_is_told_even_where_it_cannot_be_logged(
    lith: CommandLine, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data_dir.parent.mkdir(parents=True)
    data_dir.write_text("a file where the directory should be")
    monkeypatch.setattr("lith.ops.config_show.SETTINGS", None)
    assert "could not be logged" in lith("config", "show", "--json").error["hint"]


def test_a_reader_that_goes_away_is_no_error() -> None:
    program = f"{sys.executable} -m lith config show | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=False, env=dict(os.environ))
    assert done.stderr == ""
    assert done.stdout.strip() in {"0", str(failures.BROKEN_PIPE)}


def test_an_interrupt_is_a_sentence(home: Path) -> None:
    """A sync that waits for the lock is interrupted: it says so, and ends as interrupted programs do."""
    data = home / ".local" / "state" / "lith"
    make_private_dir(data)
    with FileLock(data / "map.lock"):
        waiting = subprocess.Popen([sys.executable, "-m", "lith", "sync"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(1.5)
        waiting.send_signal(signal.SIGINT)
        out, err = waiting.communicate(timeout=30)
    assert waiting.returncode == failures.INTERRUPTED
    assert b"interrupted" in err
    assert b"Traceback" not in err
    assert out == b""


def test_a_terminal_that_speaks_ascii_gets_escapes() -> None:
    outcome = start_lith("find", "日本", environment={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"})
    assert outcome.status == 1
    assert b"Traceback" not in outcome.stderr
