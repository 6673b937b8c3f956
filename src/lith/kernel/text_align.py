"""Text rewritten with its offsets kept: folded for comparing, cleaned for showing; and where a grapheme ends.

Used by `text_snippet` only, on pieces of bounded length. It chooses nothing and shows nothing.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right

from lith.kernel.text_scripts import COLOUR_CODE, fold

_TO_FOLD = re.compile(rf"[^\x00-\x7f]+|{COLOUR_CODE}")
# A character with what composes with it: accents, kana voicing (also half-width), Hangul vowels and finals.
_CLUSTER = re.compile(r".[\u0300-\u036f\u1160-\u11ff\u3099\u309a\uff9e\uff9f]*", re.DOTALL)
_BLANK = re.compile(rf"(?:{COLOUR_CODE}|[\s\x00-\x1f\x7f-\x9f])+|[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Aligned:
    """A rewritten text and, for each of its pieces, where the piece stood in the source."""

    def __init__(self) -> None:
        self.text = ""
        self.last = ""  # the last character so far
        self._pieces: list[str] = []
        self._target = [0]
        self._source = [0]

    def add(self, piece: str, source_length: int) -> None:
        """Append the piece that stands for the next `source_length` characters of the source."""
        self._pieces.append(piece)
        self.last = piece[-1:] or self.last
        self._target.append(self._target[-1] + len(piece))
        self._source.append(self._source[-1] + source_length)

    def close(self) -> "Aligned":
        """Join the pieces; nothing is added afterwards."""
        self.text = "".join(self._pieces)
        return self

    def to_source(self, position: int) -> int:
        """Return the offset in the source of an offset in the text."""
        piece = bisect_right(self._target, position) - 1
        if piece + 1 == len(self._source):
            return self._source[-1]
        return min(self._source[piece] + position - self._target[piece], self._source[piece + 1])

    def from_source(self, position: int) -> int:
        """Return the offset in the text of an offset in the source."""
        piece = max(bisect_left(self._source, position) - 1, 0)
        if piece + 1 == len(self._target):
            return self._target[-1]
        return min(self._target[piece] + position - self._source[piece], self._target[piece + 1])


def align_fold(text: str) -> Aligned:
    """Fold a text, with offsets."""
    aligned = Aligned()
    end = 0
    for run in _TO_FOLD.finditer(text):
        if run.start() > end:
            aligned.add(text[end : run.start()].lower(), run.start() - end)
        end = run.end()
        if run[0][0] == "\x1b":
            aligned.add(" ", len(run[0]))
            continue
        if fold(run[0]) == run[0]:
            aligned.add(run[0], len(run[0]))
            continue
        for cluster in _CLUSTER.findall(run[0]):
            aligned.add(fold(cluster), len(cluster))
    if end < len(text):
        aligned.add(text[end:].lower(), len(text) - end)
    return aligned.close()


def align_clean(text: str) -> Aligned:
    """Make a text fit for one line, with offsets: white space, control characters and colour codes collapse to one space."""
    text = _SURROGATE.sub("\ufffd", text)
    aligned = Aligned()
    end = 0
    for blank in _BLANK.finditer(text):
        if blank.start() > end:
            aligned.add(text[end : blank.start()], blank.start() - end)
        end = blank.end()
        aligned.add(" " if _is_space(blank[0]) and aligned.last not in {"", " "} else "", len(blank[0]))
    if end < len(text):
        aligned.add(text[end:], len(text) - end)
    return aligned.close()


def _is_space(blank: str) -> bool:
    return blank[0] <= "\x9f" or blank[0].isspace()


def is_boundary(text: str, position: int) -> bool:
    """Say whether a text may be cut here: not within a grapheme (marks, joiners, flags, skin tones, Hangul syllables)."""
    if position <= 0 or position >= len(text):
        return True
    before, after = text[position - 1], text[position]
    if before < "\u0300" and after < "\u0300":
        return True
    if before == "\u200d" or _extends(after):
        return False
    if unicodedata.combining(before) == 9 and after.isalpha():  # a virama joins two consonants
        return False
    return not ("\U0001f1e6" <= after <= "\U0001f1ff" and _flags_before(text, position) % 2)


def _extends(char: str) -> bool:
    return (
        char in "\u200c\u200d\uff9e\uff9f"
        or "\u1160" <= char <= "\u11ff"
        or "\U0001f3fb" <= char <= "\U0001f3ff"
        or "\U000e0020" <= char <= "\U000e007f"
        or unicodedata.category(char)[0] == "M"
    )


def _flags_before(text: str, position: int) -> int:
    count = 0
    while count < min(position, 64) and "\U0001f1e6" <= text[position - 1 - count] <= "\U0001f1ff":
        count += 1
    return count
