"""Text in columns: it fits, and nothing but space is lost."""

from hypothesis import given
from hypothesis import strategies as st

from lith.faces.cli.layout import columns, counted, display_width, facts, fold, human_bytes, prose, shorten


def test_bytes_read_well() -> None:
    assert [human_bytes(count) for count in (0, 999, 1_500, 176_128, 12_345_678, 5_000_000_000)] == [
        "0 B",
        "999 B",
        "1.5 kB",
        "176 kB",
        "12.3 MB",
        "5.0 GB",
    ]


def test_columns_align_wide_characters() -> None:
    assert columns([("日本", "1"), ("a", "22")], right=frozenset({1})) == ["日本   1", "a     22"]
    assert columns([]) == []


@given(st.text(max_size=40), st.integers(min_value=4, max_value=30))
def test_a_shortened_text_fits(text: str, width: int) -> None:
    short = shorten(text, width)
    assert "\n" not in short
    assert display_width(short) <= width


@given(st.text(max_size=80), st.integers(min_value=6, max_value=30))
def test_a_folded_line_fits_and_loses_only_spaces(text: str, width: int) -> None:
    folded = fold(text, width)
    assert all(display_width(line) <= width for line in folded) or any(display_width(c) > width for c in text)
    assert "".join("".join(folded).split()) == "".join(text.split())


def test_code_keeps_its_indent() -> None:
    assert fold("    return one, two, three, four", 20) == ["    return one, two,", "    three, four"]
    assert fold("    x = 1", 20) == ["    x = 1"]


def test_a_text_that_fits_is_not_cut() -> None:
    assert shorten("a  b\nc", 10) == "a b c"
    assert shorten("abcdef", 4) == "abc…"
    assert display_width("e\u0301") == 1


@given(st.text(max_size=120), st.integers(min_value=20, max_value=60))
def test_a_sentence_is_laid_out_without_breaking_a_word(text: str, width: int) -> None:
    lines = prose(f"  {text}", width, hang=2)
    assert " ".join(" ".join(lines).split()) == " ".join(text.split())
    assert all(display_width(line) <= width or len(line.split()) == 1 for line in lines)


def test_facts_break_between_them() -> None:
    assert facts(["12 messages", "/code/shop", "its file is gone"], 30, indent=2) == [
        "  12 messages · /code/shop",
        "  its file is gone",
    ]
    assert facts([], 30) == []


def test_numbers_agree_with_their_nouns() -> None:
    assert [counted(count, "message") for count in (0, 1, 2, 1200)] == ["0 messages", "1 message", "2 messages", "1,200 messages"]
    assert counted(2, "entry", "entries") == "2 entries"
