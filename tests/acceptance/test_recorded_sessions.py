"""On sessions that real clients wrote: everything that a person or a model said is found by its own words, once, and nothing else is."""

import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from lith.ingest import RootSpec, SyncRequest, sync
from lith.records.record import SessionKind
from lith.records.scope import Scope
from lith.retrieval import find, list_sessions, read_session
from lith.retrieval.requests import FindRequest, ListRequest, ReadRequest
from lith.sources.registry import SOURCES
from lith.store.map.schema import open_for_reading

DATA = Path(__file__).parent.parent / "data"
ROOTS = tuple(
    [RootSpec("claude_code", path) for path in sorted(DATA.glob("claude_code/*/projects"))]
    + [RootSpec("codex", path) for path in sorted(DATA.glob("codex/*"))]
)
PROMPTS = {
    "Say hello with the shell, please. 부탁합니다 🙏",
    "Read notes.txt and change the port",
    "Show a long listing",
    "Run a failing command",
    "Two things at once",
    "Delegate the lookup",
    "Ask the memory about the port",
    "Keep a list",
    "What did we do before?",
}
ANSWERS = {
    "The shell said hello. 你好，世界。 안녕하세요! 👋🏽",
    "Changed the port from 8000 to 8123 because 8000 was taken by the proxy.",
    "The listing has 4000 lines.",
    "Both failed: the paths do not exist.",
    "Both done.",
    "The helper found the magic number 42.",
    "The memory says the port was changed to 8123.",
    "Listed.",
    "Earlier in this session we changed the port to 8123.",
}
RECORDED = ("1.0.128", "2.0.76", "2.1.50", "2.1.332", "0.63.0", "0.171.0")


@pytest.fixture(scope="module")
def map_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("data")
    report = sync(SyncRequest(roots=ROOTS), data_dir=data, sources=SOURCES, clock=lambda: 1_800_000_000_000)
    assert (report.totals.failed, report.totals.yield_alarms, report.totals.unknown_types) == (0, 0, {})
    return data / "map.sqlite"


def said(map_path: Path, kinds: tuple[SessionKind, ...]) -> list[tuple[str, str | None, int, str, str]]:
    """(session, version, seq, role, text) of every message."""
    db = open_for_reading(map_path)
    found: list[tuple[str, str | None, int, str, str]] = []
    for session in list_sessions(db, ListRequest(kinds=kinds, limit=1000)).items:
        version = db.execute("SELECT version FROM sessions WHERE ref = ?", (session.session_ref,)).fetchall()[0][0]
        messages = read_session(db, ReadRequest(address=str(session.session_ref), limit=10_000)).messages
        found += [(str(session.session_ref), str(version), m.seq or 0, str(m.role), str(m.text)) for m in messages if m.seq]
    db.close()
    return found


@pytest.mark.parametrize("version", RECORDED)
def test_every_prompt_and_every_final_answer_of_a_version_is_there(map_path: Path, version: str) -> None:
    messages = [one for one in said(map_path, (SessionKind.MAIN,)) if one[1] == version]
    assert {text for *_, role, text in messages if role == "user"} >= PROMPTS
    assert {text for *_, role, text in messages if role == "assistant"} >= ANSWERS


def test_no_message_holds_what_a_client_wrote(map_path: Path) -> None:
    machine = (
        "MARK-",
        "<system-reminder",
        "<command-",
        "<local-command",
        "Caveat:",
        "<task-notification",
        "environment_context",
        "being continued from",
        "filler text",
        "AGENTS.md instructions",
        "No response requested",
    )
    for ref, _, seq, _, text in said(map_path, (SessionKind.MAIN, SessionKind.SUBAGENT)):
        assert not any(word in text for word in machine), (ref, seq, text)


def test_every_message_is_found_by_its_own_words_exactly_once_in_its_session(map_path: Path) -> None:
    db = open_for_reading(map_path)
    messages = said(map_path, (SessionKind.MAIN, SessionKind.SUBAGENT))
    assert len(messages) > 150
    for ref, _, seq, _, text in messages:
        result = find(db, FindRequest(query=text[:200].replace('"', " "), scope=Scope(sessions=(ref,)), limit=200))
        hits = [hit for hit in result.results if hit.match_source == "message" and hit.seq == seq]
        same = [one for one in messages if one[0] == ref and one[4] == text]
        assert len(hits) == 1 or (len(same) > 1 and len(hits) <= 1), (ref, seq, text, result.results)
    db.close()


def test_no_result_comes_from_an_automatic_reviewer_or_a_warm_up(map_path: Path) -> None:
    hidden = said(map_path, (SessionKind.REVIEW, SessionKind.WARMUP))
    assert hidden
    refs = {ref for ref, *_ in hidden}
    db = open_for_reading(map_path)
    for *_, text in hidden:
        for hit in find(db, FindRequest(query=text[:120], limit=100)).results:
            assert hit.session_ref not in refs
    db.close()


def test_a_message_that_a_fork_copied_is_one_result(map_path: Path) -> None:
    db = open_for_reading(map_path)
    result = find(db, FindRequest(query='"What did we do before?"', scope=Scope(sources=("claude_code",)), limit=100))
    keys = [(hit.record, hit.role) for hit in result.results if hit.match_source == "message"]
    assert len(keys) == len(set(keys))
    db.close()


READ_AS_AN_ORDINARY_USER = """
import os, pkgutil, sys, importlib, json
import click, rich.console, rich.table, encodings.idna, locale  # what is imported late must be there: the user may not read this interpreter
import lith
for module in pkgutil.walk_packages(lith.__path__, "lith."):
    if module.name.startswith(("lith.faces", "lith.ops", "lith.retrieval", "lith.store", "lith.kernel", "lith.config", "lith.records", "lith.scrub")):
        importlib.import_module(module.name)
from lith.faces.cli.main import run
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
statuses = [run([*words, "--data-dir", sys.argv[1]]) for words in json.loads(sys.argv[2])]
sys.exit(any(statuses))
"""


@pytest.mark.skipif(os.name == "nt", reason="file modes of POSIX")
def test_reading_works_without_the_transcripts_on_a_read_only_map_as_an_ordinary_user(
    map_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    data = tmp_path_factory.mktemp("shared")
    for folder in data.parents:
        if folder.owner() == data.owner() and folder != Path("/"):
            folder.chmod(folder.stat().st_mode | 0o011)
    target = data / "map.sqlite"
    target.write_bytes(map_path.read_bytes())
    target.chmod(0o444)
    data.chmod(0o555)
    before = (list(data.iterdir()), target.stat().st_mtime_ns)
    db = open_for_reading(map_path)
    ref = str(list_sessions(db, ListRequest(limit=1)).items[0].session_ref)
    db.close()
    commands = [
        ["--json", "find", "port"],
        ["--json", "read", ref],
        ["--json", "list"],
        ["--json", "stats"],
        ["find", "port", "change"],
    ]
    done = subprocess.run(
        [sys.executable, "-c", READ_AS_AN_ORDINARY_USER, str(data), json.dumps(commands)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done
    answers = [msgspec.json.decode(line) for line in done.stdout.splitlines()[:4]]
    assert not any("error" in answer for answer in answers)
    assert answers[0]["results"]
    assert answers[1]["messages"]
    assert (list(data.iterdir()), target.stat().st_mtime_ns) == before
    data.chmod(0o755)
