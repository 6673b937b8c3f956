"""The size of a page: lean whatever the texts are, and within a budget."""

import msgspec
import pytest
from tests.retrieval.building import MapBuilder, assistant, call, user

from lith.kernel.tokens import estimate_tokens
from lith.retrieval import find
from lith.retrieval.requests import FindRequest

FILLER = {
    "latin": "the deploy of the service failed again because the certificate had expired during the night ",
    "han": "部署服务再次失败因为证书在夜间过期了我们需要检查配置 deploy ",
    "quotes": 'deploy "the \\ \n\t" and \x01 "again" ',
    "emoji": "deploy 🚀🔥 with 👩‍👩‍👧‍👦 ",
}


def fill(builder: MapBuilder, filler: str) -> None:
    for number in range(12):
        builder.add(
            f"{number:08d}-aaaa-4bbb-8ccc-0123456789ab",
            [user("hello"), assistant(FILLER[filler] * 40 + str(number))],
            title=FILLER[filler] * 3,
            cwd="/home/somebody/projects/a-rather-long-name/of-a-folder",
        )


@pytest.mark.parametrize("filler", FILLER)
def test_ten_results_stay_below_8_kilobytes(builder: MapBuilder, filler: str) -> None:
    fill(builder, filler)
    result = find(builder.connection, FindRequest(query="deploy"))
    assert len(result.results) >= 8
    assert len(msgspec.json.encode(result)) < 8_000
    assert all(hit.snippet and "deploy" in hit.snippet for hit in result.results)


@pytest.mark.parametrize("limit", [1, 5, 10, 40])
def test_the_fields_of_a_result_are_the_same_on_every_size_of_page(builder: MapBuilder, limit: int) -> None:
    fill(builder, "latin")
    hits = find(builder.connection, FindRequest(query="deploy", limit=limit)).results
    assert {hit.cwd for hit in hits} == {"/home/somebody/projects/a-rather-long-name/of-a-folder"}
    assert all(hit.title is not None and len(hit.title) >= 60 for hit in hits)
    assert all(hit.snippet is not None and len(hit.snippet) >= 50 for hit in hits)


def test_a_page_that_ends_for_its_size_has_a_next_one(builder: MapBuilder) -> None:
    long = "/home/somebody/" + "a-very-long-name-of-a-folder/" * 10
    for number in range(9):
        builder.add(f"s{number}", [user(f"deploy {number}")], cwd=long)
    first = find(builder.connection, FindRequest(query="deploy"))
    assert 1 < len(first.results) < 9
    second = find(builder.connection, FindRequest(query="deploy", cursor=first.next_cursor))
    assert [hit.rank for hit in (*first.results, *second.results)] == list(range(1, 10))


@pytest.mark.parametrize("budget", [300, 800, 2000])
def test_a_budget_bounds_the_whole_answer(builder: MapBuilder, budget: int) -> None:
    fill(builder, "latin")
    result = find(builder.connection, FindRequest(query="deploy", max_tokens=budget))
    assert 1 <= len(result.results) <= 10
    assert len(result.results) == 1 or estimate_tokens(msgspec.json.encode(result).decode()) <= budget


def test_what_a_budget_left_out_is_on_the_next_page(builder: MapBuilder) -> None:
    fill(builder, "latin")
    seen: list[str | None] = []
    cursor = None
    for _ in range(30):
        page = find(builder.connection, FindRequest(query="deploy", max_tokens=700, cursor=cursor))
        seen += [hit.session_ref for hit in page.results]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert len(seen) == len(set(seen)) == 12


def test_a_snippet_shows_the_match_of_a_long_text(builder: MapBuilder) -> None:
    builder.add("one", [assistant("filler words " * 3000 + "the needle is here " + "more filler " * 3000)])
    (hit,) = find(builder.connection, FindRequest(query="needle")).results
    assert hit.snippet is not None
    assert "needle" in hit.snippet
    assert len(hit.snippet) < 240


def test_the_snippet_of_a_call_is_the_field_that_matches(builder: MapBuilder) -> None:
    builder.add("one", [user("go"), call("Grep", pattern="no such thing", path="src/needle.py")])
    (hit,) = find(builder.connection, FindRequest(query="needle.py")).results
    assert (hit.snippet, hit.matched_fields) == ("src/needle.py", ["path"])


def test_a_call_found_by_its_tool_says_so(builder: MapBuilder) -> None:
    builder.add("one", [user("go"), call("WebFetch", url="https://example.org/a")])
    (hit,) = find(builder.connection, FindRequest(query="WebFetch")).results
    assert hit.matched_fields == ["tool"]


def test_a_call_without_fields_has_a_snippet_all_the_same(builder: MapBuilder) -> None:
    builder.add("one", [user("go"), call("spawn_agent")])
    (hit,) = find(builder.connection, FindRequest(query="spawn_agent")).results
    assert (hit.snippet, hit.matched_fields) == ("spawn_agent", ["tool"])
