"""Queries against a real FTS5 table: what they find, what they exclude, and that nothing typed ever reaches FTS5's own grammar."""

from collections.abc import Iterator

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lith.kernel import text

DOCS = {
    1: "The cache was moved to redis yesterday",
    2: "We cache the migration results on disk; the migrations ran twice",
    3: "Redis cluster setup with docker, see src/deploy/redis_cluster.yml",
    4: "使用数据库迁移工具git提交代码，完成后检查结果",
    5: "포트 트변환 설정을 확인하세요",
    6: "To be or not to be: that is the question",
    7: "authentication fails when buyers log in; running the queryFlow again",
    8: "データベースの移行が終わりました",
}


@pytest.fixture(scope="module")
def docs() -> Iterator[apsw.Connection]:
    connection = apsw.Connection(":memory:")
    options = f"content='', contentless_delete=1, tokenize='{text.FTS_TOKENIZER}'"
    connection.execute(f"CREATE VIRTUAL TABLE docs USING fts5(body, {options})")
    for rowid, body in DOCS.items():
        connection.execute("INSERT INTO docs(rowid, body) VALUES (?, ?)", (rowid, text.index_text(body)))
    yield connection
    connection.close()


def find(docs: apsw.Connection, typed: str, mode: text.Mode, drop: frozenset[str] = frozenset()) -> set[int]:
    expression = text.match_expression(text.parse_query(typed), mode, drop=drop)
    if expression is None:
        return set()
    return {int(rowid) for (rowid,) in docs.execute("SELECT rowid FROM docs WHERE docs MATCH ?", (expression,))}


@pytest.mark.parametrize(
    ("typed", "mode", "expected"),
    [
        ("redis cache", "any", {1, 2, 3}),
        ("redis cache", "all", {1}),
        ("redis cluster", "phrase", {3}),
        ("cluster redis", "phrase", set()),
        ("the redis", "any", {1, 3}),
        ("the", "any", {1, 2, 6, 7}),
        ("to be or not to be", "phrase", {6}),
        ("to be or not to be", "all", {6}),
        ('"the question" redis', "any", {6}),
        ('"redis cluster" cache', "any", {3}),
        ('"to be"', "all", {6}),
        ('"be to"', "all", set()),
        ("redis -cluster", "any", {1}),
        ("redis -redis_cluster", "any", {1}),
        ("redis NOT cluster", "all", {1}),
        ('cache -"moved to redis"', "any", {2}),
        ("-cluster", "any", set()),
        ("redis OR question", "every", set()),
        ("(redis OR migration) cache", "every", set()),
        ("포트를", "any", {5}),
        ("포트를", "all", set()),
        ("redis OR question", "all", {1, 3, 6}),
        ("redis AND cluster", "any", {3}),
        ("(redis OR migration) AND cache", "any", {1, 2}),
        ("cache AND the", "any", {1, 2}),
        ("migr*", "all", {2}),
        ("authentica*", "all", {7}),
        ("authenticatio*", "all", {7}),
        ("buy*", "all", {7}),
        ("runn*", "all", {7}),
        ("queryf*", "all", {7}),
        ("query_fl*", "all", {7}),
        ("redis_clu*", "all", {3}),
        ("xyz*", "all", set()),
        ("the cache was mov*", "phrase", {1}),
        ("/home/me/src/deploy/redis_cluster.yml", "any", {3}),
        ("/home/me/src/deploy/redis_cluster.yml", "all", set()),
        ("deploy/redis_cluster.yml", "all", {3}),
        ("user's redis's", "any", {1, 3}),
        ("数据库", "all", {4}),
        ("据库数", "all", set()),
        ("数据库迁移怎么做", "all", set()),
        ("数据库迁移怎么做", "any", {4}),
        ("提交代码 git", "phrase", set()),
        ("git提交代码", "phrase", {4}),
        ("포트 트변", "all", {5}),
        ("포", "all", {5}),
        ("변", "all", {5}),
        ("데이터베이스", "any", set()),
        ("ﾃﾞｰﾀﾍﾞｰｽ", "all", {8}),
        ("=>", "any", set()),
    ],
)
def test_what_a_query_finds(docs: apsw.Connection, typed: str, mode: text.Mode, expected: set[int]) -> None:
    assert find(docs, typed, mode) == expected


def test_the_last_character_of_a_run_is_left_to_the_literal_search(docs: apsw.Connection) -> None:
    query = text.parse_query("환")
    assert query.literals == ("환",)
    assert find(docs, "환", "all") == set()


def test_frequent_words_are_dropped_while_others_remain(docs: apsw.Connection) -> None:
    frequent = frozenset({"cache", "redis"})
    assert find(docs, "cache cluster", "any", frequent) == {3}
    assert find(docs, "Cache Redis", "any", frequent) == {1, 2, 3}
    assert find(docs, '"cache" cluster', "any", frequent) == {1, 2}
    assert find(docs, "cache AND redis", "any", frequent) == {1}
    assert find(docs, "cach* cluster", "any", frequent) == {1, 2, 3}
    assert find(docs, "数据库迁移怎么", "any", frozenset({"数据", "据库", "库迁", "迁移"})) == set()


def test_a_phrase_needs_words_side_by_side() -> None:
    for typed in ("a AND b", "a* b", "=>", ""):
        assert text.match_expression(text.parse_query(typed), "phrase") is None


def test_an_expression_is_bounded() -> None:
    many = " ".join(f"word{number}" for number in range(1000))
    assert (text.match_expression(text.parse_query(many), "any") or "").count(" OR ") < 64
    assert (text.match_expression(text.parse_query("字典文件" * 1000), "any") or "").count(" OR ") <= 64


HOSTILE = st.lists(
    st.sampled_from(
        [
            *(
                "AND",
                "OR",
                "NOT",
                "NEAR",
                "NEAR/2",
                "(",
                ")",
                '"',
                '""',
                "'",
                "-",
                "--",
                "*",
                "^",
                "+",
                ":",
                "{",
                "}",
                ",",
                "body:",
                ";",
                "\\",
            ),
            *(
                "“",
                "”",
                "«",
                "\0",
                "\n",
                " ",
                " ",
                " ",
                "foo",
                "fooBar",
                "a_b.c",
                "字",
                "字典",
                "ไทย",
                "👋",
                "\u0301",
                "\ud800",
                "\u200d",
                "C++",
                "x*",
                "-y",
            ),
        ]
    )
    | st.text(max_size=4),
    max_size=16,
).map("".join)


@settings(max_examples=250, deadline=None)
@given(typed=HOSTILE, drop=st.frozensets(st.sampled_from(["foo", "foobar", "字典"])))
def test_nothing_typed_is_ever_an_error_of_fts5(docs: apsw.Connection, typed: str, drop: frozenset[str]) -> None:
    found = {mode: find(docs, typed, mode, drop) for mode in ("any", "all", "phrase")}
    assert set().union(*found.values()) <= set(DOCS)


@pytest.mark.parametrize(
    "typed",
    [
        "a AND " * 500,
        "(a OR b) AND " * 300,
        "NOT a " * 500,
        "x* " * 500,
        "字" * 4096,
        "a_b " * 1000,
        "((((((((((a OR b) c) d) e) f) g)",
    ],
)
def test_the_longest_queries_are_within_the_limits_of_fts5(docs: apsw.Connection, typed: str) -> None:
    for mode in ("any", "all", "phrase"):
        assert find(docs, typed, mode) <= set(DOCS)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.from_regex(r"[a-z]{2,7}", fullmatch=True), min_size=1, max_size=6, unique=True))
def test_all_finds_no_more_than_any(words: list[str]) -> None:
    connection = apsw.Connection(":memory:")
    connection.execute(f"CREATE VIRTUAL TABLE docs USING fts5(body, content='', tokenize='{text.FTS_TOKENIZER}')")
    for rowid in range(len(words)):
        connection.execute("INSERT INTO docs(rowid, body) VALUES (?, ?)", (rowid, text.index_text(" ".join(words[: rowid + 1]))))
    typed = " ".join(words)
    every, some, phrase = (find(connection, typed, mode) for mode in ("all", "any", "phrase"))
    assert phrase <= every | some
    assert every <= some
    assert len(words) - 1 in every & some & phrase
