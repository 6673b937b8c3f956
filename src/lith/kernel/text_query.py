"""Queries as values: terms, groups, exclusions, and what of them counts for highlighting.

Made by `text_syntax` from what a person typed, read by `text_match`; callers get them through `lith.kernel.text`. Knows nothing of FTS5.
"""

from collections.abc import Iterator
from itertools import pairwise

import msgspec

from lith.kernel.text_scripts import fold
from lith.kernel.text_terms import MAX_TOKEN, split_identifier
from lith.kernel.text_words import CONTRACTIONS, STOPWORDS

LONG_RUN = 3
"""A run of a script without spaces of so many characters or more may be several words, or a word and its particle."""


class Term(msgspec.Struct, frozen=True):
    """One word or phrase to look for.

    `text` is what was typed without its syntax, `quoted` says that its words belong together in this order, `prefix` that its last word
    is only begun, `unspaced` that it is a run of a script without spaces (Han, kana, Hangul, Thai).
    """

    text: str
    quoted: bool = False
    prefix: bool = False
    unspaced: bool = False

    @property
    def key(self) -> str:
        """The folded text: what stopwords and words to drop are compared with."""
        return " ".join(fold(self.text).split())


class Group(msgspec.Struct, frozen=True):
    """Terms that the user joined himself: all of them (`every`), or one of them."""

    every: bool
    items: tuple["Term | Group", ...]


Node = Term | Group


class Query(msgspec.Struct, frozen=True):
    """A parsed query.

    `items` stand side by side, without an operator between them; `excluded` must not be there; `literals` are strings that the index
    has no token of its own for, to be looked for in the text itself.
    """

    text: str
    items: tuple[Node, ...] = ()
    excluded: tuple[Node, ...] = ()
    literals: tuple[str, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether the query is words only: no quotes, prefix, operators or exclusions."""
        return not self.excluded and all(isinstance(i, Term) and not i.quoted and not i.prefix for i in self.items)


def iter_terms(node: Node) -> Iterator[Term]:
    """Yield the terms of a node, in the order in which they were typed."""
    if isinstance(node, Term):
        yield node
    else:
        for item in node.items:
            yield from iter_terms(item)


def is_stopword(term: Term) -> bool:
    """Say whether a term is a word that says nothing by itself."""
    plain = not (term.quoted or term.prefix or term.unspaced)
    return plain and (term.key in STOPWORDS or term.key.endswith(CONTRACTIONS))


def query_terms(query: Query) -> tuple[str, ...]:
    """Return the folded terms to highlight and rescore by: words (of camelCase also its parts, as a phrase), whole phrases, `prefix*`,
    runs of CJK and their pairs.

    Stopwords are left out when there are other words. What is excluded is not there.
    """
    wordy = [node for node in query.items if isinstance(node, Group) or not is_stopword(node)]
    terms = [term for node in wordy or query.items for term in iter_terms(node)]
    found: list[str] = []
    for term in terms:
        found.append(term.key + "*" * term.prefix)
        if not term.quoted and len(term.text) <= MAX_TOKEN:
            found.extend(split_identifier(term.text).camel)
        if term.unspaced and len(term.key) >= LONG_RUN:
            found.extend(map("".join, pairwise(term.key)))
    return tuple(dict.fromkeys(found))
