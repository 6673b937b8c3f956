"""Text to rows of the vocabulary: lower-case WordPiece as BERT's uncased models read it, in plain Python.

Called by the embedders of this room. One thing is ours: a word in camel case that the vocabulary does not know is read as its parts
(`getUserName` as "get user name"), because code is half of what is embedded. It keeps no text: the cache holds words only, and is bounded.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence

LONGEST_WORD = 100
"""Characters; a longer run without a space is a hash, a key or base64, and says nothing."""

_CACHED_WORDS = 150_000
_CACHED_LENGTH = 40

_CHUNK = re.compile(r"[0-9A-Za-z\x80-\U0010ffff]+|[!-/:-@\[-`{-~]")
"""Blanks and control characters of ASCII end a chunk; a mark of punctuation is a chunk; what else lies beyond ASCII is looked at later."""

_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[^A-Z]+|[A-Z]+")
_IDEOGRAPHS = (
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F), (0x2B820, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)  # fmt: skip


class WordPiece:
    """A vocabulary and the words that were looked up in it so far.

    An entry that begins with `##` continues a word. Row i stands for entry i. Words that have no reading in the vocabulary are left out.
    """

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._first: dict[str, int] = {}
        self._next: dict[str, int] = {}
        for row, entry in enumerate(vocabulary):
            if entry.startswith("##") and len(entry) > 2:
                self._next[entry[2:]] = row
            else:
                self._first[entry] = row
        self._longest = max(map(len, self._first), default=1)
        self._cache: dict[str, tuple[int, ...]] = {}

    def rows(self, text: str, *, most: int | None = None) -> list[int]:
        """The rows of a text in order, at most `most` of them."""
        found: list[int] = []
        cache = self._cache
        extend = found.extend
        for chunk in _CHUNK.findall(text):
            rows = cache.get(chunk)
            extend(self._learn(chunk) if rows is None else rows)
            if most is not None and len(found) >= most:
                return found[:most]
        return found

    def _learn(self, chunk: str) -> tuple[int, ...]:
        """Read a chunk that is not in the cache, and keep it there unless it is long."""
        words = _plain_words(chunk, self._first) if chunk.isascii() else _folded_words(chunk, self._first)
        rows = tuple(row for word in words for row in self._pieces(word))
        if len(chunk) <= _CACHED_LENGTH:
            if len(self._cache) >= _CACHED_WORDS:
                self._cache.clear()
            self._cache[chunk] = rows
        return rows

    def _pieces(self, word: str) -> list[int]:
        """The longest entries from left to right; nothing when a part of the word is in no entry."""
        if len(word) > LONGEST_WORD:
            return []
        pieces: list[int] = []
        known, start, length = self._first, 0, len(word)
        while start < length:
            for end in range(min(length, start + self._longest), start, -1):
                row = known.get(word[start:end])
                if row is not None:
                    break
            else:
                return []
            pieces.append(row)
            known, start = self._next, end
        return pieces


def _plain_words(chunk: str, known: dict[str, int]) -> Iterable[str]:
    """A chunk of ASCII in lower case, parted at its humps unless the vocabulary knows it whole."""
    lower = chunk.lower()
    if lower in known or chunk[1:].islower() or len(chunk) > LONGEST_WORD:
        return (lower,)
    return (part.lower() for part in _CAMEL.findall(chunk))


def _folded_words(chunk: str, known: dict[str, int]) -> Iterable[str]:
    """The words of a chunk beyond ASCII: no accents, ideographs and punctuation one by one, nothing invisible."""
    spaced = []
    for char in chunk:
        category = unicodedata.category(char)
        if category[0] == "Z":
            spaced.append(" ")
        elif category[0] == "P" or any(low <= ord(char) <= high for low, high in _IDEOGRAPHS):
            spaced.append(f" {char} ")
        elif category[0] != "C":
            spaced.append(char)
    for word in "".join(spaced).split():
        folded = "".join(char for char in unicodedata.normalize("NFD", word) if unicodedata.category(char) != "Mn")
        if folded.isascii():
            yield from _plain_words(folded, known)
        else:
            yield folded.lower()
