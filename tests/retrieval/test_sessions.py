"""Sessions by address, by list and in sums."""

import msgspec
import pytest
from tests.retrieval.building import DAY, START, MapBuilder, assistant, call, user

from lith.errors import AmbiguousAddress, BadSelector, SessionNotFound, UnknownSource, UsageError
from lith.records.record import SessionKind
from lith.records.scope import Scope
from lith.retrieval import list_sessions, resolve_session, stats
from lith.retrieval.answers import ListResult
from lith.retrieval.requests import ListRequest


def listed(builder: MapBuilder, **options: object) -> ListResult:
    return list_sessions(builder.connection, msgspec.convert(options, ListRequest))


def refs(result: ListResult) -> list[str | None]:
    return [item.session_ref for item in result.items]


@pytest.fixture
def full(builder: MapBuilder) -> MapBuilder:
    builder.add("abc1", [user("one"), call("Bash", command="ls")], cwd="/home/u/p/sub", project="/home/u/p")
    builder.add("abc1/agent7", [user("two")], kind="subagent", parent="abc1", start=START + DAY)
    builder.add("abd2", [user("three"), assistant("four")], start=START + 2 * DAY, state="gone")
    builder.add("abc1", [user("five")], source="codex", start=START + 3 * DAY, cwd=None)
    builder.add("rev9", [user("six")], kind="review", start=START + 4 * DAY)
    return builder


@pytest.mark.parametrize(
    ("address", "ref"),
    [
        ("claude_code:abc1", "claude_code:abc1"),
        ("claude_code:abc", "claude_code:abc1"),
        ("claude_code:abc1/ag", "claude_code:abc1/agent7"),
        ("claude_code:ab/ag", "claude_code:abc1/agent7"),
        ("abc/a", "claude_code:abc1/agent7"),
        ("claude_code:ab/a#1", "claude_code:abc1/agent7"),
        ("claude_code:abc1#12", "claude_code:abc1"),
        ("abd", "claude_code:abd2"),
        ("codex:a", "codex:abc1"),
        ("rev", "claude_code:rev9"),
    ],
)
def test_a_unique_prefix_is_an_address(full: MapBuilder, address: str, ref: str) -> None:
    assert resolve_session(full.connection, address) == ref


def test_what_fits_several_sessions_lists_them(full: MapBuilder) -> None:
    with pytest.raises(AmbiguousAddress, match="claude_code:abc1, codex:abc1"):
        resolve_session(full.connection, "abc1")
    with pytest.raises(AmbiguousAddress) as error:
        resolve_session(full.connection, "claude_code:ab")
    assert error.value.next == [["lith", "read", "claude_code:abc1"], ["lith", "read", "claude_code:abd2"]]


def test_a_prefix_that_fits_two_subagents_lists_them(full: MapBuilder) -> None:
    full.add("abd2/agent8", [user("x")], kind="subagent", parent="abd2")
    with pytest.raises(AmbiguousAddress, match="claude_code:abc1/agent7, claude_code:abd2/agent8"):
        resolve_session(full.connection, "ab/agent")
    assert resolve_session(full.connection, "abd/agent") == "claude_code:abd2/agent8"


def test_many_subagents_hide_no_second_session(full: MapBuilder) -> None:
    for number in range(20):
        full.add(f"abc1/b{number}", [user("x")], kind="subagent", parent="abc1")
    full.add("abc2", [user("x")])
    with pytest.raises(AmbiguousAddress):
        resolve_session(full.connection, "claude_code:abc")


def test_what_fits_none_names_what_is_near(full: MapBuilder) -> None:
    full.add("long-native-id", [user("x")])
    with pytest.raises(SessionNotFound) as error:
        resolve_session(full.connection, "claude_code:long-native-iq")
    assert error.value.hint == "near it are claude_code:long-native-id"
    with pytest.raises(SessionNotFound) as error:
        resolve_session(full.connection, "zzz")
    assert ["lith", "sync"] in error.value.next


@pytest.mark.parametrize("wild", ["%", "_", "ab%", "a*"])
def test_no_character_is_a_wildcard(full: MapBuilder, wild: str) -> None:
    with pytest.raises(SessionNotFound):
        resolve_session(full.connection, wild)


def test_what_is_no_session_is_refused(full: MapBuilder) -> None:
    with pytest.raises(BadSelector):
        resolve_session(full.connection, "rec:abc")
    with pytest.raises(UnknownSource):
        resolve_session(full.connection, "claude:abc")
    with pytest.raises(BadSelector):
        resolve_session(full.connection, "a b")


def test_the_newest_come_first_and_subagents_are_labelled(full: MapBuilder) -> None:
    result = listed(full)
    assert refs(result) == ["codex:abc1", "claude_code:abd2", "claude_code:abc1/agent7", "claude_code:abc1"]
    assert result.total == 4
    assert [item.kind for item in result.items] == ["main", "main", "subagent", "main"]
    assert [item.source_state for item in result.items] == [None, "gone", None, None]
    last = result.items[-1]
    assert (last.project, last.cwd, last.messages, last.calls) == ("/home/u/p", "/home/u/p/sub", 1, 1)


def test_reviews_only_when_asked_for(full: MapBuilder) -> None:
    assert refs(listed(full, kinds=(SessionKind.REVIEW,))) == ["claude_code:rev9"]


def test_pages_neither_repeat_nor_skip(full: MapBuilder) -> None:
    for number in range(5):  # equal ends: only the id tells them apart
        full.add(f"same{number}", [user("x", at=START)])
    seen: list[str | None] = []
    cursor = None
    while True:
        page = listed(full, limit=2, cursor=cursor)
        assert page.total == 9
        seen += refs(page)
        cursor = page.next_cursor
        if cursor is None:
            break
    assert seen == refs(listed(full, limit=100))


def test_a_cursor_survives_a_new_session(full: MapBuilder) -> None:
    first = listed(full, limit=2)
    full.add("newer", [user("x")], start=START + 9 * DAY)
    assert refs(listed(full, limit=2, cursor=first.next_cursor)) == ["claude_code:abc1/agent7", "claude_code:abc1"]


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        (Scope(sources=("codex",)), ["codex:abc1"]),
        (Scope(project="/home/u/p"), ["claude_code:abc1"]),
        (Scope(since=START + DAY, until=START + 2 * DAY), ["claude_code:abc1/agent7"]),
        (Scope(subagents=False, sources=("claude_code",)), ["claude_code:abd2", "claude_code:abc1"]),
        (Scope(tools=("Bash",)), ["claude_code:abc1"]),
        (Scope(exclude_sessions=("claude_code:abc1",)), ["codex:abc1", "claude_code:abd2"]),
    ],
)
def test_a_list_has_a_scope(full: MapBuilder, scope: Scope, expected: list[str]) -> None:
    assert refs(listed(full, scope=scope)) == expected


def test_fields_limits_and_cursors_are_checked(full: MapBuilder) -> None:
    (item,) = listed(full, fields=("session_ref", "title"), limit=1).items
    assert msgspec.to_builtins(item) == {"session_ref": "codex:abc1"}
    for options in ({"fields": ("nope",)}, {"limit": 0}, {"cursor": "x"}):
        with pytest.raises(UsageError):
            listed(full, **options)


def test_an_empty_map_has_an_empty_list(builder: MapBuilder) -> None:
    result = listed(builder)
    assert (result.items, result.total, result.next_cursor) == ([], 0, None)


def test_sums_add_up(full: MapBuilder) -> None:
    result = stats(full.connection, Scope())
    assert (result.total.sessions, result.total.subagents, result.total.gone) == (3, 1, 1)
    assert (result.total.messages, result.total.user_messages, result.total.calls, result.total.records) == (5, 4, 1, 6)
    assert (result.total.input_tokens, result.total.cache_write_tokens) == (40, 160)
    assert (result.total.first, result.total.last) == ("2025-10-09T08:54:20.000Z", "2025-10-12T08:54:20.000Z")
    assert [(one.name, one.sessions + one.subagents) for one in result.sources] == [("claude_code", 3), ("codex", 1)]
    assert sum(one.messages for one in result.sources) == result.total.messages
    assert [one.name for one in result.projects] == ["/home/u/app", "/home/u/p"]
    assert (result.files.files, result.files.gone_files, result.files.bytes) == (5, 1, 5000)
    assert result.map_bytes == full.path.stat().st_size


def test_sums_have_a_scope(full: MapBuilder) -> None:
    result = stats(full.connection, Scope(sources=("codex",)))
    assert (result.total.sessions, result.total.messages, result.files.files) == (1, 1, 1)
    assert result.projects == []
    empty = stats(full.connection, Scope(sources=("pi",)))
    assert (empty.total.sessions, empty.total.first, empty.sources) == (0, None, [])


def test_a_sum_of_nothing_is_zero_and_not_absent(builder: MapBuilder) -> None:
    total = msgspec.to_builtins(stats(builder.connection, Scope()).total)
    assert set(total) == {
        *("sessions", "subagents", "gone", "messages", "user_messages", "calls", "records"),
        *("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens"),
    }
    assert set(total.values()) == {0}
