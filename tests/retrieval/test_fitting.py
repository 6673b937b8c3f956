"""Budgets: long texts lose their middle, short ones nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lith.kernel.tokens import estimate_tokens
from lith.retrieval.fitting import LEAST_TOKENS, cut, share_tokens

LONG = " ".join(f"word{number}" for number in range(3000))


def test_a_text_that_fits_is_left_alone() -> None:
    fitted = cut("a short text", 100)
    assert (fitted.text, fitted.elided) == ("a short text", 0)


@pytest.mark.parametrize("tokens", [40, 200, 1000])
def test_the_middle_is_cut_and_counted(tokens: int) -> None:
    fitted = cut(LONG, tokens)
    head, mark, tail = fitted.text.partition(f"\n[… {fitted.elided} characters left out …]\n")
    assert mark
    assert LONG.startswith(head)
    assert LONG.endswith(tail)
    assert len(head) + len(tail) + fitted.elided == len(LONG)
    assert estimate_tokens(fitted.text) <= tokens


@pytest.mark.parametrize("around", [0, 9000, 15000, len(LONG) - 1])
def test_what_is_looked_at_stays_in_sight(around: int) -> None:
    fitted = cut(LONG, 200, around=around)
    assert LONG[around : around + 5] in fitted.text
    assert fitted.text.startswith("word0 ")
    assert fitted.text.endswith(LONG[-8:])
    assert estimate_tokens(fitted.text) <= 200
    kept = [part for number, part in enumerate(fitted.text.split("\n")) if not part.startswith("[…")]
    assert sum(map(len, kept)) + fitted.elided == len(LONG)


@given(text=st.text(max_size=400), tokens=st.integers(1, 60), around=st.none() | st.integers(0, 400))
def test_no_text_is_too_odd_to_cut(text: str, tokens: int, around: int | None) -> None:
    fitted = cut(text, tokens, around=None if around is None else min(around, len(text)))
    assert 0 <= fitted.elided <= len(text)
    assert (fitted.elided == 0) == (fitted.text == text)


@given(sizes=st.lists(st.integers(0, 5000), min_size=1, max_size=20), budget=st.integers(0, 20_000), favourite=st.booleans())
def test_shares_stay_within_the_budget(sizes: list[int], budget: int, favourite: bool) -> None:
    shares = share_tokens(sizes, budget, favourite=len(sizes) // 2 if favourite else None)
    assert all(share <= max(size, LEAST_TOKENS) for share, size in zip(shares, sizes, strict=True))
    if sum(sizes) <= budget:
        assert all(share >= size for share, size in zip(shares, sizes, strict=True))
    assert sum(shares) <= max(budget, 0) + LEAST_TOKENS * len(sizes)


def test_a_short_favourite_takes_no_more_than_it_needs() -> None:
    assert share_tokens([1, 40], 41, favourite=0) == [1, 40]


def test_the_favourite_gets_half_and_the_rest_share() -> None:
    assert share_tokens([1000, 1000, 10], 500, favourite=0) == [250, 240, 10]
    assert share_tokens([1000, 1000, 10], 500) == [245, 245, 10]
    assert share_tokens([1000, 100, 10], 500, favourite=0) == [390, 100, 10]
