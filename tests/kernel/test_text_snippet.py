"""Snippets: the right window, honest offsets, whole graphemes."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lith.kernel import text

FILLER = "The quick brown fox jumps over the lazy dog. " * 30


def marked(snippet: text.Snippet) -> list[str]:
    return [snippet.text[start:end] for start, end in snippet.highlights]


def test_the_window_has_the_most_distinct_terms() -> None:
    body = f"{FILLER} cache cache cache {FILLER} the cache was moved to redis {FILLER}"
    snippet = text.snippet(body, ["cache", "redis", "moved"], width=80)
    assert marked(snippet) == ["cache", "moved", "redis"]
    assert snippet.text.startswith("…")
    assert snippet.text.endswith("…")
    assert len(snippet.text) <= 80


def test_of_equal_windows_the_first_is_taken() -> None:
    snippet = text.snippet(f"one cache here. {FILLER} another cache there.", ["cache"], width=40)
    assert snippet.text.startswith("one cache here.")


@pytest.mark.parametrize(
    ("body", "terms", "expected"),
    [
        ("We migrated it; migrations run, running, ran", ["migration", "run"], ["migrated", "migrations", "run", "running"]),
        ("portal, port, ports, report", ["port"], ["port", "ports"]),
        ("migrations of mine", ["migr*"], ["migr"]),
        ("def queryFlow(a): query_flow(); flow", ["flow"], ["Flow", "flow", "flow"]),
        ("call HTTPServer now", ["server"], ["Server"]),
        ("in src/query_flow.ts, QueryFlow.ts", ["query_flow.ts"], ["query_flow.ts", "QueryFlow.ts"]),
        ("an exact\n  phrase here", ["exact phrase"], ["exact phrase"]),
        ("Straße nach Ångström, CAFÉ", ["strasse", "angstrom", "cafe"], ["Straße", "Ångström", "CAFÉ"]),
        ("cafe\u0301s", ["cafe"], ["cafe\u0301s"]),
        ("数据库迁移工具", ["数据库", "工具"], ["数据库", "工具"]),
        ("これはﾃﾞｰﾀﾍﾞｰｽです", ["データベース"], ["ﾃﾞｰﾀﾍﾞｰｽ"]),
        ("포트 트변환", ["트변"], ["트변"]),
        ("ПРИВЕТ, мир", ["привет"], ["ПРИВЕТ"]),
        ("done 👋🏽 ok", ["👋"], ["👋"]),
        ("C++ code", ["c++"], ["C"]),
        ("a => b", ["=>"], ["=>"]),
        ("nothing here", ["cache", "", "*"], []),
    ],
)
def test_terms_are_found_as_the_index_finds_them(body: str, terms: list[str], expected: list[str]) -> None:
    assert marked(text.snippet(body, terms)) == expected


def test_white_space_and_control_characters_are_one_space() -> None:
    snippet = text.snippet("  a\n\n\tb\x1b[31m red \x1b[0mcache\x00\u202e z \ud800 ", ["cache"])
    assert snippet.text == "a b red cache z �"
    assert marked(snippet) == ["cache"]


def test_without_a_hit_it_is_the_beginning() -> None:
    assert text.snippet("short text", ["cache"]) == text.Snippet("short text")
    assert text.snippet("", ["cache"]) == text.Snippet("")
    assert text.snippet(" \n ", []) == text.Snippet("")
    snippet = text.snippet(FILLER, [], width=40)
    assert snippet.text == "The quick brown fox jumps over the…"


def test_words_are_not_cut() -> None:
    whole = set(FILLER.split()) | {"cache"}
    snippet = text.snippet(f"{FILLER}cache {FILLER}", ["cache"], width=60)
    assert set(snippet.text.strip("…").split()) <= whole


def test_a_snippet_of_a_script_without_spaces_fills_its_width() -> None:
    snippet = text.snippet("这是一个很长的文本" * 100 + "数据库迁移" + "完成后检查结果" * 100, ["数据库迁移"], width=40)
    assert marked(snippet) == ["数据库迁移"]
    assert len(snippet.text) == 40


@pytest.mark.parametrize(
    ("cluster", "extenders"),
    [
        ("e\u0301\u0323", "\u0301\u0323"),
        ("👨\u200d👩\u200d👧", "\u200d"),
        ("👋🏽", "🏽"),
        ("🇩🇪", ""),
        ("각", "\u1161\u11a8"),
        ("नमस्ते", "\u0938\u094d\u0924\u0947"),
    ],
    ids=["marks", "family", "skin", "flag", "jamo", "virama"],
)
@pytest.mark.parametrize("width", range(10, 40, 3))
def test_a_grapheme_is_whole_or_not_there(cluster: str, extenders: str, width: int) -> None:
    cluster = unicodedata.normalize("NFD", cluster)
    for body in (cluster * 60, cluster * 30 + "cache" + cluster * 30):
        shown = text.snippet(body, ["cache"], width=width).text.strip("…").replace("cache", "")
        assert shown.count(cluster) * len(cluster) == len(shown) or cluster == "नमस्ते"
        assert not shown or shown[0] not in extenders or cluster == "नमस्ते"
        assert "\u094d…" not in text.snippet(body, ["cache"], width=width).text


def test_what_stands_far_behind_the_first_hit_is_not_looked_at() -> None:
    body = f"cache {'x ' * 150_000} cache redis"
    assert marked(text.snippet(body, ["cache", "redis"], width=60)) == ["cache"]
    late = "x " * 500_000 + "cache redis"
    assert marked(text.snippet(late, ["cache", "redis"], width=60)) == ["cache", "redis"]
    accented = "é " * 500_000 + "cache rédis"
    assert marked(text.snippet(accented, ["cache", "redis"], width=60)) == ["cache", "rédis"]


@pytest.mark.parametrize(
    "body",
    [
        "in" * 500_000,
        "a" + "\u0301\u0316" * 200_000,
        "👨\u200d" * 200_000,
        "🇩" * 200_000,
        "\x1b[" * 200_000,
        "a_" * 300_000,
        "\ud800" * 200_000,
    ],
    ids=["inside", "marks", "joined", "flags", "escapes", "snake", "surrogates"],
)
def test_hostile_text_gives_a_short_snippet(body: str) -> None:
    snippet = text.snippet(body, ["in", "cache", "a b", "🇩", "foo bar baz"], width=100)
    assert len(snippet.text) <= 100


ALPHABET = st.sampled_from(
    [
        *"aeiouAE .,\n\t_-/",
        "cache",
        "Cache",
        "cacheing",
        "ReCache",
        "é",
        "e\u0301",
        "ß",
        "ﬁ",
        "字",
        "数据库",
        "ｶﾞ",
        "👋🏽",
        "👩\u200d👧",
        "🇩🇪",
        "\x1b[1m",
        "\ud800",
        "\u202e",
    ]
)


@settings(max_examples=250, deadline=None)
@given(
    body=st.lists(ALPHABET, max_size=120).map("".join) | st.text(),
    terms=st.lists(
        st.sampled_from(["cache", "数据库", "e", "ca*", "a e", "ガ", "strasse", "👋"]) | st.text(max_size=4), max_size=4
    ),
    width=st.integers(8, 120),
)
def test_a_snippet_keeps_its_promises(body: str, terms: list[str], width: int) -> None:
    snippet = text.snippet(body, terms, width=width)
    assert len(snippet.text) <= width
    snippet.text.encode()
    assert "\n" not in snippet.text
    assert "  " not in snippet.text.strip("…")
    ends = [0, *(edge for span in snippet.highlights for edge in span), len(snippet.text)]
    assert ends == sorted(ends)
    assert all(start < end for start, end in snippet.highlights)
    if "…" not in snippet.text and "\x1b" not in body:
        kept = (
            char for char in body.replace("\ud800", "�") if not char.isspace() and unicodedata.category(char) not in {"Cc", "Cf"}
        )
        assert "".join(kept) == "".join(char for char in snippet.text if char != " " and unicodedata.category(char) != "Cf")
