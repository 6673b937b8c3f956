"""An empty answer says why, and its commands help."""

import apsw
import msgspec
import pytest
from tests.retrieval.building import DAY, START, MapBuilder, assistant, call, user

from lith.records.record import Role
from lith.records.scope import Scope
from lith.retrieval import find
from lith.retrieval.answers import Nothing
from lith.retrieval.requests import FindRequest
from lith.store.map import schema


def nothing(builder: MapBuilder, query: str, scope: Scope | None = None) -> Nothing:
    result = find(builder.connection, FindRequest(query=query, scope=scope or Scope()))
    assert result.results == []
    assert result.total == 0
    assert result.nothing is not None
    return result.nothing


def test_an_empty_map_says_sync(builder: MapBuilder) -> None:
    found = nothing(builder, "lock")
    assert found.reason == "nothing_indexed"
    assert found.next[0] == ["lith", "sync"]


def test_a_client_that_was_never_synced(builder: MapBuilder) -> None:
    builder.add("one", [user("lock")])
    builder.cover("claude_code")
    found = nothing(builder, "lock", Scope(sources=("codex",)))
    assert found.reason == "not_synced"
    assert found.next[0] == ["lith", "sync", "--source", "codex"]


@pytest.mark.parametrize(
    ("scope", "option"),
    [
        (Scope(project="/nowhere"), "--project"),
        (Scope(cwd="/nowhere"), "--cwd"),
        (Scope(since=START + 30 * DAY), "--since"),
        (Scope(until=START - DAY), "--until"),
        (Scope(sessions=("claude_code:two",)), "--session"),
        (Scope(exclude_sessions=("claude_code:one",)), "--exclude-session"),
        (Scope(roles=(Role.ASSISTANT,)), "--role"),
        (Scope(tools=("Bash",)), "--tool"),
        (Scope(files=("a.py",)), "--file"),
    ],
)
def test_a_scope_too_narrow_names_the_condition(builder: MapBuilder, scope: Scope, option: str) -> None:
    builder.add("one", [user("the lock hangs")])
    builder.add("two", [user("something else"), assistant("indeed"), call("Bash", command="ls")])
    found = nothing(builder, "lock", scope)
    assert found.reason == "scope_too_narrow"
    assert [(one.name, one.without) for one in found.conditions] == [(option, 1)]
    assert found.next == [["lith", "find", "lock"]]


def test_two_conditions_that_only_together_are_too_narrow(builder: MapBuilder) -> None:
    builder.add("one", [user("the lock hangs")])
    found = nothing(builder, "lock", Scope(cwd="/nowhere", since=START + DAY))
    assert (found.reason, [one.name for one in found.conditions]) == ("scope_too_narrow", ["the scope"])


def test_the_next_command_keeps_the_other_conditions(builder: MapBuilder) -> None:
    builder.add("one", [user("the lock hangs")], cwd="/home/u/app")
    found = nothing(builder, "lock", Scope(cwd="/home/u/app", subagents=False, roles=(Role.USER,), since=START + DAY))
    assert found.next == [["lith", "find", "lock", "--cwd", "/home/u/app", "--no-subagents", "--role", "user"]]


def test_a_query_that_asks_too_much(builder: MapBuilder) -> None:
    builder.add("one", [user("the lock of the sync hangs")])
    found = nothing(builder, '"sync lock"')
    assert found.reason == "over_constrained"
    assert found.next == [["lith", "find", "sync lock"]]
    assert find(builder.connection, FindRequest(query=found.next[0][2])).results


def test_words_that_are_nowhere(builder: MapBuilder) -> None:
    builder.add("one", [user("lock")])
    found = nothing(builder, "banana", Scope(cwd="/home/u/app"))
    assert (found.reason, found.next) == ("no_match", [["lith", "status"]])
    assert found.suggestions == []


def test_without_a_condition_there_are_as_many_as_the_search_says(builder: MapBuilder) -> None:
    said = [user(f"the lock hangs {number}", at=START + number) for number in range(5)]
    builder.add("one", said)
    builder.add("fork", [*said, assistant("lock")])  # copies are one result
    (condition,) = nothing(builder, "lock", Scope(since=START + 30 * DAY)).conditions
    assert condition.without == find(builder.connection, FindRequest(query="lock")).total == 6


def test_commands_for_a_query_that_begins_with_a_dash_say_where_options_end(builder: MapBuilder) -> None:
    builder.add("one", [user("run it with verbose")])
    found = nothing(builder, "--verbose", Scope(cwd="/nowhere"))
    assert found.next == [["lith", "find", "--", "--verbose"]]
    request = FindRequest(query="--verbose", scope=Scope(cwd="/nowhere", since=START), data_dir="/d")
    both = find(builder.connection, request).nothing
    assert both is not None
    assert both.next[0][:2] == ["lith", "find"]
    assert both.next[0][-4:] == ["--data-dir", "/d", "--", "--verbose"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("deplyo", "deploy"),  # exchanged
        ("deply", "deploy"),
        ("ddeploy", "deploy"),
        ("edploy", "deploy"),
        ("eploy", "deploy"),
        ("fatser", "faster"),
        ("configurtaoin", "configuration"),
        ("Migratoin", "migration"),
        ("deplyo migratoin", "deploy migration"),
        ("schlüsel", "schlussel"),
        ("prxy", "proxy"),
        ("prots", "port"),
        ("porxy", "proxy"),
    ],
)
def test_a_slip_of_the_pen_is_answered_by_what_is_near(builder: MapBuilder, typed: str, meant: str) -> None:
    builder.add(
        "one",
        [user("deploy it faster: the configuration and the migration, der Schlüssel"), assistant("employ a proxy and its port")],
    )
    found = nothing(builder, typed)
    assert meant in found.suggestions
    assert ["lith", "find", meant] in found.next
    assert meant in found.message
    assert find(builder.connection, FindRequest(query=meant)).results


def test_the_beginning_of_a_word_suggests_a_prefix(builder: MapBuilder) -> None:
    builder.add("one", [user("the kubernetes cluster")])
    assert nothing(builder, "kuber").suggestions == ["kuber*"]


@pytest.mark.parametrize("typed", ["zzzzqqqq", "abc", '"deplyo it"', "deplyo AND it", "修改"])
def test_what_is_near_nothing_has_no_suggestions(builder: MapBuilder, typed: str) -> None:
    builder.add("one", [user("deploy it")])
    assert nothing(builder, typed).suggestions == []


def test_a_map_that_may_only_be_read_has_suggestions_and_stays_as_it_is(builder: MapBuilder) -> None:
    builder.add("one", [user("deploy it")])
    connection = schema.open_for_reading(builder.path)
    before = builder.path.read_bytes()
    result = find(connection, FindRequest(query="deplyo"))
    assert result.nothing is not None
    assert result.nothing.suggestions == ["deploy"]
    with pytest.raises(apsw.ReadOnlyError):
        connection.execute("DELETE FROM documents")
    connection.close()
    assert builder.path.read_bytes() == before
    assert [path.name for path in builder.path.parent.glob("map.sqlite*")] == [builder.path.name]


def test_an_empty_answer_says_that_the_output_of_tools_is_not_searched(builder: MapBuilder) -> None:
    builder.add("one", [user("lock")])
    builder.set_meta("projection", "calls/1")
    assert "what tools printed is not searched" in nothing(builder, "banana").message
    builder.set_meta("projection", "work/1")
    assert "what tools printed" not in nothing(builder, "banana").message


def test_files_left_over_are_a_reason_to_sync(builder: MapBuilder) -> None:
    builder.add("one", [user("lock")])
    builder.cover(pending=1, failed=1)
    found = nothing(builder, "banana")
    assert "2 files are not wholly in the map" in found.message
    assert found.next == [["lith", "sync"]]


def test_a_symbol_that_is_nowhere(builder: MapBuilder) -> None:
    builder.add("one", [user("lock")])
    assert nothing(builder, "=>").reason == "no_match"
    assert nothing(builder, "=>", Scope(cwd="/nowhere")).reason == "no_match"


def test_it_is_left_out_where_something_was_found(builder: MapBuilder) -> None:
    builder.add("one", [user("lock")])
    encoded = msgspec.json.encode(find(builder.connection, FindRequest(query="lock")))
    assert b"nothing" not in encoded
