import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lith.embed.table import FIRST_WORD, read_vocabulary
from lith.embed.wordpiece import LONGEST_WORD, WordPiece

VOCABULARY = [
    "un",
    "##aff",
    "##able",
    "the",
    "get",
    "user",
    "name",
    "http",
    "server",
    "iphone",
    "cafe",
    "東",
    "京",
    ".",
    "##2",
    "v",
    "(",
    ")",
]


def read(text: str) -> list[str]:
    return [VOCABULARY[row] for row in WordPiece(VOCABULARY).rows(text)]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("unaffable", ["un", "##aff", "##able"]),
        ("The  unaffable\n", ["the", "un", "##aff", "##able"]),
        ("getUserName", ["get", "user", "name"]),
        ("HTTPServer", ["http", "server"]),
        ("get_user.name()", ["get", "user", ".", "name", "(", ")"]),
        ("iPhone", ["iphone"]),  # known whole: not parted
        ("v2", ["v", "##2"]),
        ("Café CAFÉ cafe\u0301", ["cafe", "cafe", "cafe"]),
        ("東京", ["東", "京"]),
        ("the東京the", ["the", "東", "京", "the"]),
        ("the\u00a0the\u3000the", ["the", "the", "the"]),
        ("t\u200bhe", ["the"]),
        ("unknownword the", ["the"]),
        ("un" + "aff" * LONGEST_WORD, []),
        ("", []),
    ],
)
def test_pieces(text: str, pieces: list[str]) -> None:
    assert read(text) == pieces


def test_the_longest_entry_wins_from_the_left() -> None:
    words = WordPiece(["a", "ab", "##b", "##c", "##bc"])
    assert words.rows("abc") == [1, 3]


def test_at_most_so_many_rows() -> None:
    assert WordPiece(VOCABULARY).rows("the unaffable the", most=2) == [3, 0]


def test_the_packaged_vocabulary_reads_as_bert_does() -> None:
    entries = read_vocabulary()
    words = WordPiece(entries)
    assert [row + FIRST_WORD for row in words.rows("hello world!")] == [7592, 2088, 999]
    assert [entries[row] for row in words.rows("tokenization")] == ["token", "##ization"]


@given(st.text(max_size=60), st.text(max_size=60))
@settings(max_examples=200)
def test_reading_in_parts_is_reading_the_whole(left: str, right: str) -> None:
    words = WordPiece(read_vocabulary())
    assert words.rows(f"{left} {right}") == words.rows(left) + words.rows(right)


@given(st.lists(st.text(max_size=30), max_size=5))
@settings(max_examples=100)
def test_what_was_read_before_does_not_matter(texts: list[str]) -> None:
    used = WordPiece(VOCABULARY)
    assert [used.rows(text) for text in texts] == [WordPiece(VOCABULARY).rows(text) for text in texts]
