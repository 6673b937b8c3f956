"""Which pages of a vault some messages talk about, by name. Pure.

A name of several words counts in any case, a single word only as the page spells it; names of fewer than four letters never count.
"""

import re
from collections.abc import Iterable, Sequence

from lith.retrieval.answers import Message
from lith.wiki.snapshot import Snapshot
from lith.wiki.vault import PAGE_SUFFIX, fold_name

_WORD = re.compile(r"\w+")
_SHORTEST = 4
_MOST_WORDS = 8


class Mentions:
    """The names of a vault, ready to be looked for."""

    def __init__(self, snapshot: Snapshot) -> None:
        owners: dict[tuple[str, ...], set[str]] = {}
        self._unspaced: dict[str, set[str]] = {}
        for path in snapshot.content:
            facts = snapshot.pages[path]
            for name in {path.rsplit("/", 1)[-1][: -len(PAGE_SUFFIX)], facts.title, *facts.aliases}:
                words = tuple(_WORD.findall(name))
                if not name.isascii() and len(words) == 1 and len(name) >= 2:
                    self._unspaced.setdefault(fold_name(name), set()).add(path)
                elif len(name) >= _SHORTEST and 0 < len(words) <= _MOST_WORDS:
                    owners.setdefault(_key(words), set()).add(path)
        self._pages = {key: next(iter(paths)) for key, paths in owners.items() if len(paths) == 1}
        self._longest = max(map(len, self._pages), default=0)

    def find(self, messages: Iterable[Message]) -> dict[str, list[int]]:
        """Each page that is named, with the numbers of the messages that name it; in the order of the first naming."""
        found: dict[str, list[int]] = {}
        for message in messages:
            if message.seq is None or message.abandoned or message.kind is not None:
                continue
            for path in self._named(message.text):
                found.setdefault(path, []).append(message.seq)
        return found

    def _named(self, text: str) -> list[str]:
        words = _WORD.findall(text)
        pages: dict[str, None] = {}
        at = 0
        while at < len(words):
            for length in range(min(self._longest, len(words) - at), 0, -1):
                page = self._pages.get(_key(words[at : at + length]))
                if page is not None:
                    pages.setdefault(page)
                    at += length - 1
                    break
            at += 1
        if self._unspaced and not text.isascii():
            folded = fold_name(text)
            for name, paths in self._unspaced.items():
                if len(paths) == 1 and name in folded:
                    pages.setdefault(next(iter(paths)))
        return list(pages)


def _key(words: Sequence[str]) -> tuple[str, ...]:
    """What a name is found by: several words without case, one word as it is."""
    return tuple(words) if len(words) == 1 else tuple(fold_name(word) for word in words)
