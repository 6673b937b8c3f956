"""The FTS5 expression of a query.

Called through `lith.kernel.text`. Everything that goes into the expression is a quoted string of analysed text, so nothing that a user
types can reach the grammar of FTS5.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Literal

from lith.kernel.text_query import LONG_RUN, Group, Node, Query, Term, is_stopword
from lith.kernel.text_scripts import bigrams, trimmed
from lith.kernel.text_tokens import base_text, word_phrases
from lith.kernel.text_words import SUFFIXES

Mode = Literal["all", "any", "every", "phrase"]

MAX_TERMS = 64
"""Only so many plain words of a query are used: the first, without repetitions."""

_MAX_PAIRS = 64
_AFTER_Y = "aceilmnoprstuw"


def match_expression(query: Query, mode: Mode, *, drop: frozenset[str] = frozenset()) -> str | None:
    """Return the MATCH string of a query, or None when it has nothing that the index could find.

    `any`: plain words side by side are alternatives; what is quoted or joined by AND must be there. `all`: everything must be there.
    `every`: so must all that the query joins by OR. `phrase`: all words in their order; None for a query with AND or OR, or with a prefix
    that is not its last word. `drop` holds the `Term.key` of words too frequent to match by; like stopwords they are left out only when
    other words remain.
    """
    positive = _phrase(query) if mode == "phrase" else _joined_items(query, mode, drop)
    if positive is None:
        return None
    excluded = [expression for node in query.excluded if (expression := _node(node, "all"))]
    return f"({positive}) NOT ({_either(excluded)})" if excluded else positive


def _phrase(query: Query) -> str | None:
    terms = [node for node in query.items if isinstance(node, Term)]
    if len(terms) < len(query.items) or any(term.prefix for term in terms[:-1]):
        return None
    text = base_text(" ".join(term.text for term in terms))
    return _quoted(text, prefix=terms[-1].prefix) if trimmed(text) else None


def _joined_items(query: Query, mode: Mode, drop: frozenset[str]) -> str | None:
    items = _kept_items(query.items, drop)
    expressions = [(item, expression) for item in items if (expression := _node(item, mode, drop))]
    if not expressions:
        return None
    if mode in {"all", "every"}:
        return _every(expression for _, expression in expressions)
    required = [expression for item, expression in expressions if _is_required(item)]
    if not required:
        return _either(expression for _, expression in expressions)
    if len(required) == len(expressions):
        return _every(required)
    # The second half lets the other words count for the rank without asking for them.
    return _every([*required, _either(expression for _, expression in expressions)])


def _is_required(item: Node) -> bool:
    return item.every if isinstance(item, Group) else item.quoted


def _kept_items(items: Iterable[Node], drop: frozenset[str]) -> list[Node]:
    distinct = list({_identity(item): item for item in items}.values())[:MAX_TERMS]
    wordy = [item for item in distinct if isinstance(item, Group) or not is_stopword(item)] or distinct
    return [item for item in wordy if not _is_droppable(item, drop)] or wordy


def _identity(item: Node) -> object:
    return (item.key, item.quoted, item.prefix) if isinstance(item, Term) else item


def _is_droppable(item: Node, drop: frozenset[str]) -> bool:
    return isinstance(item, Term) and not item.quoted and not item.prefix and item.key in drop


def _node(node: Node, mode: Mode, drop: frozenset[str] = frozenset()) -> str | None:
    if isinstance(node, Term):
        return _term(node, mode, drop)
    inner: Mode = "every" if mode == "every" else "all"
    parts = [part for item in node.items if (part := _node(item, inner))]
    if not parts:
        return None
    return _every(parts) if node.every or mode == "every" else _either(parts)


def _term(term: Term, mode: Mode, drop: frozenset[str]) -> str | None:
    if term.quoted:
        text = base_text(term.text)
        return _quoted(text) if trimmed(text) else None
    if term.unspaced:
        return _run(term.text, mode, drop)
    word = term.text.removesuffix("'s").removesuffix("'S")
    phrases = word_phrases(word)
    if mode == "any" and "/" in word:  # a path may be written from another folder
        phrases += word_phrases(word.rpartition("/")[2])
    if not term.prefix:
        return _either(map(_quoted, phrases)) if phrases else None
    return _either([*(_quoted(phrase, prefix=True) for phrase in phrases), *_completions(phrases)]) if phrases else None


def _run(run: str, mode: Mode, drop: frozenset[str]) -> str:
    if len(run) == 1:  # the pairs that begin with it; where it ends a run only the text itself can tell
        return _quoted(bigrams(run)[0], prefix=True)
    whole = _quoted(" ".join(bigrams(run)))
    if mode != "any" or len(run) < LONG_RUN:
        return whole
    pairs = dict.fromkeys(map("".join, pairwise(run)))
    kept = [pair for pair in pairs if pair not in drop][:_MAX_PAIRS]
    return _either([whole, *(_quoted(bigrams(pair)[0]) for pair in kept)])


def _completions(phrases: Iterable[str]) -> Iterator[str]:
    """Yield words and prefixes whose stems stand for words that begin so, where the prefix is longer than their stem."""
    for prefix in phrases:
        if not (prefix.isascii() and prefix.isalpha()):
            continue
        prefix = prefix.lower()  # noqa: PLW2901
        words = [prefix + suffix[k:] for suffix in SUFFIXES for k in range(len(suffix) - 1, 0, -1) if prefix.endswith(suffix[:k])]
        if prefix[-1] == prefix[-2:-1]:
            words += [prefix + "ing", prefix + "ed", prefix + "er"]
        yield from map(_quoted, dict.fromkeys(words))
        if prefix.endswith("y"):  # stemmed to an i, which only the word itself has
            yield from (_quoted(prefix + letter, prefix=True) for letter in _AFTER_Y)


def _quoted(text: str, *, prefix: bool = False) -> str:
    plain = " ".join(text.replace('"', " ").replace("\0", " ").split())
    return f'"{plain}"*' if prefix else f'"{plain}"'


def _every(expressions: Iterable[str]) -> str:
    parts = list(expressions)
    return parts[0] if len(parts) == 1 else " AND ".join(f"({part})" for part in parts)


def _either(expressions: Iterable[str]) -> str:
    return " OR ".join(dict.fromkeys(expressions))
