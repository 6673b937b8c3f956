"""Lists of sessions and their sums: what is left out is named, and an empty answer says why."""

import json
from pathlib import Path

import msgspec
import pytest

from lith.errors import UsageError
from lith.kernel.tokens import estimate_tokens
from lith.ops.runtime import Runtime
from lith.ops.selection import Selection
from lith.ops.sessions import MAX_LIMIT, ListRequest, list_sessions
from lith.ops.stats import StatsRequest, stats
from lith.ops.sync import SyncRequest, sync
from lith.retrieval import sessions as paging


def line(session: str, number: int, text: str, agent: str | None = None) -> str:
    record = {
        "type": "user" if number % 2 else "assistant",
        "message": {"role": "user" if number % 2 else "assistant", "content": text},
        "uuid": f"{(agent or session)[:8]}-0000-4000-8000-{number:012d}",
        "timestamp": f"2026-03-01T10:00:{number:02d}.000Z",
        "cwd": "/work",
        "sessionId": session,
        **({"isSidechain": True, "agentId": agent} if agent else {}),
    }
    return json.dumps(record) + "\n"


@pytest.fixture
def warm(home: Path, outer: Runtime) -> Runtime:
    """A map with one session of two messages and a client's warm-up."""
    folder = home / ".claude" / "projects" / "-work"
    folder.mkdir(parents=True)
    real, warmup = "9d3cf7a2-aaaa-4bbb-8ccc-ddddeeeeffff", "8d3cf7a2"
    agents = folder / real / "subagents"
    agents.mkdir(parents=True)
    (folder / f"{real}.jsonl").write_text(line(real, 1, "the tide tables were wrong") + line(real, 2, "so they were"))
    (agents / f"agent-{warmup}.jsonl").write_text(line(real, 1, "Warmup", warmup) + line(real, 2, "I am ready.", warmup))
    assert sync(SyncRequest(), outer).totals.messages == 4
    return outer


def test_what_a_sync_counts_and_stats_does_not_was_nowhere(warm: Runtime) -> None:
    counted = stats(StatsRequest(), warm)
    assert counted.total.messages == 2
    assert {kind: (one.sessions, one.messages) for kind, one in counted.left_out.items()} == {"warmup": (1, 2)}
    assert not stats(StatsRequest(selection=Selection(since="2099-01-01")), warm).left_out


def test_hidden_sessions_could_not_be_listed(warm: Runtime) -> None:
    assert list_sessions(ListRequest(), warm).total == 1
    hidden = list_sessions(ListRequest(kinds=("warmup",)), warm)
    assert [(item.kind, item.messages) for item in hidden.items] == [("warmup", 2)]
    assert list_sessions(ListRequest(kinds=("main", "warmup")), warm).total == 2
    with pytest.raises(UsageError, match="--kind"):
        list_sessions(ListRequest(kinds=("wormup",)), warm)
    with pytest.raises(UsageError, match="exclude each other"):
        list_sessions(ListRequest(kinds=("subagent",), selection=Selection(subagents=False)), warm)


@pytest.mark.parametrize(
    ("selection", "reason", "names"),
    [
        (Selection(since="2099-01-01"), "scope_too_narrow", ["--since"]),
        (Selection(cwd="/elsewhere"), "scope_too_narrow", ["--cwd"]),
        (Selection(cwd="/elsewhere", since="2099-01-01"), "scope_too_narrow", ["the scope"]),
        (Selection(sources=("codex",)), "not_synced", []),
    ],
)
def test_an_empty_list_did_not_say_why(warm: Runtime, selection: Selection, reason: str, names: list[str]) -> None:
    for nothing in (
        list_sessions(ListRequest(selection=selection), warm).nothing,
        stats(StatsRequest(selection=selection), warm).nothing,
    ):
        assert nothing is not None
        assert nothing.reason == reason
        assert [condition.name for condition in nothing.conditions] == names
        assert nothing.message
        assert nothing.next


def test_only_hidden_sessions_are_no_absence(warm: Runtime) -> None:
    nothing = list_sessions(ListRequest(kinds=("review",)), warm).nothing
    assert nothing is not None
    assert nothing.reason == "other_kinds"
    assert nothing.next == [warm.argv("list", "--kind", "main", "--kind", "warmup")]


def test_a_map_without_a_session_says_so(outer: Runtime) -> None:
    sync(SyncRequest(), outer)
    for nothing in (list_sessions(ListRequest(), outer).nothing, stats(StatsRequest(), outer).nothing):
        assert nothing is not None
        assert nothing.reason == "nothing_indexed"
        assert nothing.next[0] == outer.argv("sync")


def test_a_list_had_no_budget(synced: Runtime) -> None:
    whole = list_sessions(ListRequest(), synced)
    assert whole.nothing is None
    first = list_sessions(ListRequest(max_tokens=600), synced)
    assert 0 < len(first.items) < len(whole.items)
    assert estimate_tokens(msgspec.json.encode(first).decode()) <= 600
    seen = list(first.items)
    cursor = first.next_cursor
    while cursor is not None:
        page = list_sessions(ListRequest(max_tokens=600, cursor=cursor), synced)
        seen += page.items
        cursor = page.next_cursor
    assert seen == whole.items
    assert len(list_sessions(ListRequest(max_tokens=1), synced).items) == 1


def test_the_limit_is_that_of_the_pages() -> None:
    assert MAX_LIMIT == paging.MAX_LIMIT
