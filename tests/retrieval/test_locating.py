"""Where a record's bytes are."""

import pytest
from tests.retrieval.building import MapBuilder, assistant, user

from lith.errors import AmbiguousAddress, BadSelector, RecordNotFound, SessionNotFound
from lith.retrieval import locate_record

FIRST = "11111111-2222-4333-8444-555555555555"
SECOND = "11111111-9222-4333-8444-555555555555"


@pytest.fixture
def full(builder: MapBuilder) -> MapBuilder:
    builder.add("one", [user("a", record=FIRST), assistant("b", record=SECOND), user("c", record="msg_not-a-uuid")])
    return builder


@pytest.mark.parametrize(
    ("address", "record", "offset"),
    [
        (f"rec:{FIRST}", FIRST, 0),
        (FIRST, FIRST, 0),
        ("rec:11111111-2", FIRST, 0),
        ("rec:111111112222", FIRST, 0),
        ("rec:msg_", "msg_not-a-uuid", 200),
        ("claude_code:one#2", SECOND, 100),
        ("one#3", "msg_not-a-uuid", 200),
    ],
)
def test_a_record_has_a_place(full: MapBuilder, address: str, record: str, offset: int) -> None:
    found = locate_record(full.connection, address)
    assert (found.record, found.session_ref) == (record, "claude_code:one")
    (place,) = found.places
    assert (place.path, place.offset, place.length, place.state) == ("/r/one.jsonl", offset, 99, "live")
    assert (place.line, place.size, place.mtime_ns) == (offset // 100 + 1, 1000, 5)
    assert len(place.hash) == 32


def test_equal_copies_are_listed_the_live_ones_first(full: MapBuilder) -> None:
    full.add("gone", [user("a", record=SECOND)], state="gone")
    full.add("fork", [user("a", record=FIRST)])
    full.connection.execute("UPDATE source_files SET state = 'gone' WHERE path = 'one.jsonl'")
    found = locate_record(full.connection, FIRST)
    assert [(place.path, place.state) for place in found.places] == [("/r/fork.jsonl", "live"), ("/r/one.jsonl", "gone")]


def test_copies_with_other_bytes_are_not_the_record(full: MapBuilder) -> None:
    full.add("fork", [user("a shortened one", record=FIRST)])
    full.connection.execute("UPDATE copies SET length = 50 WHERE copy_id >> 28 = 2")
    assert [place.path for place in locate_record(full.connection, FIRST).places] == ["/r/one.jsonl"]


def test_a_second_copy_in_the_same_transcript_is_found(full: MapBuilder) -> None:
    full.connection.execute(
        "INSERT INTO source_files (file_id, source, root, path, state, dev, inode, size, mtime_ns, ctime_ns)"
        " VALUES (9, 'claude_code', '/r', 'moved.jsonl', 'live', 1, 9, 10, 5, 6)"
    )
    full.connection.execute("INSERT INTO transcript_files SELECT transcript_id, 9 FROM transcripts")
    full.connection.execute(
        "INSERT INTO copies SELECT (9 << 28) + 4, transcript_id, record_id, 7, 700, length, hash, type, at, timestamp, parent,"
        " logical_parent, prompt_id, message, tool_use_id, target, flags, usage, set_id FROM copies WHERE offset = 0"
    )
    found = locate_record(full.connection, FIRST)
    assert [(place.path, place.offset) for place in found.places] == [("/r/one.jsonl", 0), ("/r/moved.jsonl", 700)]


def test_what_fits_several_records_lists_them(full: MapBuilder) -> None:
    with pytest.raises(AmbiguousAddress, match=f"rec:{FIRST}, rec:{SECOND}"):
        locate_record(full.connection, "rec:1111")


def test_what_is_not_there(full: MapBuilder) -> None:
    with pytest.raises(RecordNotFound):
        locate_record(full.connection, "rec:zzzz")
    with pytest.raises(RecordNotFound, match="no message #7"):
        locate_record(full.connection, "claude_code:one#7")
    with pytest.raises(SessionNotFound):
        locate_record(full.connection, "claude_code:two#1")
    with pytest.raises(BadSelector):
        locate_record(full.connection, "claude_code:one")
    with pytest.raises(BadSelector):
        locate_record(full.connection, "mem:one")
