"""Exact words: what a phrase in quotes asks of a text, where the index knows words by their stems only.

Called through `lith.kernel.text`.
"""

import re
from collections.abc import Callable

from lith.kernel.text_query import Term
from lith.kernel.text_scripts import COLOUR_CODE, fold, is_unspaced, split_scripts

_GAP = r"[\W_]*"  # what may stand between two words of a phrase
_COLOUR_CODE = re.compile(COLOUR_CODE)
_WORDS = re.compile(r"[^\W_]+")


def exact_test(term: Term) -> Callable[[str], bool] | None:
    """Return what says whether a folded text holds the words of a term as they were typed, side by side.

    Case, accents and punctuation do not matter. A run of a script without spaces may stand within a longer one; other words stand alone.
    None for a term without a word.
    """
    words = [piece for word in _WORDS.findall(fold(term.text)) for piece, _ in split_scripts(word)]
    if not words:
        return None
    pattern = re.compile(_GAP.join(map(re.escape, words)))
    closed_start = not is_unspaced(words[0][0])
    closed_end = not term.prefix and not is_unspaced(words[-1][-1])
    needle = max(words, key=len)

    def holds(text: str) -> bool:
        if needle not in text:
            return False
        text = _COLOUR_CODE.sub(" ", text) if "\x1b" in text else text
        return any(
            not (closed_start and _continues(text[match.start() - 1 : match.start()]))
            and not (closed_end and _continues(text[match.end() : match.end() + 1]))
            for match in pattern.finditer(text)
        )

    return holds


def _continues(char: str) -> bool:
    return char.isalnum() and not is_unspaced(char)
