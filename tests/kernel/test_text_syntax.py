"""The query language: what is syntax, and what is only text that looks like it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lith.kernel import text


def words(query: text.Query) -> list[str]:
    return [term.text for node in query.items for term in text.iter_terms(node)]


def excluded(query: text.Query) -> list[str]:
    return [term.text for node in query.excluded for term in text.iter_terms(node)]


def test_plain_words_stand_side_by_side() -> None:
    query = text.parse_query("how do migrations work?")
    assert query.items == tuple(map(text.Term, ("how", "do", "migrations", "work")))
    assert query.is_plain


@pytest.mark.parametrize(
    "typed", ['"two words" more', "“two words” more", "„two words“ more", "«two words» more", "「two words」 more"]
)
def test_every_kind_of_quote_makes_a_phrase(typed: str) -> None:
    assert text.parse_query(typed).items == (text.Term("two words", quoted=True), text.Term("more"))


@pytest.mark.parametrize("typed", ['"two words', 'two" words', 'two words"', "two “words", '"" two words'])
def test_a_quote_without_its_partner_is_no_quote(typed: str) -> None:
    query = text.parse_query(typed)
    assert words(query) == ["two", "words"]
    assert query.is_plain


@pytest.mark.parametrize(
    ("typed", "kept", "out"),
    [
        ("cache -redis", ["cache"], ["redis"]),
        ('cache -"redis cluster"', ["cache"], ["redis cluster"]),
        ("-redis cache", ["cache"], ["redis"]),
        ("cache -foo-bar", ["cache"], ["foo-bar"]),
        ("cache -ключ", ["cache"], ["ключ"]),
        ("cache NOT redis", ["cache"], ["redis"]),
        ("cache AND NOT redis", ["cache"], ["redis"]),
        ("cache NOT (redis OR disk)", ["cache"], ["redis", "disk"]),
        ("cache -red*", ["cache"], ["red"]),
        ("-redis", [], ["redis"]),
        ("NOT redis", [], ["redis"]),
        ("NOT redis cache", ["cache"], ["redis"]),
        ("(NOT redis) cache", ["cache"], ["redis"]),
        ("NOT A VALID COMMAND", ["NOT", "A", "VALID", "COMMAND"], []),
        ("cache - redis", ["cache", "redis"], []),
        ("cache-redis", ["cache-redis"], []),
        ("cache -5", ["cache", "5"], []),
        ("cache --redis", ["cache", "redis"], []),
        ("cache -redis --flag", ["cache", "redis", "flag"], []),
        ("grep -r redis -name", ["grep", "r", "redis", "name"], []),
        ("find . -name redis", ["find", "name", "redis"], []),
        ("rm -rf build", ["rm", "rf", "build"], []),
        ("java -jar app", ["java", "jar", "app"], []),
        ("git -merge", ["git"], ["merge"]),
        ("cat x | sort -red", ["cat", "x", "sort", "red"], []),
        ("NOT NULL constraint failed", ["NOT", "NULL", "constraint", "failed"], []),
        ("column NOT NULL", ["column", "NOT", "NULL"], []),
        ("404 NOT FOUND", ["404", "NOT", "FOUND"], []),
    ],
)
def test_a_dash_excludes_only_where_it_can_mean_nothing_else(typed: str, kept: list[str], out: list[str]) -> None:
    query = text.parse_query(typed)
    assert (words(query), excluded(query)) == (kept, out)


def test_and_binds_closer_than_or_and_both_closer_than_standing_side_by_side() -> None:
    a, b, c, d = map(text.Term, "abcd")
    both = text.Group(True, (a, b))
    assert text.parse_query("a AND b OR c d").items == (text.Group(False, (both, c)), d)
    assert text.parse_query("d (a AND b)").items == (d, both)
    assert text.parse_query("(a OR b) AND c").items == (text.Group(True, (text.Group(False, (a, b)), c)),)
    assert text.parse_query("(a b) OR c").items == (text.Group(False, (both, c)),)
    assert text.parse_query("(a AND (b OR (c").items == (text.Group(True, (a, text.Group(False, (b, c)))),)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("AND", ["AND"]),
        ("cache AND", ["cache", "AND"]),
        ("OR cache", ["OR", "cache"]),
        ("a AND AND b", ["a", "b"]),
        ("salt and pepper or not", ["salt", "and", "pepper", "or", "not"]),
        ("a AND ()", ["a"]),
        (")))(((", []),
    ],
)
def test_an_operator_without_operands_is_a_word(typed: str, expected: list[str]) -> None:
    assert words(text.parse_query(typed)) == expected


@pytest.mark.parametrize(
    ("typed", "prefix"),
    [("migr*", True), ("migr", False), ("**migr**", False), ("*migr", False), ("*", False), ("query_f*", True)],
)
def test_a_star_at_the_end_of_a_word_is_a_prefix(typed: str, prefix: bool) -> None:
    terms = text.parse_query(typed).items
    assert [isinstance(term, text.Term) and term.prefix for term in terms] in ([prefix], [])


def test_words_are_freed_from_punctuation_but_not_from_what_they_mean() -> None:
    assert words(text.parse_query("`query_flow.ts`, (see) C++? and C#; __init__ done✅ 👋")) == [
        *("query_flow.ts", "see", "C++", "and", "C#", "__init__", "done✅", "👋")
    ]
    assert words(text.parse_query("foo(bar, key=value)")) == ["foo", "bar", "key", "value"]


def test_runs_without_spaces_are_terms_of_their_own() -> None:
    assert text.parse_query("git提交，代码v2").items == (
        text.Term("git"),
        text.Term("提交", unspaced=True),
        text.Term("代码", unspaced=True),
        text.Term("v2"),
    )


def test_what_has_no_token_is_left_for_a_literal_search() -> None:
    assert text.parse_query("포 포트").literals == ("포",)
    assert text.parse_query("=> &&").literals == ("=>", "&&")
    assert text.parse_query("foo => bar").literals == ()
    assert text.parse_query("").literals == ()
    for typed in ('"', "-", '""', "--", "*", "( )", "-proxy"):
        assert text.parse_query(typed).literals == (), typed
    assert text.parse_query("  ").items == ()


@pytest.mark.parametrize(
    ("typed", "terms"),
    [
        ("What is the Cache", ("cache",)),
        ("the", ("the",)),
        ("the AND cache", ("the", "cache")),
        ('"The  Cache" -redis', ("the cache",)),
        ("don't Panic", ("panic",)),
        ("Ünï* Straße", ("uni*", "strasse")),
        ("queryFlow", ("queryflow", "query flow")),
        ("数据库迁移 트변", ("数据库迁移", "数据", "据库", "库迁", "迁移", "트변")),
        ("cache Cache CACHE", ("cache",)),
    ],
)
def test_terms_for_highlighting(typed: str, terms: tuple[str, ...]) -> None:
    assert text.query_terms(text.parse_query(typed)) == terms


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(["AND", "OR", "NOT", "(", ")", '"', "-", "*", " ", " ", "a", "foo", "字", "“", "”", "NEAR", ":", "\0"])
    ).map("".join)
    | st.text()
)
def test_anything_can_be_typed(typed: str) -> None:
    query = text.parse_query(typed)
    assert query.text == typed
    assert all(term.text for node in (*query.items, *query.excluded) for term in text.iter_terms(node))


@pytest.mark.parametrize(
    "typed", ["(" * 100_000, "a AND " * 50_000, '"' * 99_999, "-a " * 50_000, "(a OR " * 20_000, "字" * 100_000]
)
def test_a_query_of_any_length_is_cut_and_not_followed(typed: str) -> None:
    query = text.parse_query(typed)
    assert sum(len(term.text) for node in query.items for term in text.iter_terms(node)) <= 4096
