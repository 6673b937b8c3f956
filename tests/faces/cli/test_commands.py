"""The commands on the demo: what a person sees, what a program gets, and that what is printed works."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import CommandLine, Outcome

from lith.demo.script import load_scripts
from lith.faces.cli.commands import load_command
from lith.kernel.ids import digest
from lith.ops.demo import DemoRequest, demo
from lith.ops.runtime import open_runtime
from lith.retrieval import reading, searching, sessions

RETRY = "codex:019cc1a4-52c0-7d10-8a11-6f20c3d4e503"
QUOTES = "claude_code:3f0c61de-6a0b-4a4b-9a52-0f6d2c1b7e01"


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The demo's data directory, in force by `LITH_DATA_DIR`."""
    with open_runtime() as runtime:
        result = demo(DemoRequest(), runtime)
    monkeypatch.setenv("LITH_DATA_DIR", result.data_dir)
    return Path(result.data_dir)


@pytest.mark.usefixtures("place")
def test_find_for_a_person(lith: CommandLine) -> None:
    outcome = lith("find", "retry", "storm", "-n", "2")
    assert outcome.status == 0
    assert "Retry storm against the carrier's API (429)" in outcome.text
    assert f"lith read {RETRY}" in outcome.text
    assert "2 of " in outcome.notes
    assert "\x1b" not in outcome.text
    prose = [line for line in outcome.text.splitlines() if "lith read" not in line]
    assert all(len(line) <= 80 for line in prose)
    assert lith("find", "retry", "storm", "-n", "2", "--quiet").notes == ""


@pytest.mark.usefixtures("place")
def test_every_command_that_find_prints_runs_and_shows_the_evidence(lith: CommandLine) -> None:
    results = lith("find", "memory", "--json").json["results"]
    assert results
    for hit in results:
        argv = hit["evidence"]["argv"]
        assert hit["evidence"]["side_effect"] == "none"
        answer = lith(*argv[1:], "--json").json
        assert answer["session"]["session_ref"] == hit["session_ref"]
        if hit["match_source"] == "message":
            assert hit["seq"] in [message["seq"] for message in answer["messages"]]


def test_an_answer_is_lean(lith: CommandLine, place: Path) -> None:
    outcome = lith("find", "the", "test", "memory", "retry", "csv", "--json")
    assert len(outcome.json["results"]) == 10
    assert len(outcome.text.replace(f',"--data-dir","{place}"', "")) < 8_000


@pytest.mark.usefixtures("place")
def test_find_fields_and_pages(lith: CommandLine) -> None:
    first = lith("find", "memory", "retry", "--json", "-n", "2", "--fields", "rank,session_ref,seq").json
    assert [set(hit) <= {"rank", "session_ref", "seq"} for hit in first["results"]] == [True, True]
    second = lith("find", "memory", "retry", "--json", "-n", "2", "--cursor", first["next_cursor"]).json
    assert [hit["rank"] for hit in second["results"]] == [3, 4]
    error = lith("find", "memory", "--fields", "rnak", "--json").error
    assert "rank" in error["hint"]


@pytest.mark.usefixtures("place")
def test_nothing_found_says_why_and_what_to_run(lith: CommandLine) -> None:
    outcome = lith("find", "retry", "--since", "1d", "--json")
    assert outcome.status == 0
    nothing = outcome.json["nothing"]
    assert outcome.json["results"] == []
    assert nothing["reason"] == "scope_too_narrow"
    for argv in nothing["next"]:
        assert lith(*argv[1:], "--json").json["results"]
    assert "without --since" in lith("find", "retry", "--since", "1d").text


@pytest.mark.usefixtures("place")
def test_read_around_a_message(lith: CommandLine) -> None:
    outcome = lith("read", "019cc1a4", "--at", "2", "--before", "0", "--after", "1")
    assert "▶ #2 assistant" in outcome.text
    assert "#3 user" in outcome.text
    assert "#1 user" not in outcome.text
    answer = lith("read", f"{RETRY}#2", "--json").json
    assert next(message for message in answer["messages"] if message.get("anchor"))["seq"] == 2
    assert "exec_command" in lith("read", RETRY, "--calls").text


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (("read", "claude_code:nowhere"), "session_not_found"),
        (("read", RETRY, "--at", "99"), "anchor_not_found"),
        (("read", RETRY, "--query", "zeppelin"), "anchor_not_found"),
        (("read", "claude_code:"), "bad_selector"),
        (("read", "clod:123"), "unknown_source"),
        (("block", "rec:0000nowhere"), "record_not_found"),
        (("find", "x", "--session", "nowhere"), "session_not_found"),
    ],
)
def test_what_does_not_exist_is_named(lith: CommandLine, argv: tuple[str, ...], code: str) -> None:
    outcome = lith(*argv, "--json")
    assert outcome.error["code"] == code
    assert outcome.status == (2 if code in {"bad_selector", "unknown_source"} else 1)


@pytest.mark.usefixtures("place")
def test_list_and_stats_agree(lith: CommandLine) -> None:
    listed = lith("list", "--json").json
    assert listed["total"] == len(listed["items"]) == 7
    assert listed["items"][0]["ended_at"] >= listed["items"][-1]["ended_at"]
    counted = lith("stats", "--json").json
    assert counted["total"]["messages"] == sum(item["messages"] for item in listed["items"])
    assert counted["total"]["sessions"] + counted["total"]["subagents"] == 7
    assert lith("list", "--no-subagents", "--json").json["total"] == 6
    text = lith("stats").text
    assert "by client" in text
    assert "/demo/parcel-api" in text
    assert "経費CSVの文字化けを直す" in lith("list").text


def test_block_writes_the_bytes_and_nothing_else(lith: CommandLine, place: Path) -> None:
    outcome = lith("block", f"{QUOTES}#1")
    assert outcome.stderr == b""
    raw = next(place.rglob("3f0c61de*.jsonl")).read_bytes()
    assert outcome.stdout in raw
    assert not outcome.stdout.endswith(b"\n")
    answer = lith("block", f"{QUOTES}#1", "--json").json
    assert answer["text"].encode() == outcome.stdout
    assert answer["hash"] == digest(outcome.stdout).hex()
    assert answer["length"] == len(outcome.stdout)


def test_a_second_sync_reads_and_writes_nothing(lith: CommandLine, place: Path) -> None:
    totals = lith("sync", "--json").json["totals"]
    assert (totals["bytes_read"], totals["rows_written"]) == (0, 0)
    with next(place.rglob("3f0c61de*.jsonl")).open("a") as file:
        file.write(
            '{"type":"user","message":{"role":"user","content":"and a quokka"},"uuid":"0b7a4c9e-1111-4222-8333-444455556666",'
            f'"timestamp":"2026-03-02T10:00:00.000Z","cwd":"/demo/parcel-api","sessionId":"{QUOTES.partition(":")[2]}"}}\n'
        )
    totals = lith("sync", "--json").json["totals"]
    assert totals["appended"] == 1
    assert 0 < totals["bytes_read"] < 20_000
    assert lith("find", "quokka", "--json").json["total"] == 1
    assert "unchanged" in lith("sync").text


@pytest.mark.usefixtures("place")
def test_status_for_a_person(lith: CommandLine) -> None:
    text = lith("status").text
    assert text.startswith("fresh  ")
    assert "claude_code" in text


def test_start_on_an_empty_machine_shows_the_demo(lith: CommandLine) -> None:
    outcome = lith("start")
    assert outcome.status == 0
    assert "no sessions of a coding agent on this machine yet" in outcome.text
    assert "lith find" in outcome.text
    assert lith("start", "--json").json["demo"]["sessions"] == len(load_scripts())


def test_sync_on_an_empty_machine_says_so(lith: CommandLine) -> None:
    outcome = lith("sync")
    assert outcome.status == 0
    assert "no sessions" in outcome.text


@pytest.mark.usefixtures("place")
def test_a_root_that_is_not_there_is_noted(lith: CommandLine, tmp_path: Path) -> None:
    outcome = lith("sync", "--root", f"claude_code={tmp_path}/nowhere", "--data-dir", str(tmp_path / "data"))
    assert outcome.status == 1
    assert "nowhere" in outcome.notes


def test_text_from_a_transcript_cannot_drive_the_terminal(lith: CommandLine, home: Path) -> None:
    folder = home / ".claude" / "projects" / "-work"
    folder.mkdir(parents=True)
    (folder / "9d3cf7a2-aaaa-4bbb-8ccc-ddddeeeeffff.jsonl").write_text(
        '{"type":"user","message":{"role":"user","content":"wombat \\u001b]0;owned\\u0007\\u001b[31m red \\u009b2J \\u202e txt"},'
        '"uuid":"0b7a4c9e-1111-4222-8333-444455556666","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/work\\u001b[0m",'
        '"sessionId":"9d3cf7a2-aaaa-4bbb-8ccc-ddddeeeeffff"}\n'
    )
    lith("sync")
    for argv in (("find", "wombat"), ("read", "9d3cf7a2"), ("list",), ("stats",)):
        text = lith(*argv).text
        assert not [character for character in text if character in "\x1b\x07\x9b\u202e"]
    assert "wombat" in lith("list").text


ORDINARY = pytest.mark.skipif(not hasattr(os, "setuid") or os.geteuid() != 0, reason="needs to become an ordinary user")
AS_ORDINARY_USER = """
import json, os, sys
from lith.faces.cli.main import run
commands = json.loads(sys.argv[1])
for argv in commands:
    run([*argv, "--data-dir", sys.argv[2]])
os.setuid(65534)
sys.stdout.write("\\0")
sys.exit(max(run(argv) for argv in commands))
"""


def as_ordinary_user(*commands: list[str], elsewhere: Path, **environment: str) -> Outcome:
    """Run commands as nobody, after a first run as root, elsewhere, that has imported everything: nobody may not reach Python."""
    done = subprocess.run(
        [sys.executable, "-c", AS_ORDINARY_USER, json.dumps(commands), str(elsewhere)],
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
        cwd="/",
    )
    return Outcome(done.returncode, done.stdout.rpartition(b"\0")[2], done.stderr)


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that everybody can reach."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@ORDINARY
def test_reading_works_where_everything_is_read_only_and_the_transcripts_are_gone(place: Path, public: Path) -> None:
    data = public / "data"
    data.mkdir()
    shutil.copy(place / "map.sqlite", data / "map.sqlite")
    shutil.rmtree(place / "demo-sessions")
    (data / "map.sqlite").chmod(0o444)
    data.chmod(0o555)
    commands = (["find", "retry"], ["read", "019cc1a4"], ["list"], ["stats"], ["find", "retry", "--json"])
    outcome = as_ordinary_user(*commands, elsewhere=place, LITH_DATA_DIR=str(data), HOME="/nonexistent")
    assert outcome.status == 0, outcome
    assert [path.name for path in data.iterdir()] == ["map.sqlite"]


@ORDINARY
@pytest.mark.parametrize(("options", "status"), [([], 1), (["--best-effort"], 0)])
def test_a_file_that_cannot_be_read_is_an_error_unless_that_is_all_right(
    place: Path, public: Path, options: list[str], status: int
) -> None:
    folder = public / ".claude" / "projects" / "-work"
    folder.mkdir(parents=True)
    closed = folder / "0b7a4c9e-1111-4222-8333-444455556666.jsonl"
    closed.write_text('{"type":"user"}\n')
    closed.chmod(0)
    public.chmod(0o777)
    outcome = as_ordinary_user(["sync", *options], elsewhere=place, LITH_DATA_DIR=str(public / "data"), HOME=str(public))
    assert outcome.status == status
    assert b"Permission denied" in outcome.stdout


@ORDINARY
def test_a_data_directory_that_may_not_be_looked_at_is_an_error_of_storage(place: Path, public: Path) -> None:
    for argv in (["find", "x", "--json"], ["status", "--json"], ["sync", "--json"]):
        closed = public / argv[0]
        closed.mkdir(mode=0o700)
        outcome = as_ordinary_user(argv, elsewhere=place, LITH_DATA_DIR=str(closed / "data"), HOME=str(public))
        assert outcome.status == 1
        assert outcome.error["code"] == "storage"


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(
    "argv",
    [("find", "retry"), ("list",), ("read", "019cc1a4"), ("stats",), ("status",), ("config", "show"), ("start",), ("demo",)],
)
def test_json_is_one_object_everywhere(lith: CommandLine, argv: tuple[str, ...]) -> None:
    outcome: Outcome = lith(*argv, "--json")
    answer: Any = outcome.json
    assert outcome.status == 0
    assert outcome.stderr == b""
    assert None not in answer.values()


@pytest.mark.usefixtures("place")
def test_everything_after_two_dashes_was_more_than_the_query(lith: CommandLine) -> None:
    without = lith("find", "--json", "--", "retry", "-carrier").json
    assert without["results"]
    assert all("carrier" not in hit["snippet"].lower() for hit in without["results"])
    assert without["results"] == lith("find", "retry -carrier", "--json").json["results"]


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("argv", [("find", "memory", "retry", "-n", "2"), ("list", "-n", "2"), ("read", "019cc1a4", "-n", "2")])
def test_more_was_no_command_that_could_be_pasted(lith: CommandLine, argv: tuple[str, ...]) -> None:
    first = lith(*argv)
    more = next(line for line in first.notes.splitlines() if line.startswith("more: "))
    command = shlex.split(more.removeprefix("more: "))
    assert command[: len(argv) + 1] == ["lith", *argv]
    second = lith(*command[1:])
    assert second.status == 0
    assert second.text != first.text
    again = next((line for line in second.notes.splitlines() if line.startswith("more: ")), "")
    assert again.count("--cursor") + again.count("--offset") <= 1
    assert "more:" not in lith(*argv, "--quiet").notes


@pytest.mark.usefixtures("place")
def test_reading_on_from_an_anchor_was_another_command(lith: CommandLine) -> None:
    notes = lith("read", "019cc1a4#2", "--before", "0", "--after", "0", "--calls").notes
    more = next(line for line in notes.splitlines() if line.startswith("more: "))
    assert more == "more: lith read 019cc1a4 --calls --offset 2"
    assert "#3 user" in lith(*more.split()[2:]).text


@pytest.mark.usefixtures("place")
def test_fields_left_a_result_without_its_address(lith: CommandLine) -> None:
    assert "lith read codex:019cc1a4" in lith("find", "retry", "storm", "--fields", "title").text
    assert "codex:019cc1a4" in lith("list", "--fields", "title").text
    assert set(lith("find", "retry", "--fields", "title", "--json").json["results"][0]) == {"title"}
    assert set(lith("--json", "find", "retry", "--fields", "title").json["results"][0]) == {"title"}


def test_quiet_was_not_quiet(lith: CommandLine, place: Path) -> None:
    assert lith("sync", "--quiet") == Outcome(0, b"", b"")
    assert lith("sync", "-q", "--json").json["totals"]["files"]
    assert lith("demo", "--quiet", "--data-dir", str(place.parent)).text == f"{place}\n"
    assert "try next" not in lith("start", "-q").text
    quiet = lith("list", "-q", "-n", "1")
    assert quiet.text
    assert quiet.notes == ""


@pytest.mark.usefixtures("place")
def test_numbers_did_not_agree_with_their_nouns(lith: CommandLine) -> None:
    assert "2 of " in lith("find", "retry", "storm", "-n", "2").notes
    assert " of them the words stand together" in lith("find", "retry", "storm", "-n", "2").notes
    assert (
        "1 of 1 result;"
        in lith("find", "経費", "--role", "user", "--session", "c5e7b1a9", "-n", "1", "--since", "2026-01-01").notes
    )
    assert "1 of 7 sessions" in lith("list", "-n", "1").notes
    assert "1 of 1 session\n" in lith("list", "--session", RETRY).notes
    everything = "".join(
        part for argv in (("list",), ("stats",), ("status",), ("sync",)) for part in (lith(*argv).text, lith(*argv).notes)
    )
    assert not re.search(r"(?<![\d,.])1 (messages|sessions|files|results|places|problems)\b", everything)


@pytest.mark.usefixtures("place")
def test_a_list_of_nothing_says_why(lith: CommandLine) -> None:
    for command in ("list", "stats"):
        outcome = lith(command, "--since", "2099-01-01")
        assert "without --since" in outcome.text
        assert f"lith {command}" in outcome.text
        assert lith(command, "--since", "2099-01-01", "--json").json["nothing"]["reason"] == "scope_too_narrow"


@pytest.mark.usefixtures("place")
def test_a_misspelt_variable_was_ignored_in_silence(lith: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LITH_SOURCE_ROOTS", "x")
    for argv in (("find", "retry"), ("list",), ("find", "retry", "--json")):
        outcome = lith(*argv)
        assert outcome.status == 0
        assert "LITH_SOURCE_ROOTS; did you mean LITH_SOURCES_ROOTS?" in outcome.notes


def test_a_damaged_map_had_no_next_step_and_two_reasons(lith: CommandLine, place: Path) -> None:
    (place / "map.sqlite").write_bytes(b"not a database, whatever its name says" * 100)
    error = lith("find", "retry", "--json").error
    assert error["code"] == "map_damaged"
    assert error["next"] == [["lith", "sync"]]
    assert error["hint"]
    outcome = lith("sync")
    assert outcome.status == 0
    assert "it was kept as" in outcome.notes
    assert "other rules" not in outcome.text


def test_files_out_of_reach_are_named_by_status(lith: CommandLine, home: Path, tmp_path: Path) -> None:
    folder = home / ".claude" / "projects" / "-work"
    folder.mkdir(parents=True)
    (tmp_path / "outside.jsonl").write_text("{}\n")
    (folder / "9d3cf7a2-aaaa-4bbb-8ccc-ddddeeeeffff.jsonl").symlink_to(tmp_path / "outside.jsonl")
    (folder / "notes.txt").write_text("mine")
    text = lith("status").text
    assert "1 not_a_transcript" in text
    assert "outside_root" in text
    assert str(folder / "9d3cf7a2-aaaa-4bbb-8ccc-ddddeeeeffff.jsonl") in text
    assert str(folder / "notes.txt") not in text
    assert len(lith("status", "--json").json["skipped_files"]) == 2


def test_clients_that_are_not_installed_took_a_line_each(lith: CommandLine, home: Path) -> None:
    (home / ".claude" / "projects").mkdir(parents=True)
    text = lith("status").text
    assert text.count("not on this machine: ") == 1
    assert "codex, pi" in text
    assert ".codex" not in text


def test_the_limits_of_pages_are_those_of_the_options() -> None:
    for name, most in (("find", searching.MAX_LIMIT), ("list", sessions.MAX_LIMIT), ("read", reading.MAX_LIMIT)):
        option = next(option for option in load_command(name).all_options if option.key == "limit")
        assert option.most == most
        assert f"1 to {most:,}" in option.help
