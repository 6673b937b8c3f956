"""Making texts fit a budget of tokens: long ones lose their middle, so that how they begin and how they end stay.

Called by `reading`. Pure.
"""

from collections.abc import Sequence

import msgspec

from lith.kernel.tokens import estimate_tokens

LEAST_TOKENS = 40
"""What a text is left with, however small the budget: a few words, and the mark that says what is missing."""

_HEAD_SHARE = 0.6
_WORTH_SHARE = 8  # a text is worth showing where it gets an eighth of the budget, or all it needs
_TRIES = 6


class Fitted(msgspec.Struct, frozen=True):
    """A text, and how many of its characters were left out."""

    text: str
    elided: int = 0


def share_tokens(sizes: Sequence[int], budget: int, *, favourite: int | None = None) -> list[int]:
    """How many tokens each of some texts may have: all it needs where that is little, else an equal share; the favourite up to a half.

    The shares stay within the budget as long as that holds `LEAST_TOKENS` for each.
    """
    shares = [0] * len(sizes)
    left, waiting = budget, dict(enumerate(sizes))
    if favourite is not None:
        rest = sum(sizes) - sizes[favourite]
        shares[favourite] = min(sizes[favourite], max(budget // 2, budget - rest, LEAST_TOKENS))
        left -= shares[favourite]
        del waiting[favourite]
    for number, size in sorted(waiting.items(), key=lambda item: item[1]):
        share = max(left // len(waiting), LEAST_TOKENS)
        shares[number] = min(size, share)
        left -= shares[number]
        del waiting[number]
    return shares


def take_from(sizes: Sequence[int], frame: int, budget: int, start: int) -> tuple[int, int]:
    """Which of some texts to show, as a half-open range: from `start` on, then to both sides in turn, as many as a budget holds.

    Each costs `frame` tokens beside its own, of which it need not get more than an eighth of the budget. There is always one.
    """
    worth = max(budget // _WORTH_SHARE, LEAST_TOKENS)
    low = high = start
    left = budget
    forwards = True
    while low > 0 or high < len(sizes):
        forwards = (forwards or low == 0) and high < len(sizes)
        number = high if forwards else low - 1
        left -= frame + min(sizes[number], worth)
        if left < 0 and high > low:
            break
        low, high = min(low, number), max(high, number + 1)
        forwards = not forwards
    return low, high


def cut(text: str, tokens: int, *, around: int | None = None, hint: str = "") -> Fitted:
    """A text in at most about so many tokens: its beginning and its end and, where given, what stands around a character of it.

    The mark in place of what is missing ends with `hint`.
    """
    size = estimate_tokens(text)
    if size <= tokens:
        return Fitted(text)
    keep = len(text) * tokens // size
    for _ in range(_TRIES):
        fitted = _elide(text, keep, around, hint)
        size = estimate_tokens(fitted.text)
        if size <= tokens or keep < 16:
            return fitted
        keep = min(keep * tokens // size, keep - 8)
    return fitted


def _elide(text: str, keep: int, around: int | None, hint: str) -> Fitted:
    """`keep` characters of a text with marks where something is missing."""
    if around is None:
        spans = [(0, int(keep * _HEAD_SHARE)), (len(text) - (keep - int(keep * _HEAD_SHARE)), len(text))]
    else:
        quarter, middle = keep // 4, keep // 2
        start = max(min(around - middle // 3, len(text) - quarter - middle), quarter)
        spans = [(0, quarter), (start, start + middle), (len(text) - quarter, len(text))]
    parts, elided, end = [], 0, 0
    for left, right in spans:
        missing = left - end
        if missing > 0:
            parts.append(f"\n[… {missing} characters left out{hint if not elided else ''} …]\n")
            elided += missing
        parts.append(text[max(left, end) : right])
        end = max(right, end)
    return Fitted("".join(parts), elided)
