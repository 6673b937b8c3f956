"""The page that a dead link may have meant. Pure; built once per report, and only when there is a dead link."""

import re
import unicodedata
from functools import cached_property

from lith.wiki.snapshot import Snapshot
from lith.wiki.vault import PAGE_SUFFIX, fold_name

_WORDS = re.compile(r"\w+")
_MAX_POSTINGS = 100
_CANDIDATES = 40
_CUTOFF = 0.45


def plain_key(name: str) -> str:
    """A name without case, spaces and punctuation: `Foo-Bar` and `foo bar` are the same; a name of marks alone stays."""
    flat = unicodedata.normalize("NFKC", name).casefold()
    return re.sub(r"[\W_]+", "", flat) or flat


class Closest:
    """Answers for one snapshot."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._memo: dict[str, str | None] = {}

    @cached_property
    def _by_plain(self) -> dict[str, set[str]]:
        """Pages by the plain form of stem, alias and title."""
        table: dict[str, set[str]] = {}
        for path, facts in self._snapshot.pages.items():
            stem = path.rsplit("/", 1)[-1][: -len(PAGE_SUFFIX)]
            for name in {stem, facts.title, *facts.aliases}:
                table.setdefault(plain_key(name), set()).add(path)
        return table

    @cached_property
    def _by_piece(self) -> dict[str, list[str]]:
        table: dict[str, list[str]] = {}
        for path in self._snapshot.pages:
            for piece in _pieces(_stem(path)):
                table.setdefault(piece, []).append(path)
        return table

    def find_same(self, target: str) -> str | None:
        """The one page whose name, title or alias is `target` but for case, spaces and punctuation."""
        name = target.rsplit("/", 1)[-1]
        name = name[: -len(PAGE_SUFFIX)] if name.lower().endswith(PAGE_SUFFIX) else name
        pages = self._by_plain.get(plain_key(name), set())
        return next(iter(pages)) if len(pages) == 1 else None

    def find_similar(self, target: str) -> str | None:
        """The page with the most similar name, if any is similar enough."""
        if target not in self._memo:
            self._memo[target] = self.find_same(target) or self._similar(fold_name(target.rsplit("/", 1)[-1]))
        return self._memo[target]

    def _similar(self, name: str) -> str | None:
        """Of the pages that share a word, a beginning or an end with a name, the one that shares most three-letter pieces (Dice)."""
        seen: dict[str, int] = {}
        for piece in _pieces(name):
            postings = self._by_piece.get(piece, ())
            if len(postings) <= _MAX_POSTINGS:
                for path in postings:
                    seen[path] = seen.get(path, 0) + 1
        best, best_score = None, _CUTOFF
        most = max(seen.values(), default=0)
        grams = _grams(name)
        for path in sorted(path for path, count in seen.items() if count >= most - 1)[:_CANDIDATES]:
            other = _grams(_stem(path))
            score = 2 * len(grams & other) / (len(grams) + len(other))
            if score > best_score:
                best, best_score = path, score
        return best


def _stem(path: str) -> str:
    return fold_name(path.rsplit("/", 1)[-1][: -len(PAGE_SUFFIX)])


def _pieces(name: str) -> set[str]:
    """What names are found by: their words, their beginning and their end."""
    words = set(_WORDS.findall(name))
    flat = name.replace(" ", "")
    return words | {f"^{flat[:3]}", f"{flat[-3:]}$"}


def _grams(name: str) -> set[str]:
    padded = f"  {name} "
    return {padded[at : at + 3] for at in range(len(padded) - 2)}
