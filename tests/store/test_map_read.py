"""The SQL of reading: sessions, documents, records, sums."""

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from tests.retrieval.building import DAY, START, MapBuilder, assistant, call, profile, user

from lith.errors import MapNeedsSync, MapTooNew
from lith.kernel import sqlite
from lith.kernel.ids import unpack
from lith.records.record import Kind, SessionKind
from lith.records.scope import Scope
from lith.store.map import read, schema, totals
from lith.store.map.narrow import SEARCHED_KINDS, Condition, listed_condition, session_condition
from lith.store.map.schema import DOCUMENT_SHIFT

RECORD = "11111111-2222-4333-8444-555555555555"


@pytest.fixture
def builder(tmp_path: Path) -> Iterator[MapBuilder]:
    made = MapBuilder(tmp_path / "map.sqlite")
    yield made
    made.connection.close()


def test_a_session_by_id_and_by_address(builder: MapBuilder) -> None:
    ref = builder.add("one", [user("a"), assistant("b")], cwd="/home/u/p/sub", project="/home/u/p", title="T")
    found = read.find_session(builder.connection, ref)
    assert found is not None
    assert (found.ref, found.source, found.native_id, found.cwd, found.project) == (
        ref,
        "claude_code",
        "one",
        "/home/u/p/sub",
        "/home/u/p",
    )
    assert (found.title, found.messages, found.user_messages, found.input_tokens) == ("T", 2, 1, 10)
    assert (found.started_at, found.ended_at) == (START + 60_000, START + 120_000)
    assert read.load_sessions(builder.connection, [found.session_id, 99]) == {found.session_id: found}
    assert read.find_session(builder.connection, "claude_code:on") is None


def test_addresses_by_prefix_take_no_wildcards(builder: MapBuilder) -> None:
    for name in ("ab", "abc", "abd", "a_b"):
        builder.add(name, [user("x")])
    assert read.find_refs(builder.connection, "claude_code:ab", 10) == ["claude_code:ab", "claude_code:abc", "claude_code:abd"]
    assert read.find_refs(builder.connection, "claude_code:a_", 10) == ["claude_code:a_b"]
    assert read.find_refs(builder.connection, "claude_code:ab", 2) == ["claude_code:ab", "claude_code:abc"]


def test_a_document_is_all_of_its_pieces(builder: MapBuilder) -> None:
    builder.add("one", [assistant("first", "second", "third")])
    doc_id = (1 << DOCUMENT_SHIFT) + 1
    row = read.load_documents(builder.connection, [doc_id, 5])[doc_id]
    assert (row.text, row.kind, row.role, row.seq, row.session_id) == ("first\n\nsecond\n\nthird", "message", "assistant", 1, 1)
    assert read.load_documents(builder.connection, [doc_id], characters=3)[doc_id].text == "fir\n\nsec\n\nthi"


def test_messages_by_number(builder: MapBuilder) -> None:
    builder.add("zero", [user("x")])
    builder.add("one", [user(f"m{number}") for number in range(1, 8)] + [call("Bash", command="ls"), profile("title", "T")])
    assert read.message_numbers(builder.connection, 2) == list(range(1, 8))
    assert [row.text for row in read.load_messages(builder.connection, 2, first=3, last=5)] == ["m3", "m4", "m5"]
    assert len(read.load_messages(builder.connection, 2, first=0, last=1 << 40)) == 7


def test_what_is_no_message(builder: MapBuilder) -> None:
    builder.add(
        "one",
        [call("A", command="0"), user("m1"), call("B", command="1"), user("m2"), call("C", command="2"), profile("title", "T")],
    )
    every = read.load_others(builder.connection, 1, [Kind.CALL, Kind.PROFILE])
    assert [(row.tool or row.label, row.seq) for row in every] == [("A", None), ("B", 1), ("C", 2), ("title", None)]
    assert [row.tool for row in read.load_others(builder.connection, 1, [Kind.CALL], first=1, last=1)] == ["B"]
    assert read.load_others(builder.connection, 1, [Kind.RESULT]) == []


def test_sessions_by_page(builder: MapBuilder) -> None:
    for number in range(4):
        builder.add(f"s{number}", [user("x", at=START + (number % 2) * DAY)])
    builder.add("timeless", [user("x", timed=False)])
    condition = session_condition(builder.connection, Scope(), SEARCHED_KINDS)
    page = read.page_sessions(builder.connection, condition, after=None, limit=3)
    assert [row.native_id for row in page] == ["s3", "s1", "s2"]
    rest = read.page_sessions(builder.connection, condition, after=(START, page[-1].session_id), limit=9)
    assert [row.native_id for row in rest] == ["s0", "timeless"]
    assert read.count_sessions(builder.connection, condition) == 5
    assert read.count_sessions(builder.connection, Condition()) == 5


def test_sessions_by_what_they_hold(builder: MapBuilder) -> None:
    builder.add("a", [user("x"), call("Edit", path="/p/a.py")])
    builder.add("b", [user("x"), call("Bash", command="ls")])
    builder.add("c", [user("x")], kind="subagent", parent="a")
    for scope, names in ((Scope(tools=("Edit",)), ["a"]), (Scope(files=("a.py",)), ["a"]), (Scope(subagents=False), ["b", "a"])):
        condition = listed_condition(builder.connection, scope, SEARCHED_KINDS)
        assert [row.native_id for row in read.page_sessions(builder.connection, condition, after=None, limit=9)] == names
    condition = session_condition(builder.connection, Scope(exclude_sessions=("claude_code:a",)), list(SessionKind))
    assert [row.native_id for row in read.page_sessions(builder.connection, condition, after=None, limit=9)] == ["b"]


def test_records_by_prefix_of_either_form(builder: MapBuilder) -> None:
    builder.add("one", [user("a", record=RECORD), user("b", record="1111-msg")])
    for prefix, found in (
        (RECORD, [RECORD]),
        ("1111", ["1111-msg", RECORD]),
        ("1111-", ["1111-msg"]),
        ("11111111-2", [RECORD]),
        ("2", []),
    ):
        rows = read.find_records(builder.connection, prefix, 10)
        assert [unpack(row.record_id) for row in rows] == found, prefix
    (row,) = read.find_records(builder.connection, RECORD, 10)
    assert (row.root, row.path, row.offset, row.length, row.line, row.state) == ("/r", "one.jsonl", 0, 99, 1, "live")
    assert row.session_ref == "claude_code:one"
    assert read.find_other_copies(builder.connection, row) == []


def test_sums(builder: MapBuilder) -> None:
    builder.add("a", [user("x"), call("Bash", command="ls")], cwd="/p/one")
    builder.add("b", [user("x"), assistant("y"), assistant("z")], cwd="/p/two", source="codex", start=START + DAY, state="gone")
    builder.add("c", [user("x")], cwd="/p/two", kind="subagent", parent="a")
    everything = session_condition(builder.connection, Scope(), SEARCHED_KINDS)
    total = totals.sum_sessions(builder.connection, everything)
    assert (total.sessions, total.subagents, total.gone, total.messages, total.calls, total.records) == (3, 1, 1, 5, 1, 6)
    assert (total.first, total.last) == (START + 60_000, START + DAY + 180_000)
    assert [(one.name, one.messages) for one in totals.sum_by_source(builder.connection, everything)] == [
        ("claude_code", 2),
        ("codex", 3),
    ]
    assert [(one.name, one.messages) for one in totals.sum_by_project(builder.connection, everything, limit=1)] == [("/p/two", 4)]
    files = totals.sum_files(builder.connection, [])
    assert (files.files, files.gone, files.failed, files.skipped, files.bytes) == (3, 1, 0, 0, 3000)
    assert totals.sum_files(builder.connection, ["pi"]).files == 0
    assert totals.database_bytes(builder.connection) == builder.path.stat().st_size


def test_sums_over_nothing_are_zero(builder: MapBuilder) -> None:
    total = totals.sum_sessions(builder.connection, Condition())
    assert (total.sessions, total.messages, total.first, total.last) == (0, 0, None, None)


def test_a_map_that_is_refused_is_not_left_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "map.sqlite"
    schema.create(path, projection="calls").close()
    opened = []

    def open_reader(one: Path) -> apsw.Connection:
        opened.append(real(one))
        return opened[-1]

    real = sqlite.open_reader
    monkeypatch.setattr(sqlite, "open_reader", open_reader)
    for version, error in ((schema.SCHEMA_VERSION + 1, MapTooNew), (schema.SCHEMA_VERSION - 1, MapNeedsSync)):
        writer = apsw.Connection(str(path))
        writer.execute("UPDATE meta SET value = ? WHERE key = 'schema'", (str(version),))
        writer.close()
        with pytest.raises(error):
            schema.open_for_reading(path)
        with pytest.raises(apsw.ConnectionClosedError):
            opened[-1].execute("SELECT 1")
