"""A thread as text: from checked bytes, scrubbed, framed when it is for a model."""

import json
from pathlib import Path
from typing import Any

import pytest
from backports import zstd

from lith.errors import (
    AmbiguousAddress,
    BadSelector,
    LithError,
    RecordNotFound,
    SessionNotFound,
    StaleSource,
    ThreadNotFound,
    UsageError,
)
from lith.ops.runtime import Runtime
from lith.ops.sync import SyncRequest, sync
from lith.ops.thread import ThreadRequest, ThreadResult, thread
from lith.scrub import strip_sentinels

QUOTES = "claude_code:3f0c61de-6a0b-4a4b-9a52-0f6d2c1b7e01"
RETRY = "codex:019cc1a4-52c0-7d10-8a11-6f20c3d4e503"
GARDEN = "claude_code:e19f3c50-47d8-4b7c-a3f2-7c6610d8be06"
SESSION = "9d3cf7a2-aaaa-4bbb-8ccc-ddddeeeeffff"
SECRET = "ghp_" + "a1B2c3D4e5F6" * 3


def show(runtime: Runtime, address: str, **options: Any) -> ThreadResult:
    return thread(ThreadRequest(address=address, **options), runtime)


def record(number: int, type_: str, content: Any, *, parent: int | None = None, **more: Any) -> dict[str, Any]:
    return {
        "type": type_,
        "uuid": f"0b7a4c9e-1111-4222-8333-{number:012x}",
        "parentUuid": None if parent is None else f"0b7a4c9e-1111-4222-8333-{parent:012x}",
        "timestamp": f"2026-03-01T10:00:{number:02d}.000Z",
        "cwd": "/work",
        "sessionId": SESSION,
        "message": {"role": type_, "content": content, **({"id": f"m{number}"} if type_ == "assistant" else {})},
        **more,
    }


def write(home: Path, records: list[dict[str, Any]], *, name: str = f"{SESSION}.jsonl", packed: bool = False) -> Path:
    path = home / ".claude" / "projects" / "-work" / (name + (".zst" if packed else ""))
    path.parent.mkdir(parents=True, exist_ok=True)
    data = b"".join(json.dumps(one).encode() + b"\n" for one in records)
    path.write_bytes(zstd.compress(data) if packed else data)
    return path


def text(words: str) -> list[dict[str, Any]]:
    return [{"type": "text", "text": words}]


def bash(number: int, command: str) -> list[dict[str, Any]]:
    return [{"type": "tool_use", "id": f"toolu_{number}", "name": "Bash", "input": {"command": command}}]


def output(number: int, words: str) -> list[dict[str, Any]]:
    return [{"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": words}]


def test_a_thread_reads_from_the_prompt_to_the_outcome(synced: Runtime) -> None:
    found = show(synced, f"{RETRY}#1")
    lines = found.text.splitlines()
    assert lines[0].startswith(f"{found.thread} · {RETRY}")
    assert found.title is not None
    assert found.title.startswith("Since the deploy")
    assert any(line.startswith("→ exec_command: git log") for line in lines)
    assert any(line.startswith("← Process exited with code 0") for line in lines)
    assert found.text.count("Since the deploy this morning") == 1, "a prompt in two forms is one"
    assert lines[-1].endswith("it keeps itself alive.")
    assert found.turns == 2
    assert (found.shortened, found.left_out) == (0, 0)


def test_message_record_thread_and_prefix_are_the_same_thread(synced: Runtime) -> None:
    found = show(synced, f"{RETRY}#2")
    assert show(synced, found.thread) == found
    assert show(synced, found.thread[:20]) == found
    assert show(synced, found.thread.removeprefix("thread:")) == found
    assert show(synced, found.leaf) == found


def test_a_session_is_a_thread_only_where_it_has_one(synced: Runtime) -> None:
    with pytest.raises(AmbiguousAddress, match="has several threads") as caught:
        show(synced, RETRY)
    assert all(argv[:2] == ["lith", "thread"] for argv in caught.value.next)
    assert show(synced, caught.value.next[0][2]).session_ref == RETRY


def test_a_sub_agent_is_named_where_it_was_started_and_knows_who_started_it(synced: Runtime) -> None:
    found = show(synced, f"{GARDEN}#1")
    assert len(found.sub_agents) == 1
    agent = found.sub_agents[0]
    assert f"lith thread {agent.session_ref}" in found.text
    inner = show(synced, agent.session_ref)
    assert inner.origin is not None
    assert inner.origin.thread == found.thread
    assert inner.origin.record == agent.record
    assert found.thread in inner.text


@pytest.mark.parametrize(
    ("address", "error"),
    [
        ("thread:ffffffffffff", ThreadNotFound),
        ("thread:not-an-id", ThreadNotFound),
        ("thread:", BadSelector),
        ("mem:12", BadSelector),
        (f"{RETRY}#99", RecordNotFound),
        ("rec:ffffffffffff", ThreadNotFound),
        ("codex:ffff", SessionNotFound),
        ("", LithError),
    ],
)
def test_an_address_that_leads_nowhere_is_an_error(synced: Runtime, address: str, error: type[LithError]) -> None:
    with pytest.raises(error):
        show(synced, address)


def test_a_small_budget_is_refused_and_a_tight_one_is_kept(synced: Runtime) -> None:
    with pytest.raises(UsageError):
        show(synced, f"{RETRY}#1", budget=199)
    found = show(synced, f"{RETRY}#1", budget=200)
    assert found.tokens <= 300
    assert found.text.endswith("it keeps itself alive.")
    assert "--budget 800" in found.text


def test_for_a_model_the_text_is_framed(synced: Runtime) -> None:
    found = show(synced, f"{RETRY}#1", wrap=True)
    assert strip_sentinels(found.text) == ("", (found.thread,))


def test_secrets_are_masked_unless_the_words_are_asked_for_as_they_are(home: Path, outer: Runtime) -> None:
    write(
        home,
        [
            record(1, "user", f"use {SECRET} for it"),
            record(2, "assistant", bash(2, f"curl -H 'Authorization: token {SECRET}' api"), parent=1),
            record(3, "user", output(2, f"token={SECRET} ok"), parent=2),
            record(4, "assistant", text("done"), parent=3),
        ],
    )
    sync(SyncRequest(), outer)
    found = show(outer, f"claude_code:{SESSION}#1")
    assert SECRET not in found.text
    assert found.text.count("[masked:") == 3
    raw = show(outer, found.thread, raw=True)
    assert raw.text.count(SECRET) == 3
    assert "[masked:" not in raw.text


def test_orphan_branches_are_labelled(home: Path, outer: Runtime) -> None:
    write(
        home,
        [
            record(1, "user", "the question"),
            record(2, "assistant", text("a first try"), parent=1),
            record(3, "assistant", text("the retry"), parent=1),
            record(4, "assistant", text("the answer"), parent=3),
        ],
    )
    sync(SyncRequest(), outer)
    lines = show(outer, f"claude_code:{SESSION}#1").text.splitlines()
    heads = {lines[i + 1]: lines[i] for i in range(len(lines) - 1)}
    assert heads["a first try"].endswith("(side branch)")
    assert not heads["the retry"].endswith(")")
    assert not heads["the answer"].endswith(")")


def test_a_changed_file_is_stale_and_a_grown_one_is_not(home: Path, outer: Runtime) -> None:
    records = [record(1, "user", "the question"), record(2, "assistant", text("the answer"), parent=1)]
    path = write(home, records)
    sync(SyncRequest(), outer)
    before = show(outer, f"claude_code:{SESSION}#1")
    with path.open("ab") as file:
        file.write(b'{"type":"mode","mode":"normal"}\n')
    assert show(outer, before.thread) == before
    path.write_bytes(path.read_bytes().replace(b"the answer", b"an ANSWER!"))
    with pytest.raises(StaleSource) as caught:
        show(outer, before.thread)
    assert ["lith", "sync", "--data-dir", str(outer.data_dir)] in caught.value.next
    path.unlink()
    with pytest.raises(StaleSource, match="No such file"):
        show(outer, before.thread)


def test_another_file_with_the_same_bytes_will_do(home: Path, outer: Runtime) -> None:
    records = [record(1, "user", "the question"), record(2, "assistant", text("the answer"), parent=1)]
    first, second = write(home, records), write(home, records, name="copy.jsonl")
    sync(SyncRequest(), outer)
    before = show(outer, f"claude_code:{SESSION}#1")
    for path in (first, second):
        kept = path.read_bytes()
        path.unlink()
        assert show(outer, before.thread) == before
        path.write_bytes(kept)


def test_a_compressed_session_has_threads(home: Path, outer: Runtime) -> None:
    write(
        home,
        [record(n, "user" if n % 2 else "assistant", text(f"words {n}"), parent=n - 1 or None) for n in range(1, 9)],
        packed=True,
    )
    sync(SyncRequest(), outer)
    assert "words 8" in show(outer, f"claude_code:{SESSION}#8").text


def test_without_projected_calls_the_words_are_the_same(home: Path, outer: Runtime) -> None:
    config = home / ".config" / "lith" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('[sources]\nprojection = "talk"\n')
    both = [*bash(2, "pytest -q"), *text("I ran the tests")]
    write(home, [record(1, "user", "go"), record(2, "assistant", both, parent=1)])
    sync(SyncRequest(), outer)
    found = show(outer, f"claude_code:{SESSION}#1").text
    assert "I ran the tests" in found
    assert "→ Bash: pytest -q" in found


def test_titles_and_hidden_forms_are_not_words_of_the_thread(home: Path, outer: Runtime) -> None:
    title = {
        "type": "custom-title",
        "customTitle": "A title of its own",
        "sessionId": SESSION,
        "uuid": "0b7a4c9e-1111-4222-8333-00000000000f",
    }
    write(home, [record(1, "user", "the question"), title])
    sync(SyncRequest(), outer)
    assert "A title of its own" not in show(outer, f"claude_code:{SESSION}#1").text
