"""The analyzer against a real FTS5 table: what is in a text is found by asking for it."""

import random
import re
from base64 import b64encode
from collections.abc import Iterator
from itertools import pairwise
from unicodedata import normalize

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lith.kernel import text


class Table:
    """An FTS5 table as the map has it."""

    def __init__(self) -> None:
        self.connection = apsw.Connection(":memory:")
        options = f"content='', contentless_delete=1, tokenize='{text.FTS_TOKENIZER}'"
        self.connection.execute(f"CREATE VIRTUAL TABLE docs USING fts5(body, {options})")

    def put(self, *bodies: str) -> "Table":
        self.connection.execute("DELETE FROM docs")
        for rowid, body in enumerate(bodies):
            self.connection.execute("INSERT INTO docs(rowid, body) VALUES (?, ?)", (rowid, text.index_text(body)))
        return self

    def find(self, query: str, mode: text.Mode = "all") -> list[int]:
        return self.match(text.match_expression(text.parse_query(query), mode))

    def match(self, expression: str | None) -> list[int]:
        if expression is None:
            return []
        rows = self.connection.execute("SELECT rowid FROM docs WHERE docs MATCH ? ORDER BY rowid", (expression,))
        return [int(rowid) for (rowid,) in rows]


@pytest.fixture(scope="module")
def table() -> Iterator[Table]:
    made = Table()
    yield made
    made.connection.close()


PIECES = st.sampled_from(
    [
        *(
            "word",
            "Café",
            "query_flow.ts",
            "fooBar",
            "HTTPServer",
            "v2.1.3",
            "C++",
            "src/a/b.py",
            "don’t",
            "x" * 70,
            "-rf",
            "a*b",
        ),
        *("数据库", "提交", "データベース", "ﾊﾝｶｸ", "포트", "트변", "ไทย", "हिन्दी", "Привет", "за́мок", "ΣΊΣΥΦΟΣ", "שָׁלוֹם", "أَهلاً"),
        *(
            "👋",
            "👨‍👩‍👧",
            "🇩🇪",
            "✅",
            "…",
            "—",
            "→",
            '"',
            "“",
            "(",
            ")",
            "*",
            "^",
            ":",
            "\0",
            "AND",
            "NOT",
            "NEAR",
            "ß",
            "ﬁ",
            "½",
            "Ⅷ",
            "™",
        ),
        *(" ", " ", " ", "\n", "\t", "\u3000", "\u200b", "\u00ad", "e\u0301", "\ue000", "\U0001d400"),
    ]
)
TEXTS = st.lists(PIECES | st.text(max_size=6), max_size=14).map("".join)


@settings(max_examples=150, deadline=None)
@given(body=TEXTS)
def test_every_word_of_a_text_is_found_by_itself(table: Table, body: str) -> None:
    table.put(body)
    for word in body.split():
        query = text.parse_query(word)
        if query.literals:
            assert all(literal in text.fold(body) or literal in body for literal in map(str, query.literals))
            continue
        for mode in ("all", "any", "phrase"):
            expression = text.match_expression(query, mode)
            assert expression is None or table.match(expression) == [0], (word, mode, expression)


@settings(max_examples=100, deadline=None)
@given(words=st.lists(st.from_regex(r"[a-z]{1,8}([_.-][a-z]{1,4}|[A-Z][a-z]{1,4})?", fullmatch=True), min_size=2, max_size=8))
def test_a_phrase_of_neighbours_matches_and_extra_tokens_do_not_break_it(table: Table, words: list[str]) -> None:
    table.put(" ".join(words))
    for first, second in pairwise(words):
        assert table.find(f'"{first} {second}"') == [0]


def test_no_phrase_matches_across_the_seams(table: Table) -> None:
    body = "alpha fooBar bazQux omega"
    assert f" {text.SEAM} " in text.index_text(body)
    table.put(body)
    assert table.find('"foo bar"') == [0]
    for phrase in ("omega foo", "bar baz", "qux foo", "foobar baz", "omega foobar"):
        assert table.find(f'"{phrase}"') == []
    table.put("a snake_case and kebab-case")
    assert table.find('"case snakecase"') == []
    assert table.find('"snakecase kebabcase"') == []


SPELLINGS = ["query_flow", "query-flow", "queryFlow", "QueryFlow", "QUERY_FLOW", "query.flow", "query/flow"]


@pytest.mark.parametrize("written", SPELLINGS)
@pytest.mark.parametrize("asked", [*SPELLINGS, "queryflow", '"query flow"'])
def test_every_spelling_of_an_identifier_finds_every_other(table: Table, written: str, asked: str) -> None:
    assert table.put(f"see {written}, please", "nothing of it").find(asked) == [0]


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("open query_flow.ts now", "queryFlow.ts"),
        ("open query_flow.ts now", "queryflow"),
        ("open queryFlow.ts now", "query_flow"),
        ("in src/lith/text_query.py", "text_query.py"),
        ("in src/lith/text_query.py", "textQuery"),
        ("in src/a/b.py", "src\\a\\b.py"),
        ("in src/a/b.py", "bpy"),
        (r"in C:\work\main.rs", "main.rs"),
        ("ERR_NOT_FOUND", "errNotFound"),
        ("class HTTPServerError", "server error"),
        ("class HTTPServerError", "http_server_error"),
        ("see v2.1.3", "v2.1.3"),
        ("in __init__.py", "__init__.py"),
        ("fooBar_baz", "foo_bar_baz"),
        ("parse2Ints", "parse2"),
        ("written in C++ and C#.", "c++"),
        ("written in C++ and C#.", "C#"),
        ("id 550e8400-e29b-41d4-a716-446655440000", "550e8400-e29b-41d4-a716-446655440000"),
        ("call foo(bar, baz=1)", "bar baz"),
        ("std::vec::Vec", "std::vec::Vec"),
        ("the URLs and IDs", "URLs"),
        ("café", "cafe"),
        ("cafe", "CAFÉ"),
        ("Straße", "STRASSE"),
        ("naïve Ångström", "angstrom"),
        ("Zażółć gęślą", "zazolc"),
        ("Đặng ạ́", "dang"),
        ("İstanbul Diyarbakır", "istanbul diyarbakir"),
        ("Привет, мир", "ПРИВЕТ"),
        ("ёлка", "елка"),
        ("за́мок", "замок"),
        ("Σίσυφος", "ΣΙΣΥΦΟΣ"),
        ("שָׁלוֹם", "שלום"),
        ("اَلسَّلامُ أداة", "السلام"),
        ("أداة", "اداة"),
        ("हिन्दी में खोज", "हिन्दी"),
        ("ใช้เครื่องมือค้นหา", "เครื่องมือ"),
        ("ソフトｳｪｱ ﾃﾞｰﾀﾍﾞｰｽ", "データベース"),
        ("データベース", "ﾃﾞｰﾀﾍﾞｰｽ"),
        ("Ｆｕｌｌ ｗｉｄｔｈ", "full width"),
        ("使用git提交代码", "git"),
        ("使用git提交代码", "提交代码"),
        ("使用git提交代码", "git提交"),
        ("数据库迁移", "数据库"),
        ("포트 트변환", "트변"),
        ("포트 트변환", '"포트 트변"'),
        (normalize("NFD", "한국어"), "한국어"),
        ("食べる", "食べ"),
        ("𠮷野家", "𠮷野"),
        ("done 👋🏽", "👋"),
        ("done👋🏽", "👋🏽"),
        ("👨‍👩‍👧", "👩"),
        ("👨‍👩‍👧", "👨‍👩‍👧"),
        ("🎉🎉🎉", "🎉"),
        ("ok ✅", "u2705"),
        ("1️⃣ first", "1"),
        ("so\u00adft", "soft"),
        ("Brand™ name", "brand"),
        ("𝐁𝐨𝐥𝐝", "bold"),
        ("running tests", "run test"),
        ("\x1b[31mred\x1b[0mdish", "red"),
    ],
)
def test_found_however_it_is_asked_for(table: Table, written: str, asked: str) -> None:
    assert table.put(written, "zebra").find(asked) == [0]


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("foo bar", "foobar"),
        ("git提交", "t提"),
        ("й", "и"),
        ("か", "が"),
        ("कि", "की"),
        ("数据，库存", "据库"),
        ("version 2.1.3", "213"),
        ("👋", "🎉"),
    ],
)
def test_not_found_where_it_is_another_thing(table: Table, written: str, asked: str) -> None:
    assert table.put(written).find(asked) == []


def test_no_bigram_joins_cjk_and_latin() -> None:
    tokens = text.index_text("使用git提交ABC代").split()
    assert tokens == ["使用", "git", "提交", "ABC", "代"]


def test_screens_full_of_lines_add_no_tokens() -> None:
    assert re.findall(r"u[0-9a-f]{4}", text.index_text("┌────┐ │ ok │ ⠋⠙⠹ ████")) == []


def test_ascii_text_without_identifiers_is_inserted_as_it_is() -> None:
    body = "Plain words, and nothing else: 1, 2 and 2024-01-15."
    assert text.index_text(body) == body


@pytest.mark.parametrize(
    "body",
    [b64encode(random.Random(1).randbytes(300_000)).decode(), "x" * 500_000, "aB" * 200_000, "ж" * 300_000, "f0e1" * 100_000],
    ids=["base64", "letters", "camel", "cyrillic", "hex"],
)
def test_what_nobody_types_is_cut_short(table: Table, body: str) -> None:
    indexed = text.index_text(f"before {body} after")
    assert len(indexed) < 400
    table.put(f"before {body} after")
    assert table.find("before after") == [0]
    assert table.find(body[:1000]) == [0]


@pytest.mark.parametrize(
    "body",
    [
        "a_" * 300_000,
        "a/" * 300_000,
        "." * 500_000,
        "a--" * 200_000,
        "a" + "\u0301\u0316" * 300_000,
        "\ud800" * 300_000,
        "字" * 300_000,
    ],
    ids=["snake", "path", "dots", "dashes", "marks", "surrogates", "han"],
)
def test_hostile_text_stays_bounded(table: Table, body: str) -> None:
    indexed = text.index_text(body)
    assert len(indexed) <= 3 * len(body) + 100
    table.put(body)


@given(st.text())
@settings(max_examples=150, deadline=None)
def test_folding_is_stable_and_keeps_equal_what_is_equal(body: str) -> None:
    folded = text.fold(body)
    assert text.fold(folded) == folded
    assert text.fold(body.replace("\ud800", " ")).encode() is not None


def test_folding_takes_case_width_and_accents_away() -> None:
    assert text.fold("ÉCOLE Straße ＡＢＣ ﾊﾞｰ ёж Ø œuvre") == "ecole strasse abc バー еж o oeuvre"
    assert text.fold("Plain ASCII") == "plain ascii"
    assert text.fold("が й") == "が й"
