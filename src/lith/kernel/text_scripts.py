"""Characters: the one normal form of text, and what each script needs before words can be cut out of it.

Called by the analyzer, the query builder and the snippets of `lith.kernel.text`; other rooms use `fold` through `lith.kernel.text`. It
knows code points only: no words, no queries, no SQL. Everything here is linear in the length of the text, whatever the text is.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cached_property
from operator import add

# Scripts whose runs become bigrams: Han, kana, Hangul, Bopomofo. One class, since Japanese words cross from Han to Hiragana.
_CJK = (
    "\u1100-\u11ff\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7fb\uf900-\ufaff\U0001b000-\U0001b16f\U00020000-\U000323af"
)
# Written without spaces too: Thai, Lao, Myanmar, Khmer (without their digits and punctuation).
_SPACELESS = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0eb9\u0ebb-\u0ece\u0edc-\u0edf\u1000-\u103f\u1050-\u109f\u1780-\u17d3\u17d7\u17dc\u17dd"
)
# Scripts whose vowels are marks; FTS5 takes a mark for a separator.
_ABUGIDAS = "\u0900-\u0dff\u0f00-\u0fff\u1700-\u177f\u1800-\u1cff\ua800-\uabff\U00010a00-\U00011fff"
# Symbols that people search for. Box drawing, blocks and Braille are left out: terminals fill screens with them.
_SYMBOLS = (
    "\u2300-\u23ff\u25a0-\u27bf\u2b00-\u2bff\u3030\u303d\ue000-\uf8ff\U0001d100-\U0001d1ff"
    "\U0001f000-\U0001faff\U000f0000-\U000ffffd\U00100000-\U0010fffd"
)
COLOUR_CODE = r"\x1b\[[0-9;?]*[A-Za-z]"
"""A pattern for what terminals are told in between words; it separates them."""


class _LatePattern:
    """A pattern that is compiled when it is first used: most queries are ASCII, and big character classes take milliseconds."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern

    @cached_property
    def match(self) -> Callable[[str], re.Match[str] | None]:
        return re.compile(self._pattern).match

    @cached_property
    def search(self) -> Callable[[str], re.Match[str] | None]:
        return re.compile(self._pattern).search

    @cached_property
    def finditer(self) -> Callable[[str], Iterator[re.Match[str]]]:
        return re.compile(self._pattern).finditer

    @cached_property
    def sub(self) -> Callable[[str | Callable[[re.Match[str]], str], str], str]:
        return re.compile(self._pattern).sub


# Joiners, variation selectors, tags, soft hyphens, direction marks, enclosing keycaps: never part of a word.
_INVISIBLE = _LatePattern(
    "[\u00ad\u034f\u061c\u180b-\u180e\u200d-\u200f\u202a-\u202e\u2060-\u2069\u20d0-\u20f0\ufe00-\ufe0f\ufe20-\ufe2f\ufeff"
    "\U000e0000-\U000e0fff]+"
)
_NOT_TEXT = _LatePattern(
    "[\ud800-\udfff\u2120\u2122]"
)  # lone surrogates; service and trade marks, which NFKC would glue to the word
_MARK_RUN = re.compile(r"[^\w\s]{31,}")
_NON_ASCII = re.compile(r"[^\x00-\x7f]+")
_SPACELESS_RUN = _LatePattern(f"[{_SPACELESS}]+")
_ABUGIDA_RUN = _LatePattern(f"[{_ABUGIDAS}]+")
_SYMBOL = _LatePattern(f"([{_SYMBOLS}])\\1*")
_UNSPACED_RUN = _LatePattern(f"[{_CJK}]+|[{_SPACELESS}]+")

_LETTERS = {
    **dict.fromkeys("ßẞ", "ss"),
    **dict(zip("øØłŁđĐıæÆœŒёЁς", ("o", "O", "l", "L", "d", "D", "i", "ae", "AE", "oe", "OE", "е", "Е", "σ"), strict=True)),
    # Arabic and Persian: one alef, one yeh, one kaf, no tatweel.
    **dict(zip("أإآٱىیکة", "ااااييكه", strict=True)),
    "ـ": "",
}
_POINTS = _LatePattern(
    "[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc]"
)
_MORE_POINTS = _LatePattern("[\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u3099\u309a]")
# FTS5 goes by an old Unicode and takes newer characters for letters. What is no letter becomes a space, but for these, where it is right.
_AGREED = _LatePattern("[\x00-\u036f\u2000-\u20b9\u2100-\u2189\u218c-\u2bff\u3000-\u303f\ufe10-\uffff]")
_MARKS_TO_FTS = frozenset({*range(0x19B0, 0x19CA), 0x1CF2, 0x1CF3})  # and these letters for marks


class _LetterTable(dict[int, str]):
    """Code point → its letter without accents and points; filled as characters are met, so that importing costs nothing."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        plain = _LETTERS.get(char)
        if plain is None:
            plain = _plain_letter(char)
        self[code] = plain
        return plain


class _MarkTable(dict[int, int]):
    """Code point → itself, or for a mark a private-use character, which FTS5 takes for a letter."""

    def __missing__(self, code: int) -> int:
        is_mark = unicodedata.category(chr(code))[0] == "M" or code in _MARKS_TO_FTS
        letter = 0xF0000 | (code & 0xFFFF) if is_mark else code
        self[code] = letter
        return letter


_letter_table = _LetterTable()
_mark_table = _MarkTable()


def _plain_letter(char: str) -> str:
    if _POINTS.match(char) or _MORE_POINTS.match(char):
        return ""
    if char.isalnum():
        base = unicodedata.normalize("NFD", char)[0]
        # Only Latin and Greek lose their accents: й is not и, and が is not か.
        return _LETTERS.get(base, base) if base < "\u0250" or "\u0370" <= base <= "\u03ff" else char
    category = unicodedata.category(char)
    if _UNSPACED_RUN.match(char) or _SYMBOL.match(char) or (_AGREED.match(char) and category != "Cn"):
        return char
    if category[0] == "M":
        return char if _ABUGIDA_RUN.match(char) else ""
    return " "


def normal_form(text: str) -> str:
    """Return the text as it is compared everywhere: NFKC, without invisible characters, accents, points and letter variants.

    Case stays. ASCII text is returned as it is.
    """
    if text.isascii():
        return text
    odd = _odd_runs(text)
    if _NOT_TEXT.search(odd):
        text = _NOT_TEXT.sub(" ", text)
        odd = _odd_runs(text)
    marked = any(map(unicodedata.combining, set(odd)))
    if marked:
        text = _MARK_RUN.sub(_without_marks, text)
    if marked or not unicodedata.is_normalized("NFKC", odd):
        text = unicodedata.normalize("NFKC", text)
        odd = _odd_runs(text)
    if _INVISIBLE.search(odd):
        text = _INVISIBLE.sub("", text)
    if odd.translate(_letter_table) == odd:
        return text
    return _NON_ASCII.sub(lambda run: run[0].translate(_letter_table), text)


def _odd_runs(text: str) -> str:
    """Return the distinct non-ASCII runs: what most texts have little of, so that a glance at it saves passes over the text."""
    return "\n".join(set(_NON_ASCII.findall(text)))


def _without_marks(run: re.Match[str]) -> str:
    # Normalization sorts marks in quadratic time, and no language stacks thirty of them.
    return "".join(char for char in run[0] if not unicodedata.combining(char))


def fold(text: str) -> str:
    """Return the text in its normal form and without case: two texts that a reader takes for the same words fold to the same string."""
    return text.lower() if text.isascii() else normal_form(text).casefold()


def cut_scripts(text: str) -> str:
    """Rewrite text in normal form so that FTS5 sees tokens: bigrams, `u1f44b` for a symbol, vowel marks as letters."""
    if text.isascii():
        return text
    odd = _odd_runs(text)
    if _SYMBOL.search(odd):
        text = _SYMBOL.sub(lambda run: f" u{ord(run[1]):x} ", text)
    if _ABUGIDA_RUN.search(odd):
        text = _ABUGIDA_RUN.sub(lambda run: run[0].translate(_mark_table), text)
    if _UNSPACED_RUN.search(odd):
        text = _UNSPACED_RUN.sub(_spaced_bigrams, text)
    return text


def _spaced_bigrams(run: re.Match[str]) -> str:
    return f" {' '.join(bigrams(run[0]))} "


def bigrams(run: str) -> list[str]:
    """Return the overlapping pairs of a run of a script without spaces, or the run itself when it is one character."""
    run = run.translate(_mark_table) if _SPACELESS_RUN.match(run) else run
    return list(map(add, run, run[1:])) if len(run) > 1 else [run]


def split_scripts(word: str) -> list[tuple[str, bool]]:
    """Split a word in normal form into pieces with or without spaces: `git提交` → `[("git", False), ("提交", True)]`."""
    if word.isascii():
        return [(word, False)] if word else []
    pieces: list[tuple[str, bool]] = []
    end = 0
    for run in _UNSPACED_RUN.finditer(word):
        if run.start() > end:
            pieces.append((word[end : run.start()], False))
        pieces.append((run[0], True))
        end = run.end()
    if end < len(word):
        pieces.append((word[end:], False))
    return pieces


def trimmed(cut: str) -> str:
    """Strip what is no token from both ends of a text that `cut_scripts` has rewritten; an empty answer says that there is none."""
    start, end = 0, len(cut)
    while start < end and not _is_token(cut[start]):
        start += 1
    while end > start and not _is_token(cut[end - 1]):
        end -= 1
    return cut[start:end]


def _is_token(char: str) -> bool:
    # Vowel marks are letters of the private plane 15 by now; Python may be older than some letters of the scripts without spaces.
    return char.isalnum() or "\U000f0000" <= char <= "\U000fffff" or is_unspaced(char)


def is_unspaced(char: str) -> bool:
    """Say whether the character is of a script written without spaces between words."""
    return char > "\u0dff" and _UNSPACED_RUN.match(char) is not None
