"""Which words are matched, and which only count again later."""

import pytest
from tests.retrieval.building import MapBuilder, assistant, user

from lith.kernel.text import parse_query
from lith.records.scope import Scope
from lith.retrieval import find, matching
from lith.retrieval.matching import Hits, match_query
from lith.retrieval.requests import FindRequest
from lith.store.map import search


def hits(builder: MapBuilder, query: str) -> Hits:
    return match_query(builder.connection, parse_query(query), search.narrow(builder.connection, Scope()))


def keys(found: Hits) -> list[str]:
    return [word.key for word in found.dropped]


@pytest.fixture
def common(builder: MapBuilder, monkeypatch: pytest.MonkeyPatch) -> MapBuilder:
    """Thirty texts with `plan`, five of them with `lock`, one with `needle`; a budget of ten, where three are enough."""
    monkeypatch.setattr(matching, "MATCH_BUDGET", 10)
    monkeypatch.setattr(matching, "_ENOUGH", 3)
    for number in range(30):
        words = "the plan is here" + " lock" * (number % 6 == 0) + " needle" * (number == 12)
        builder.add(f"s{number}", [user(words)])
    return builder


def test_in_a_small_map_every_word_is_matched(builder: MapBuilder) -> None:
    builder.add("one", [user("plan the lock"), assistant("a needle")])
    found = hits(builder, "plan lock needle")
    assert keys(found) == []
    assert len(found.scores) == 2
    assert found.complete


def test_common_words_are_left_to_the_second_look(common: MapBuilder) -> None:
    found = hits(common, "plan needle lock")
    assert keys(found) == ["plan"]
    assert len(found.scores) == 5
    assert found.dropped[0].weight == 0  # in every document it tells nothing


def test_dropped_words_still_count_for_the_order(common: MapBuilder) -> None:
    for number in range(40):  # now `plan` is in less than half of the documents
        common.add(f"t{number}", [user("something else")])
    common.add("with", [user("a lock and a plan, somewhere in a text that is a little longer")])
    common.add("without", [user("a lock and a pony, somewhere in a text that is a little longer")])
    found = hits(common, "plan lock")
    assert keys(found) == ["plan"]
    assert found.dropped[0].weight > 0
    order = [hit.session_ref for hit in find(common.connection, FindRequest(query="plan lock", limit=20)).results]
    assert order.index("claude_code:with") < order.index("claude_code:without")


def test_where_rare_words_find_too_little_common_ones_are_matched_too(common: MapBuilder) -> None:
    found = hits(common, "plan needle")
    assert keys(found) == []
    assert not found.complete
    assert sorted(doc_id >> 22 for doc_id in found.scores) == [13, *range(21, 31)]
    assert max(found.scores, key=found.scores.__getitem__) >> 22 == 13


def test_in_a_narrow_scope_no_word_is_left_out(common: MapBuilder) -> None:
    narrowing = search.narrow(common.connection, Scope(sessions=("claude_code:s7", "claude_code:s12")))
    found = match_query(common.connection, parse_query("plan lock needle"), narrowing)
    assert (keys(found), found.complete, [doc_id >> 22 for doc_id in found.scores]) == ([], True, [8, 13])


def test_a_lone_common_word_is_matched_all_the_same(common: MapBuilder) -> None:
    assert keys(hits(common, "plan")) == keys(hits(common, "plan banana")) == []
    assert len(hits(common, "plan").scores) == len(hits(common, "plan banana").scores) == 10


def test_what_the_user_requires_is_never_dropped(common: MapBuilder) -> None:
    assert keys(hits(common, '"the plan" needle')) == []
    assert len(hits(common, '"the plan" needle').scores) == 11  # the newest ten, and what holds every word


def test_counts_of_common_terms_are_used_by_their_stem(common: MapBuilder) -> None:
    common.connection.execute("INSERT INTO common_terms VALUES ('plan', 100000)")
    common.set_meta("common_terms_documents", "1000000")
    found = hits(common, "planning lock")
    assert keys(found) == ["planning"]
    assert found.dropped[0].weight == pytest.approx(2.197, abs=0.01)


def test_of_a_word_beyond_the_budget_the_newest_are_scored(common: MapBuilder) -> None:
    found = hits(common, "plan")
    assert not found.complete
    assert [doc_id >> 22 for doc_id in found.scores] == list(range(21, 31))


def test_what_holds_every_word_survives_the_budget(builder: MapBuilder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "MATCH_BUDGET", 5)
    builder.add("first", [user("alpha beta")])
    for number in range(20):
        builder.add(f"s{number}", [user("alpha" if number % 2 else "beta")])
    result = find(builder.connection, FindRequest(query="alpha beta"))
    assert result.results[0].session_ref == "claude_code:first"
    assert result.capped


def test_tiers(builder: MapBuilder) -> None:
    builder.add("one", [user("sync lock"), user("lock and sync"), user("lock")])
    found = hits(builder, "sync lock")
    assert [len(one) for one in (found.scores, found.everything, found.phrase)] == [3, 2, 1]
    single = hits(builder, "lock")
    assert single.everything == frozenset(single.scores)
    assert single.phrase == frozenset()


def test_pairs_of_a_long_run_of_cjk_can_be_dropped_one_by_one(builder: MapBuilder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "MATCH_BUDGET", 10)
    monkeypatch.setattr(matching, "_ENOUGH", 1)
    for number in range(30):
        builder.add(f"s{number}", [user("我们测试" + "提交代码" * (number == 3))])
    found = hits(builder, "我们提交代码")
    assert "我们" in keys(found)
    assert [doc_id >> 22 for doc_id in found.scores] == [4]
