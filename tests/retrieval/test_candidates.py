"""The first cut: caps per session, copies once."""

from tests.retrieval.building import START, MapBuilder, assistant, profile, user

from lith.kernel.text import parse_query
from lith.records.scope import Scope
from lith.retrieval.candidates import MAX_CANDIDATES, PER_SESSION, Block, choose
from lith.retrieval.matching import match_query
from lith.retrieval.ranking import Candidate
from lith.store.map import search


def chosen(builder: MapBuilder, query: str) -> tuple[list[Candidate], bool]:
    """The first block, and whether it is all."""
    block = block_of(builder, query, 0)
    return block.candidates, not block.more


def block_of(builder: MapBuilder, query: str, number: int) -> Block:
    connection = builder.connection
    return choose(connection, match_query(connection, parse_query(query), search.narrow(connection, Scope())), number)


def test_all_of_few_hits_are_candidates(builder: MapBuilder) -> None:
    builder.add("one", [user(f"needle {number}") for number in range(PER_SESSION * 3)])
    candidates, whole = chosen(builder, "needle")
    assert (len(candidates), whole) == (PER_SESSION * 3, True)


def test_a_big_session_takes_no_others_place(builder: MapBuilder) -> None:
    builder.add("big", [user("needle needle") for _ in range(MAX_CANDIDATES + 50)])
    small = {builder.add(f"s{number}", [user(f"a text about one needle and other things {number}")]) for number in range(20)}
    candidates, whole = chosen(builder, "needle")
    assert (len(candidates), whole) == (MAX_CANDIDATES, False)
    assert small <= {candidate.session.ref for candidate in candidates}


def test_many_forks_take_one_place_for_each_message(builder: MapBuilder) -> None:
    said = [user(f"needle number {number}", at=START + number) for number in range(PER_SESSION)]
    for number in range(40):
        builder.add(f"fork{number:02}", said, start=START + number)
    other = builder.add("other", [user("a long text in which there is but one needle, and it is not even sharp")])
    candidates, whole = chosen(builder, "needle")
    assert (len(candidates), whole) == (PER_SESSION + 1, True)
    assert {candidate.session.ref for candidate in candidates} == {"claude_code:fork00", other}
    copied = next(candidate for candidate in candidates if candidate.session.ref != other)
    assert len({session.ref for session in copied.copies}) == 39


def test_a_main_session_stands_for_a_subagents_copy(builder: MapBuilder) -> None:
    builder.add("main/sub", [user("needle", at=START)], kind="subagent", parent="main")
    builder.add("main", [user("needle", at=START)])
    ((candidate,), _) = chosen(builder, "needle")
    assert candidate.session.ref == "claude_code:main"
    assert [session.ref for session in candidate.copies] == ["claude_code:main/sub"]


def test_equal_titles_are_not_copies(builder: MapBuilder) -> None:
    builder.add("one", [profile("title", "needle", at=START)])
    builder.add("two", [profile("title", "needle", at=START)])
    assert len(chosen(builder, "needle")[0]) == 2


def test_a_call_is_no_copy_of_a_message(builder: MapBuilder) -> None:
    builder.add("one", [user("needle", at=START), assistant("needle", at=START)])
    assert len(chosen(builder, "needle")[0]) == 2


def test_blocks_hold_every_result_once(builder: MapBuilder) -> None:
    said = [user(f"needle number {number}", at=START + number) for number in range(MAX_CANDIDATES + 150)]
    builder.add("one", said)
    builder.add("fork", [*said[-170:], user("needle of the fork")])
    blocks = [block_of(builder, "needle", number) for number in range(3)]
    texts = [candidate.document.text for block in blocks for candidate in block.candidates]
    assert len(texts) == len(set(texts)) == MAX_CANDIDATES + 151
    assert [(block.before, block.more) for block in blocks] == [(0, True), (200, False), (351, False)]
