"""`thread`, `terms`, `files`, `stats --usage` on the demo: what a person sees, and what a program gets."""

from pathlib import Path

import pytest
from tests.command_line import CommandLine

from lith.kernel.tokens import estimate_tokens
from lith.ops.demo import DemoRequest, demo
from lith.ops.runtime import open_runtime
from lith.scrub import strip_sentinels

RETRY = "codex:019cc1a4-52c0-7d10-8a11-6f20c3d4e503"


@pytest.fixture(autouse=True)
def place(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The demo's data directory, in force by `LITH_DATA_DIR`."""
    with open_runtime() as runtime:
        result = demo(DemoRequest(), runtime)
    monkeypatch.setenv("LITH_DATA_DIR", result.data_dir)
    return Path(result.data_dir)


def test_find_gives_a_thread_and_thread_reads_it(lith: CommandLine) -> None:
    hit = next(hit for hit in lith("find", "retry", "storm", "--json").json["results"] if "thread" in hit)
    outcome = lith("thread", hit["thread"])
    assert outcome.status == 0
    assert outcome.text.startswith(hit["thread"])
    assert "historical_context" not in outcome.text
    assert "about " in outcome.notes
    answer = lith("thread", hit["thread"], "--json").json
    assert answer["session_ref"] == hit["session_ref"]
    assert strip_sentinels(answer["text"]) == ("", (hit["thread"],))
    framed = lith("thread", hit["thread"], "--wrap").text
    assert strip_sentinels(framed)[1] == (hit["thread"],)


def test_every_command_that_a_thread_prints_runs(lith: CommandLine) -> None:
    text = lith("thread", "claude_code:e19f3c50#1").text
    commands = [line.rpartition("lith ")[2] for line in text.splitlines() if line.startswith("⤷")]
    assert commands
    for command in commands:
        assert lith(*command.split()).status == 0


def test_a_budget_is_kept_and_what_is_cut_can_be_had(lith: CommandLine) -> None:
    outcome = lith("thread", f"{RETRY}#1", "--budget", "200", "--wrap")
    assert estimate_tokens(outcome.text) <= 300
    error = lith("thread", f"{RETRY}#1", "--budget", "20", "--json").error
    assert error["code"] == "usage"


def test_a_thread_that_is_not_there(lith: CommandLine) -> None:
    assert lith("thread", "thread:ffffffff", "--json").error["code"] == "thread_not_found"
    error = lith("thread", RETRY, "--json").error
    assert error["code"] == "ambiguous_address"
    assert lith(*error["next"][0][1:]).status == 0


def test_terms_for_a_person_and_a_program(lith: CommandLine) -> None:
    outcome = lith("terms", "--limit", "3")
    assert outcome.status == 0
    assert "(operative)" in outcome.text
    assert all(len(line) <= 80 for line in outcome.text.splitlines())
    answer = lith("terms", "--kind", "operative", "--session", RETRY, "--json").json
    assert {item["kind"] for item in answer["items"]} == {"operative"}
    assert answer["total"] >= len(answer["items"])
    assert lith("terms", "--kind", "operativ").status == 2
    assert "no terms" in lith("terms", "--until", "2001-01-01").text


def test_files_for_a_person_and_a_program(lith: CommandLine) -> None:
    outcome = lith("files", "carrier.py")
    assert f"lith read {RETRY} --at" in outcome.text
    item = lith("files", "carrier.py", "--json").json["items"][0]
    assert lith(*item["evidence"]["argv"][1:]).status == 0
    assert "no session" in lith("files", "nowhere.py").text


def test_usage_for_a_person_and_a_program(lith: CommandLine) -> None:
    outcome = lith("stats", "--usage")
    assert "by day" in outcome.text
    assert all(len(line) <= 80 for line in outcome.text.splitlines())
    answer = lith("stats", "--usage", "--json").json["usage"]
    assert sum(day["model_calls"] for day in answer["days"]) == answer["total"]["model_calls"]
    assert "usage" not in lith("stats", "--json").json


def test_facets_for_a_person(lith: CommandLine) -> None:
    assert "operative  " in lith("find", "retry", "storm", "--facets").text
