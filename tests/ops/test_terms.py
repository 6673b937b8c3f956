"""Terms, files and tokens of the demo's sessions, in the words of whoever asks."""

from pathlib import Path

import pytest
from tests.ingest import world as w

from lith.errors import BadSelector, UsageError
from lith.ops.files import FilesRequest, files
from lith.ops.find import FindRequest, find
from lith.ops.runtime import Runtime
from lith.ops.selection import Selection
from lith.ops.stats import StatsRequest, stats
from lith.ops.sync import SyncRequest, sync
from lith.ops.terms import TermsRequest, terms
from lith.retrieval.answers import Tokens, UsageResult

RETRY = "codex:019cc1a4-52c0-7d10-8a11-6f20c3d4e503"
SESSION = "11111111-1111-4111-8111-111111111111"
FORK = "22222222-2222-4222-8222-222222222222"


def write(home: Path, name: str, data: bytes) -> None:
    path = home / ".claude" / "projects" / "-work" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def test_terms_by_kind(synced: Runtime) -> None:
    found = terms(TermsRequest(kinds=("operative",)), synced)
    assert {one.kind for one in found.items} == {"operative"}
    by_term = {one.term: one for one in found.items}
    assert by_term["pytest"].threads == 5
    assert by_term["pytest"].count >= by_term["pytest"].threads >= by_term["pytest"].sessions
    assert [one.threads for one in found.items] == sorted((one.threads for one in found.items), reverse=True)


def test_terms_of_a_part_of_the_memory(synced: Runtime) -> None:
    whole = terms(TermsRequest(), synced)
    part = terms(TermsRequest(selection=Selection(sessions=(RETRY,)), limit=3), synced)
    assert 0 < part.threads < whole.threads
    assert part.total < whole.total
    kinds = [one.kind for one in part.items]
    assert kinds == sorted(kinds, key=["operative", "target", "concept", "wikilink"].index)
    assert all(kinds.count(kind) <= 3 for kind in kinds)
    assert terms(TermsRequest(selection=Selection(until="2001-01-01")), synced).items == []


def test_a_kind_or_a_limit_that_is_none_is_an_error(synced: Runtime) -> None:
    with pytest.raises(UsageError, match="operativ"):
        terms(TermsRequest(kinds=("operativ",)), synced)
    with pytest.raises(UsageError):
        terms(TermsRequest(limit=0), synced)


def test_files_finds_who_touched_a_path_in_any_spelling(synced: Runtime) -> None:
    for path in ("carrier.py", "src/parcel/carrier.py", "./src/parcel/carrier.py", "src/parcel/"):
        found = files(FilesRequest(path=path), synced)
        assert RETRY in [one.session_ref for one in found.items], path
    retry = next(one for one in found.items if one.session_ref == RETRY)
    assert retry.tools == ["apply_patch"]
    assert retry.commands == 1
    assert retry.evidence.argv[:3] == ["lith", "read", RETRY]
    assert files(FilesRequest(path="nowhere/at/all.py"), synced).total == 0
    times = [one.last_at or "" for one in files(FilesRequest(path="/demo"), synced).items]
    assert times == sorted(times, reverse=True)
    assert len(times) > 1


def test_files_needs_a_path(synced: Runtime) -> None:
    with pytest.raises(UsageError):
        files(FilesRequest(path=" / "), synced)
    with pytest.raises(BadSelector):
        files(FilesRequest(path="a.py", selection=Selection(since="yesterdy")), synced)


def test_files_of_calls_that_name_several_and_of_names_with_quotes(home: Path, outer: Runtime) -> None:
    odd = 'odd "name" ü.py'
    calls = [
        {"type": "tool_use", "id": "a", "name": "Edit", "input": {"file_path": f"/work/src/{odd}"}},
        {"type": "tool_use", "id": "b", "name": "Bash", "input": {"command": "cat src/b.py && rm src/bb.py"}},
    ]
    write(home, f"{SESSION}.jsonl", w.claude_user(1, SESSION, "go") + w.claude_assistant(2, SESSION, *calls))
    sync(SyncRequest(), outer)
    assert files(FilesRequest(path=odd), outer).items[0].calls == 1
    assert files(FilesRequest(path="src/b.py"), outer).items[0].commands == 1
    assert files(FilesRequest(path="b.py"), outer).items[0].commands == 1
    assert files(FilesRequest(path="src/b"), outer).total == 0
    assert files(FilesRequest(path="/work/src"), outer).items[0].calls == 1


def test_find_names_the_thread_and_what_the_results_share(synced: Runtime) -> None:
    found = find(FindRequest(query="retry storm", facets=True), synced)
    message = next(hit for hit in found.results if hit.match_source == "message")
    assert message.thread is not None
    assert message.thread.startswith("thread:")
    assert all(hit.thread is None for hit in found.results if hit.match_source == "profile")
    assert "carrier" in found.facets["concept"]
    assert find(FindRequest(query="retry storm"), synced).facets == {}


def usage(runtime: Runtime, **selection: str) -> UsageResult:
    found = stats(StatsRequest(selection=Selection(**selection), usage=True), runtime).usage  # type: ignore[arg-type]
    assert found is not None
    return found


def test_tokens_count_once_for_each_model_call(home: Path, outer: Runtime) -> None:
    one = w.claude_assistant(2, SESSION, w.text_block("a"), message="m1") + w.claude_assistant(
        3, SESSION, w.text_block("b"), message="m1"
    )
    write(
        home,
        f"{SESSION}.jsonl",
        w.claude_user(1, SESSION, "go") + one + w.claude_assistant(4, SESSION, w.text_block("c"), message="m2"),
    )
    copied = one.replace(SESSION.encode(), FORK.encode())
    write(home, f"{FORK}.jsonl", copied + w.claude_assistant(90, FORK, w.text_block("d"), message="m3"))
    sync(SyncRequest(), outer)
    found = usage(outer)
    assert found.total == Tokens(None, 3, 30, 9, 15, 0)
    assert {one.name: one.model_calls for one in found.sessions} == {f"claude_code:{SESSION}": 2, f"claude_code:{FORK}": 1}
    assert [one.name for one in found.days] == ["2026-03-01"]
    assert usage(outer, project="/home/dev/shop").total.model_calls == 3
    assert stats(StatsRequest(), outer).usage is None


def test_a_running_total_counts_by_what_it_grew_on_each_day(home: Path, outer: Runtime) -> None:
    def total(moment: str, tokens: int) -> bytes:
        counts = {"input_tokens": tokens, "cached_input_tokens": 0, "output_tokens": tokens}
        return w.line(
            {"timestamp": moment, "type": "event_msg", "payload": {"type": "token_count", "info": {"total_token_usage": counts}}}
        )

    path = home / ".codex" / "sessions" / "2026" / "03" / "01" / f"rollout-2026-03-01T00-00-00-{SESSION}.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(
        w.codex_meta(1, SESSION) + w.codex_event(2, "user_message", "go")
        + total("2026-03-01T10:00:00Z", 10) + total("2026-03-01T11:00:00Z", 10) + total("2026-03-02T10:00:00Z", 25) + total("2026-03-02T11:00:00Z", 5)
    )  # fmt: skip
    sync(SyncRequest(), outer)
    found = usage(outer)
    assert [(one.name, one.output_tokens) for one in found.days] == [("2026-03-02", 20), ("2026-03-01", 10)]
    assert found.total.output_tokens == 30
    assert usage(outer, since="2026-03-02").total.output_tokens == 20


def test_a_day_is_the_day_of_the_user(home: Path, outer: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    import time  # noqa: PLC0415

    write(home, f"{SESSION}.jsonl", w.claude_user(1, SESSION, "go") + w.claude_assistant(2, SESSION, w.text_block("a")))
    sync(SyncRequest(), outer)
    monkeypatch.setenv("TZ", "America/Los_Angeles")
    time.tzset()
    try:
        assert [one.name for one in usage(outer).days] == ["2026-02-28"]
    finally:
        monkeypatch.undo()
        time.tzset()
