"""Snippets: the few words of a text around what was looked for.

Called through `lith.kernel.text`. Works on the text itself, never on an index, in time linear in its length. It adds no markup: where
the terms are is said in offsets.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from lith.kernel.text_align import Aligned, align_clean, align_fold, is_boundary
from lith.kernel.text_scripts import fold, is_unspaced
from lith.kernel.text_words import ENDINGS, SHORT_ENDINGS

ELLIPSIS = "…"

_MAX_TERMS = 24
_MAX_HITS = 500  # of one term
_MAX_REJECTED = 2000  # hits inside other words, before such hits are taken as they are
_BLOCK = 1 << 16
_OVERLAP = 512
_REGION = 200_000
_SNAP = 24
_WORDS = re.compile(r"[^\W_]+")
_LONG_STEM = 5  # letters of a stem from which on it takes the long endings
_BY_LENGTH = sorted(ENDINGS, key=len, reverse=True)
_LONG_ENDINGS, _SHORT_ENDINGS = frozenset(ENDINGS), frozenset(SHORT_ENDINGS)
_GAP = r"[\W_]{0,8}"


class Snippet(msgspec.Struct, frozen=True):
    """A line of text and the (start, end) of each term in it, in characters, ascending, without overlap."""

    text: str
    highlights: tuple[tuple[int, int], ...] = ()


class _Hit(NamedTuple):
    start: int
    end: int
    term: int


def snippet(text: str, terms: Sequence[str], *, width: int = 200) -> Snippet:
    """Return at most `width` characters of a text where most of the terms stand together, or its beginning when none is found.

    `terms` are what `query_terms` returns: words, phrases, `prefix*`, runs of CJK. Case and accents do not matter, inflections of a word
    count. White space is one space; a cut is a word boundary where there is one, never within a grapheme (unless that is longer than the
    snippet), and is marked by `…`. Only 200,000 characters after the first hit are looked at.
    """
    width = max(width, 8)
    matchers = [matcher for term in dict.fromkeys(terms) if (matcher := _Matcher.of(term))][:_MAX_TERMS]
    start = _find_first(text, matchers)
    if start is None:
        return _cut(text, 0, [], width)
    region_start = max(start - width, 0)
    folded = align_fold(text[region_start : region_start + _REGION])
    hits = sorted(
        _Hit(region_start + folded.to_source(hit.start), region_start + folded.to_source(hit.end), hit.term)
        for number, matcher in enumerate(matchers)
        for hit in matcher.iter_hits(folded, text, region_start, number)
    )
    return _cut(text, start, _best_window(hits, width), width)


class _Matcher:
    """Finds one term in folded text."""

    def __init__(self, needle: str, pattern: str, *, whole_words: bool, open_end: bool, word: str = "") -> None:
        self.needle = needle
        self.pattern = re.compile(pattern)
        self.whole_words = whole_words
        self.open_end = open_end
        self.word = word  # as it was asked for, where its inflections count as well

    @classmethod
    def of(cls, term: str) -> "_Matcher | None":
        """Make the matcher of a term, or None for a term without a character."""
        open_end = term.endswith("*") and len(term) > 1
        folded = fold(term[:-1] if open_end else term).strip()
        words = _WORDS.findall(folded)
        if not words:
            return cls(folded, re.escape(folded), whole_words=False, open_end=True) if folded else None
        spaced = not is_unspaced(words[0][0])
        if len(words) == 1 and spaced and not open_end:
            stem = _stem(words[0])
            if stem is None:
                return cls(words[0], re.escape(words[0]), whole_words=True, open_end=False)
            # One short pattern for all inflections, checked afterwards: a pattern that lists them takes a millisecond to compile.
            return cls(stem, f"{stem}[a-z]*", whole_words=True, open_end=False, word=words[0])
        open_end = open_end or is_unspaced(words[-1][-1])
        return cls(words[0], _GAP.join(map(re.escape, words)), whole_words=spaced, open_end=open_end)

    def is_in(self, folded: str) -> bool:
        """Say quickly whether the term may be there."""
        return self.needle in folded

    def iter_hits(self, folded: Aligned, text: str, start: int, number: int) -> Iterator[_Hit]:
        """Yield the hits in folded text, as offsets in it, at word boundaries (as the source text at `start` has them)."""
        rejected = found = 0
        for match in self.pattern.finditer(folded.text):
            if self.word and not _is_inflection(match[0], self.needle, self.word):
                continue
            if rejected < _MAX_REJECTED and not self._stands_alone(folded, text, start, *match.span()):
                rejected += 1
                continue
            yield _Hit(match.start(), match.end(), number)
            found += 1
            if found == _MAX_HITS:
                return

    def _stands_alone(self, folded: Aligned, text: str, offset: int, start: int, end: int) -> bool:
        before = folded.text[start - 1 : start] if self.whole_words and start else ""
        if before.isalnum() and not is_unspaced(before) and not _is_hump(text, offset + folded.to_source(start)):
            return False
        after = "" if self.open_end else folded.text[end : end + 1]
        return not after.isalnum() or is_unspaced(after) or _is_hump(text, offset + folded.to_source(end))


def _is_hump(text: str, position: int) -> bool:
    lower_next = text[position + 1 : position + 2].islower()
    return text[position : position + 1].isupper() and (lower_next or not text[position - 1 : position].isupper())


def _stem(word: str) -> str | None:
    """Return the unchanging beginning of a word; None for one that has no inflections."""
    if not (word.isascii() and word.isalpha() and len(word) > 2):
        return None
    stem = word
    for ending in _BY_LENGTH:
        if word.endswith(ending) and len(word) - len(ending) >= (3 if ending in SHORT_ENDINGS else _LONG_STEM):
            stem = word.removesuffix(ending)
            break
    if len(stem) > 3 and stem != word and stem[-1] == stem[-2] and stem[-1] not in "ls":
        stem = stem[:-1]  # running → run
    return stem


def _is_inflection(found: str, stem: str, word: str) -> bool:
    """Say whether a word that begins with a stem is one of the inflections of the word that was asked for."""
    rest = found[len(stem) :]
    endings = _LONG_ENDINGS if len(stem) >= _LONG_STEM else _SHORT_ENDINGS
    return not rest or found == word or rest in endings or (rest[0] == stem[-1] and rest[1:] in endings)


def _find_first(text: str, matchers: Sequence[_Matcher]) -> int | None:
    """Return where the first hit of any term begins, reading the text block by block."""
    for start in range(0, len(text) if matchers else 0, _BLOCK):
        block = text[start : start + _BLOCK + _OVERLAP]
        folded = fold(block)
        candidates = [matcher for matcher in matchers if matcher.is_in(folded)]
        if not candidates:
            continue
        aligned = align_fold(block)
        hits = [next(matcher.iter_hits(aligned, text, start, 0), None) for matcher in candidates]
        found = [start + aligned.to_source(hit.start) for hit in hits if hit]
        if found:
            return min(found)
    return None


def _best_window(hits: Sequence[_Hit], width: int) -> list[_Hit]:
    """Return the hits of the first window with the most distinct terms; a term repeated counts once."""
    counts: dict[int, int] = {}
    best, best_size, left = (0, 0), 0, 0
    for right, hit in enumerate(hits):
        counts[hit.term] = counts.get(hit.term, 0) + 1
        while left < right and hit.end - hits[left].start > width:
            counts[hits[left].term] -= 1
            if not counts[hits[left].term]:
                del counts[hits[left].term]
            left += 1
        if len(counts) > best_size:
            best, best_size = (left, right + 1), len(counts)
    first, last = best
    while last < len(hits) and hits[last].end - hits[first].start <= width:
        last += 1
    return list(hits[first:last])


def _cut(text: str, start: int, hits: Sequence[_Hit], width: int) -> Snippet:
    begin, end = (hits[0].start, max(hit.end for hit in hits)) if hits else (start, start)
    low, high = max(begin - 4 * width, 0), min(end + 4 * width, len(text))
    clean = align_clean(text[low:high])
    spans = _merged((clean.from_source(hit.start - low), clean.from_source(hit.end - low)) for hit in hits)
    first, last = (spans[0][0], spans[-1][1]) if spans else (0, 0)
    left, right = _bounds(clean.text, first, last, width, more=(low > 0, high < len(text)))
    shown = clean.text[left:right]
    left += len(shown) - len(shown.lstrip())
    shown = shown.strip()
    before = ELLIPSIS if low > 0 or clean.text[:left].strip() else ""
    after = ELLIPSIS if high < len(text) or clean.text[left + len(shown) :].strip() else ""
    shift = len(before) - left
    limit = len(before) + len(shown)
    placed = ((max(a + shift, len(before)), min(b + shift, limit)) for a, b in spans)
    return Snippet(f"{before}{shown}{after}", tuple((a, b) for a, b in placed if a < b))


def _merged(spans: Iterator[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _bounds(text: str, first: int, last: int, width: int, *, more: tuple[bool, bool]) -> tuple[int, int]:
    """Return where to cut so that `first` to `last` stay and both sides have context, in `width` with the ellipses."""
    if len(text) <= width - sum(more):
        return 0, len(text)
    room = width - 2
    left = max(min(first - max(room - (last - first), 0) // 2, len(text) - room), 0)
    if left or more[0]:
        left = _snapped_left(text, left, first)
    right = min(left + room, len(text))
    if right < len(text) or more[1]:
        right = _snapped_right(text, left, min(max(last, left + 1), right), right)
    return left, right


def _snapped_left(text: str, left: int, limit: int) -> int:
    space = text.find(" ", left, min(limit, left + _SNAP))
    if space >= 0:
        return space + 1
    while left < limit and not is_boundary(text, left):
        left += 1
    return left


def _snapped_right(text: str, left: int, limit: int, right: int) -> int:
    space = text.rfind(" ", max(limit, right - _SNAP), right + 1)
    if space > left:
        return space
    cut = right
    while cut > left and not is_boundary(text, cut):
        cut -= 1
    return cut if cut > left else right
