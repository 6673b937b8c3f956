"""Threads in the map: rows that follow from the records, are written only where they change, and know what was recalled in them."""

from pathlib import Path
from typing import Any

import pytest
from tests.ingest import world as w
from tests.ingest.canonical import differences, dump

from lith.kernel.ids import unpack
from lith.scrub import wrap_sentinel
from lith.store.map import schema

SESSION = "11111111-1111-4111-8111-111111111111"
FORK = "22222222-2222-4222-8222-222222222222"
FILE = f"-a/{SESSION}.jsonl"
ARC = "thread:0f69e321-d9c9-ec82-0185-77b99ce490aa"


@pytest.fixture
def world(tmp_path: Path) -> w.World:
    return w.World(tmp_path, "claude_code")


def rows(world: w.World, query: str) -> list[tuple[Any, ...]]:
    db = schema.open_for_reading(world.map)
    try:
        return db.execute(query).fetchall()
    finally:
        db.close()


def fresh(world: w.World) -> dict[str, Any]:
    world.sync(world.base / "fresh")
    return dump(world.base / "fresh" / "map.sqlite")


def answer(number: int, text: str, parent: int, *, session: str = SESSION) -> bytes:
    return w.claude_assistant(number, session, w.text_block(text), parent=w.record_uuid(parent))


def test_a_thread_has_a_title_a_span_its_size_and_its_ends(world: w.World) -> None:
    world.write(
        FILE,
        w.claude_user(1, SESSION, "why  does the\nretry storm happen")
        + w.claude_assistant(2, SESSION, w.text_block("looking"), w.bash_block(2, "git log"), parent=w.record_uuid(1))
        + w.claude_user(60, SESSION, "fix it"),
    )
    world.sync()
    found = rows(
        world,
        "SELECT title, kind, first_at, last_at, records, turns, tokens, first_record, leaf_record FROM threads ORDER BY first_at",
    )
    assert [row[:2] for row in found] == [("why does the retry storm happen", "arc"), ("fix it", "arc")]
    first = found[0]
    assert first[3] - first[2] == 1000
    assert first[4:6] == (2, 2)
    assert 5 < first[6] < 40
    assert [unpack(one) for one in first[7:]] == [w.record_uuid(1), w.record_uuid(2)]
    terms = rows(world, "SELECT term FROM terms JOIN threads USING (thread) WHERE title LIKE 'why%' AND terms.kind = 'operative'")
    assert sorted(terms) == [("Bash",), ("git log",)]


def test_only_the_thread_that_grows_is_written(world: w.World) -> None:
    world.write(
        FILE,
        w.claude_user(1, SESSION, "first prompt") + answer(2, "first answer", 1) + w.claude_user(3, SESSION, "second prompt"),
    )
    world.sync()
    before = dict(rows(world, "SELECT title, thread_id FROM threads"))
    world.append(FILE, answer(4, "second answer with other words", 3))
    written = world.sync().totals.rows_written
    assert dict(rows(world, "SELECT title, thread_id FROM threads")) == before
    assert rows(world, "SELECT title, turns FROM threads ORDER BY first_at") == [("first prompt", 1 + 1), ("second prompt", 2)]
    assert differences(dump(world.map), fresh(world)) == {}
    assert written < 30


def test_a_fork_has_threads_of_its_own(world: w.World) -> None:
    prompt = w.claude_user(1, SESSION, "the prompt")
    world.write(FILE, prompt)
    world.write(f"-a/{FORK}.jsonl", prompt.replace(SESSION.encode(), FORK.encode()))
    world.sync()
    assert rows(world, "SELECT count(DISTINCT thread_id), count(DISTINCT first_record) FROM threads") == [(2, 1)]


def test_records_of_no_session_are_in_a_thread_as_well(world: w.World) -> None:
    world.write(FILE, w.line({"type": "summary", "summary": "An old title", "leafUuid": w.record_uuid(9)}))
    world.sync()
    assert rows(world, "SELECT session_id, kind, records FROM threads") == [(None, "preamble", 1)]


def test_what_lith_gave_back_is_a_citation_and_no_text(world: w.World) -> None:
    recalled = wrap_sentinel("the unforgettable words", [ARC, "mem:7"])
    prompt = w.claude_user(1, SESSION, f"{recalled}\nwhat about that?")
    result = w.line(
        {
            "type": "user",
            "uuid": w.record_uuid(3),
            "parentUuid": w.record_uuid(2),
            "sessionId": SESSION,
            "timestamp": w.moment(3),
            "message": {
                "role": "user",
                "content": [{"type": "tool_result", "tool_use_id": "t", "content": wrap_sentinel("more", ["mem:8"])}],
            },
        }
    )
    world.write(FILE, prompt + answer(2, "an answer", 1) + result)
    world.sync()
    cited = rows(world, "SELECT arc, record_id, seq FROM citations ORDER BY arc")
    assert [(arc, unpack(record), seq) for arc, record, seq in cited] == [
        ("mem:7", w.record_uuid(1), 1),
        ("mem:8", w.record_uuid(3), 2),
        (ARC, w.record_uuid(1), 1),
    ]
    assert rows(world, "SELECT count(*) FROM pieces WHERE text LIKE '%unforgettable%'") == [(0,)]
    assert differences(dump(world.map), fresh(world)) == {}


def test_a_citation_goes_with_the_record_that_made_it(world: w.World) -> None:
    world.write(FILE, w.claude_user(1, SESSION, "plain") + w.claude_user(2, SESSION, wrap_sentinel("x", [ARC]) + " and?"))
    world.sync()
    assert rows(world, "SELECT count(*) FROM citations") == [(1,)]
    world.write(FILE, w.claude_user(1, SESSION, "plain") + w.claude_user(2, SESSION, "without it, and longer than before " * 9))
    world.sync()
    assert rows(world, "SELECT (SELECT count(*) FROM citations), (SELECT count(*) FROM recalls)") == [(0, 0)]


def test_what_a_gone_file_recalled_outlives_a_new_map(world: w.World) -> None:
    world.write(FILE, w.claude_user(1, SESSION, wrap_sentinel("x", [ARC]) + " and?"))
    world.sync()
    world.path(FILE).unlink()
    world.sync()
    world.sync(projection="talk")
    assert rows(world, "SELECT arc FROM citations") == [(ARC,)]
    assert rows(world, "SELECT count(*) FROM threads") == [(1,)]


def test_forgetting_a_session_forgets_its_threads(world: w.World) -> None:
    world.write(FILE, w.claude_user(1, SESSION, "the retry storm"))
    world.sync()
    world.path(FILE).unlink()
    world.sync(forget_gone=True)
    assert rows(world, "SELECT (SELECT count(*) FROM threads), (SELECT count(*) FROM terms)") == [(0, 0)]
