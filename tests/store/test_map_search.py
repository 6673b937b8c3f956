"""The SQL of searching: what matches within a scope, what is counted, what is scanned."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.retrieval.building import DAY, START, MapBuilder, assistant, call, user

from lith.records.record import Role
from lith.records.scope import Scope
from lith.store.map import narrow, search
from lith.store.map.schema import DOCUMENT_SHIFT, OTHER_DOCUMENTS


@pytest.fixture
def builder(tmp_path: Path) -> Iterator[MapBuilder]:
    made = MapBuilder(tmp_path / "map.sqlite")
    yield made
    made.connection.close()


def ids(builder: MapBuilder, expression: str, scope: Scope | None = None) -> list[int]:
    narrowing = search.narrow(builder.connection, scope or Scope())
    found = search.find_matching(builder.connection, expression, narrowing)
    assert found == [doc_id for doc_id, _ in search.find_hits(builder.connection, expression, narrowing)]
    assert len(found) == search.count_matching(builder.connection, expression, narrowing, limit=1000)
    return found


def test_hits_come_by_id_with_a_score_that_is_higher_for_better(builder: MapBuilder) -> None:
    builder.add("one", [user("needle and much more hay than anybody could ever want to look through"), user("needle needle")])
    builder.add("two", [user("hay")])
    hits = search.find_hits(builder.connection, '"needle"', search.narrow(builder.connection, Scope()))
    assert [doc_id for doc_id, _ in hits] == [(1 << DOCUMENT_SHIFT) + 1, (1 << DOCUMENT_SHIFT) + 2]
    assert 0 < hits[0][1] < hits[1][1]


def test_a_limit_keeps_the_highest_ids(builder: MapBuilder) -> None:
    for number in range(6):
        builder.add(f"s{number}", [user("needle")])
    hits = search.find_hits(builder.connection, '"needle"', search.narrow(builder.connection, Scope()), limit=2)
    assert [doc_id >> DOCUMENT_SHIFT for doc_id, _ in hits] == [5, 6]


def test_hidden_sessions_are_left_out_with_and_without_a_scope(builder: MapBuilder) -> None:
    builder.add("review", [user("needle")], kind="review")
    builder.add("main", [user("needle")])
    assert [doc_id >> DOCUMENT_SHIFT for doc_id in ids(builder, '"needle"')] == [2]
    assert [doc_id >> DOCUMENT_SHIFT for doc_id in ids(builder, '"needle"', Scope(cwd="/home/u/app"))] == [2]
    assert ids(builder, '"needle"', Scope(sessions=("claude_code:review",))) == []
    assert search.count_everywhere(builder.connection, '"needle"', limit=10) == 2


def test_one_session_is_a_range_and_several_are_a_set(builder: MapBuilder) -> None:
    for name in ("a", "b", "c"):
        builder.add(name, [user("needle"), call("Bash", command="needle")])
    one = ids(builder, '"needle"', Scope(sessions=("claude_code:b",)))
    assert one == [(2 << DOCUMENT_SHIFT) + 1, (2 << DOCUMENT_SHIFT) + OTHER_DOCUMENTS]
    assert "BETWEEN" in narrow.rowid_condition(builder.connection, Scope(sessions=("claude_code:b",))).sql
    assert len(ids(builder, '"needle"', Scope(sessions=("claude_code:b", "claude_code:c")))) == 4
    assert ids(builder, '"needle"', Scope(sessions=("claude_code:b",), sources=("codex",))) == []
    assert ids(builder, '"needle"', Scope(sessions=("claude_code:zzz",))) == []


def test_conditions_on_documents(builder: MapBuilder) -> None:
    builder.add(
        "a",
        [
            user("needle"),
            assistant("needle", at=START + DAY),
            call("Read", path="/x/src/needle.py"),
            call("Bash", command="needle"),
        ],
    )
    assert len(ids(builder, '"needle"')) == 4
    assert len(ids(builder, '"needle"', Scope(roles=(Role.ASSISTANT,)))) == 1
    assert len(ids(builder, '"needle"', Scope(roles=(Role.ASSISTANT, Role.USER)))) == 2
    assert len(ids(builder, '"needle"', Scope(tools=("Bash", "Read")))) == 2
    assert len(ids(builder, '"needle"', Scope(since=START + DAY))) == 3
    assert len(ids(builder, '"needle"', Scope(until=START + DAY))) == 1
    for file in ("/x/src/needle.py", "src/needle.py", "./src/needle.py", "needle.py", "/x/src", "/x/src/"):
        assert len(ids(builder, '"needle"', Scope(files=(file,)))) == 3, file
        assert len(ids(builder, '"needle"', Scope(files=(file,), tools=("Read",)))) == 1, file
    for file in ("eedle.py", "/x/sr", "src", "needle"):
        assert ids(builder, '"needle"', Scope(files=(file,))) == [], file


def test_a_document_without_a_time_has_its_sessions(builder: MapBuilder) -> None:
    builder.add("a", [user("hay"), user("needle", timed=False)])
    assert len(ids(builder, '"needle"', Scope(since=START, until=START + DAY))) == 1
    assert ids(builder, '"needle"', Scope(since=START + DAY)) == []


PROJECTS = [
    ("/home/u/p", ["/home/u/p"]),
    ("/home/u/p/", ["/home/u/p"]),
    ("/home/u/p/deep", ["/home/u/p"]),
    ("/home/u/wt", ["/home/u/p"]),
    ("/home/u/wt/deep", ["/home/u/p"]),
    ("/home/u/p/nested/x", ["/home/u/p/nested"]),
    ("p", ["/home/u/p"]),
    ("nested", ["/home/u/p/nested"]),
    ("/elsewhere", []),
    ("/home/u/pq", []),
    ("q", []),
]


@pytest.mark.parametrize(("project", "keys"), PROJECTS)
def test_a_project_is_a_key_a_path_in_it_or_its_name(builder: MapBuilder, project: str, keys: list[str]) -> None:
    builder.add("a", [user("x")], cwd="/home/u/p")
    builder.add("b", [user("x")], cwd="/home/u/wt", project="/home/u/p")
    builder.add("c", [user("x")], cwd="/home/u/p/nested")
    assert narrow.find_project_keys(builder.connection, project) == keys


def test_counting_stops_at_its_limit(builder: MapBuilder) -> None:
    builder.add("a", [user("needle") for _ in range(9)])
    everything = search.narrow(builder.connection, Scope())
    assert search.count_matching(builder.connection, '"needle"', everything, limit=4) == 4
    assert search.count_everywhere(builder.connection, '"needle"', limit=4) == 4
    assert search.count_in_scope(builder.connection, Scope(), limit=4) == 4
    assert search.count_in_scope(builder.connection, Scope(roles=(Role.ASSISTANT,)), limit=4) == 0


def test_how_many_documents_there_are(builder: MapBuilder) -> None:
    assert search.count_documents(builder.connection) == 0
    builder.add("a", [user("x"), call("Bash", command="y")])
    assert search.count_documents(builder.connection) == 2
    builder.set_meta("common_terms_documents", "700")
    assert search.count_documents(builder.connection) == 700


def test_common_terms_are_found_by_stem(builder: MapBuilder) -> None:
    assert search.find_common_counts(builder.connection, ["running"]) == {}
    builder.connection.execute("INSERT INTO common_terms VALUES ('run', 77), ('提交', 5)")
    found = search.find_common_counts(builder.connection, ["running", "Runs", "walk", "提交", "run_fast", "\ud800"])
    assert found == {"running": 77, "Runs": 77, "提交": 5}


def test_a_scan_finds_what_the_index_has_no_token_for(builder: MapBuilder) -> None:
    builder.add("old", [user("a => b")])
    builder.add("new", [assistant("first", "then C => D"), user("=> only")], start=START + DAY)
    builder.add("rev", [user("a => b")], kind="review", start=START + DAY)
    found, whole = search.scan_text(builder.connection, ["=>"], Scope(), limit=10)
    assert ([doc_id >> DOCUMENT_SHIFT for doc_id in found], whole) == ([2, 2, 1], True)
    assert search.scan_text(builder.connection, ["=>", "c "], Scope(), limit=10)[0] == [(2 << DOCUMENT_SHIFT) + 1]
    assert search.scan_text(builder.connection, ["=>"], Scope(roles=(Role.USER,)), limit=1) == (
        [(2 << DOCUMENT_SHIFT) + 2],
        False,
    )
    assert search.scan_text(builder.connection, ["%"], Scope(), limit=10) == ([], True)


def test_a_scan_is_bounded(builder: MapBuilder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MAX_SCANNED", 3)
    builder.add("old", [user("=>")])
    builder.add("new", [user("x") for _ in range(3)], start=START + DAY)
    assert search.scan_text(builder.connection, ["=>"], Scope(), limit=10) == ([], False)
