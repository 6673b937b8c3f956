"""Nothing that is shown can drive the terminal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lith.scrub import clean_terminal


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[2J\x1b[1;1Hhome", "home"),
        ("a\x1b]0;title\x07b", "ab"),
        ("a\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\b", "alinkb"),
        ("a\x1bPq data\x1b\\b", "ab"),
        ("a\x9b31mb\x9d0;t\x9cc", "abc"),
        ("a\x1b(Bb\x1bcc", "abc"),
        ("a\x1b]0;cut off\nb", "a0;cut off\nb"),
        ("a\x1b", "a"),
        ("a\r\nb\rc\x00\x07\x7f", "a\nbc"),
        ("a\u202eb\u2066c\u2069", "abc"),
        ("a\U000e0041b", "ab"),
        ("a\ud800b", "a\ufffdb"),
        ("한국어 👩\u200d💻 שלום", "한국어 👩\u200d💻 שלום"),
    ],
)
def test_escapes_and_controls_go(text: str, shown: str) -> None:
    assert clean_terminal(text) == shown


@given(st.text(st.sampled_from("\x1b[]0;m\x07\\P_^X\x9b\x9d\x9c\r\n\ta\x00\u202e(B"), max_size=30))
def test_nothing_unsafe_is_left(text: str) -> None:
    shown = clean_terminal(text)
    assert all(char in "\n\t" or char.isprintable() for char in shown)
    assert clean_terminal(shown) == shown
    shown.encode()
