"""The order, part by part."""

import pytest
from tests.retrieval.building import DAY, START, MapBuilder, Said, assistant, call, profile, user

from lith.retrieval import find
from lith.retrieval.answers import Hit
from lith.retrieval.ranking import score_sessions
from lith.retrieval.requests import FindRequest


def ranked(builder: MapBuilder, query: str, near: str | None = None) -> list[Hit]:
    return find(builder.connection, FindRequest(query=query, explain=True, limit=50, near=near)).results


def first(builder: MapBuilder, query: str) -> tuple[str | None, str | None]:
    hit = ranked(builder, query)[0]
    return hit.session_ref, hit.match_source


def test_an_executed_command_is_above_its_restatement(builder: MapBuilder) -> None:
    builder.add(
        "one",
        [
            user("run it"),
            assistant("I ran cargo build --release and it failed, cargo build --release"),
            call("Bash", command="cd x && cargo build --release"),
        ],
    )
    assert first(builder, "cargo build --release") == ("claude_code:one", "call")


def test_a_search_for_the_words_is_no_execution(builder: MapBuilder) -> None:
    builder.add("one", [user("why does the sync lock hang"), call("Bash", command="grep -rn 'sync lock' src")])
    assert first(builder, "sync lock") == ("claude_code:one", "message")


def test_calls_are_below_messages(builder: MapBuilder) -> None:
    builder.add("one", [assistant("the needle was found in it"), call("Grep", pattern="needle")])
    assert [hit.match_source for hit in ranked(builder, "needle")] == ["message", "call"]


PAIRS = [
    (user("needle in a stack of hay"), assistant("needle in a stack of hay"), "user"),
    (profile("title", "needle in a stack of hay"), assistant("needle in a stack of hay"), "kind"),
    (assistant("needle in a stack of hay"), profile("compaction", "needle in a stack of hay"), "kind"),
    (assistant("needle in a stack of hay"), assistant("needle in a stack of hay", abandoned=True), "abandoned"),
]


@pytest.mark.parametrize(("better", "worse", "part"), PAIRS)
def test_of_equal_words_who_says_them_decides(builder: MapBuilder, better: Said, worse: Said, part: str) -> None:
    builder.add("worse", [worse], start=START + 1)
    builder.add("better", [better])
    one, two = ranked(builder, "needle hay")
    assert one.session_ref == "claude_code:better"
    assert one.parts.get(part, 0) > two.parts.get(part, 0)


def test_a_name_as_it_was_typed_is_worth_more(builder: MapBuilder) -> None:
    builder.add("parts", [user("query flow ts query flow ts")])
    builder.add("whole", [user("it is query_flow.ts that I mean")])
    one, two = ranked(builder, "query_flow.ts")
    assert one.session_ref == "claude_code:whole"
    assert ("names" in one.parts, "names" in two.parts) == (True, False)


def test_a_name_between_han_characters_is_whole(builder: MapBuilder) -> None:
    builder.add("one", [user("请看query_flow.ts文件")])
    assert ranked(builder, "query_flow.ts")[0].parts["names"] > 0


def test_a_name_inside_a_longer_one_is_another(builder: MapBuilder) -> None:
    builder.add("longer", [user("see my_query_flow.tsx here, query_flow ts")])
    assert all("names" not in hit.parts for hit in ranked(builder, "query_flow.ts"))


def test_neighbours_and_the_session_count(builder: MapBuilder) -> None:
    builder.add("alone", [user("the needle of the day")])
    builder.add("among", [user("the needle of the day"), assistant("a needle it is indeed")], start=START + 1)
    hits = {hit.session_ref: hit for hit in ranked(builder, "needle") if hit.seq == 1}
    assert hits["claude_code:among"].parts["neighbour"] > 0
    assert "neighbour" not in hits["claude_code:alone"].parts
    assert hits["claude_code:among"].parts["session"] > hits["claude_code:alone"].parts["session"]


def test_of_equals_the_newer_one_is_first_but_by_little(builder: MapBuilder) -> None:
    builder.add("old", [user("needle in hay")])
    builder.add("new", [user("needle in hay")], start=START + 300 * DAY)
    builder.add("newest", [user("hay that has no pin in it, only more and more of the same hay")], start=START + 301 * DAY)
    names = [hit.session_ref for hit in ranked(builder, "needle hay")]
    assert names == ["claude_code:new", "claude_code:old", "claude_code:newest"]
    assert all(hit.parts.get("recency", 0) <= 0.2 for hit in ranked(builder, "needle hay"))


def test_recency_has_no_clock(builder: MapBuilder) -> None:
    builder.add("one", [user("needle")])
    assert ranked(builder, "needle")[0].parts["recency"] == 0.2


def test_a_root_directory_is_near_to_nothing(builder: MapBuilder) -> None:
    builder.add("one", [user("needle")], cwd="/")
    builder.add("two", [user("needle")], cwd="/home/u", start=START + 1)
    near = {hit.session_ref: "near" in hit.parts for hit in ranked(builder, "needle", near="/home/u/x")}
    assert near == {"claude_code:one": False, "claude_code:two": True}


def test_a_session_is_the_sum_of_its_hits_each_worth_less_than_the_one_before() -> None:
    base = 1 << 22
    scores = {base + 1: 2.0, base + 2: 4.0, base + 3: 3.0, 2 * base + 1: 9.0}
    assert score_sessions(scores, {1, 3}) == {1: 4 + 3 / 2 + 2 / 3, 3: 0}
