"""Whose a file is: a session owns its transcripts, those of its sub-agents, and what lies beside them."""

from pathlib import Path

import pytest
from tests.ingest import world as w

from lith.kernel.clock import system_clock
from lith.ops.keep.items import find_items
from lith.ops.runtime import Runtime
from lith.ops.sync import SyncRequest, sync

SESSION = "11111111-1111-4111-8111-111111111111"
OTHER = "22222222-2222-4222-8222-222222222222"


@pytest.fixture
def runtime(home: Path) -> Runtime:
    return Runtime(clock=system_clock, home=home, cwd=home, environment={}, data_dir=home / "data")


def put(runtime: Runtime, name: str, data: bytes) -> Path:
    path = runtime.home / ".claude" / "projects" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def owners(runtime: Runtime) -> dict[str, str]:
    return {item.relative: item.session for item in find_items(runtime)}


def test_everything_that_a_session_owns_is_kept(runtime: Runtime) -> None:
    put(runtime, f"-a/{SESSION}.jsonl", w.claude_user(1, SESSION, "hello"))
    put(runtime, f"-a/{SESSION}/subagents/agent-a1.jsonl", w.claude_user(2, SESSION, "help", agent="a1"))
    put(runtime, f"-a/{SESSION}/subagents/agent-a1.meta.json", b"{}")
    put(runtime, f"-a/{SESSION}/tool-results/b7.txt", b"long output")
    put(runtime, "-a/agent-a2.jsonl", w.claude_user(3, SESSION, "older", agent="a2"))
    put(runtime, "-a/memory/MEMORY.md", b"of the project")
    put(runtime, "-a/sessions-index.json", b"{}")
    expected = {
        f"-a/{SESSION}.jsonl": SESSION,
        f"-a/{SESSION}/subagents/agent-a1.jsonl": f"{SESSION}/a1",
        f"-a/{SESSION}/subagents/agent-a1.meta.json": f"{SESSION}/a1",
        f"-a/{SESSION}/tool-results/b7.txt": SESSION,
        "-a/agent-a2.jsonl": f"{SESSION}/a2",
    }
    assert owners(runtime) == expected
    sync(SyncRequest(), runtime)
    assert owners(runtime) == expected, "the map says the same as the files"


def test_a_session_is_what_its_records_say(runtime: Runtime) -> None:
    put(runtime, f"-a/{OTHER}.jsonl", w.claude_user(1, SESSION, "resumed elsewhere"))
    assert owners(runtime) == {f"-a/{OTHER}.jsonl": SESSION}


def test_what_lies_in_the_folder_of_a_session_whose_transcript_is_gone_is_still_its_own(runtime: Runtime) -> None:
    put(runtime, f"-a/{SESSION}/tool-results/b7.txt", b"long output")
    assert owners(runtime) == {f"-a/{SESSION}/tool-results/b7.txt": SESSION}


def test_links_and_what_cannot_be_read_are_no_items(runtime: Runtime, tmp_path: Path) -> None:
    path = put(runtime, f"-a/{SESSION}.jsonl", w.claude_user(1, SESSION, "hello"))
    (path.parent / "copy.jsonl").symlink_to(path)
    outside = tmp_path / "outside.jsonl"
    outside.write_bytes(w.claude_user(2, OTHER, "not here"))
    (path.parent / "out.jsonl").symlink_to(outside)
    assert owners(runtime) == {f"-a/{SESSION}.jsonl": SESSION}
