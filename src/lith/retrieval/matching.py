"""Which documents a query is about: from what was typed to scored hits, before a single text is read.

`searching` calls it. Words that are in very many documents cost most and say least: they are left out of matching where rarer words
remain, and come back when the best candidates are scored again (`ranking`). It decides nothing about the order.
"""

import math
from collections.abc import Iterator

import apsw
import msgspec

from lith.kernel.text import Query, Term, match_expression, query_terms
from lith.retrieval.verifying import has_quotes, verify, without_quoted_exclusions
from lith.store.map import search
from lith.store.map.search import Narrowing

MATCH_BUDGET = 8_000
"""Documents that one search scores. Common words are left out to stay within it; where the rarest word alone goes beyond, the newest
sessions count."""

_ENOUGH = 10  # with fewer hits, words left out are matched after all
_COUNT_LIMIT = 50_000


class Dropped(msgspec.Struct, frozen=True):
    """A word left out of matching, and its weight (inverse document frequency)."""

    key: str
    weight: float


class Hits(msgspec.Struct, frozen=True):
    """What matches: `scores` is bm25 by doc_id (higher is better), in the order of ids.

    `everything` and `phrase` are the ids of documents that hold all words, or all of them in their order. `complete` is false where more
    documents match than were scored.
    """

    scores: dict[int, float]
    everything: frozenset[int] = frozenset()
    phrase: frozenset[int] = frozenset()
    dropped: tuple[Dropped, ...] = ()
    complete: bool = True


def match_query(connection: apsw.Connection, query: Query, narrowing: Narrowing) -> Hits:
    """Every document that matches a query in a scope, about `MATCH_BUDGET` of them at most."""
    if not has_quotes(query):
        return _match(connection, query, narrowing)
    hits = _match(connection, without_quoted_exclusions(query), narrowing)
    kept = verify(connection, query, hits.scores, narrowing)
    ids = kept.scores.keys()
    return msgspec.structs.replace(
        hits,
        scores=kept.scores,
        everything=hits.everything & ids,
        phrase=hits.phrase & ids,
        complete=hits.complete and kept.complete,
    )


def _match(connection: apsw.Connection, query: Query, narrowing: Narrowing) -> Hits:
    """What the index finds."""
    counts = _count_words(connection, query)
    drop = _words_to_drop(counts)
    expression = match_expression(query, "any", drop=drop)
    everything = match_expression(query, "every")
    if expression is None or everything is None:
        return Hits({})
    scores, complete = _score(connection, expression, narrowing, _expected(connection, query, expression, counts, drop))
    if drop and len(scores) < _ENOUGH:
        full = match_expression(query, "any") or expression
        more, complete = _score(connection, full, narrowing, MATCH_BUDGET + 1)
        scores, drop = _united(scores, more), frozenset()
    all_ids = None if everything == expression else search.find_matching(connection, everything, narrowing)
    if (
        not complete and all_ids and everything == match_expression(query, "all")
    ):  # what holds every word must not be lost among what holds one
        scores = _united(dict(search.find_hits(connection, everything, narrowing, limit=MATCH_BUDGET)), scores)
    # A text that holds the phrase holds every word of it, so that the second question is often answered by the first.
    phrase = match_expression(query, "phrase") if all_ids is None or all_ids else None
    documents = search.count_documents(connection) if drop else 0
    return Hits(
        scores=scores,
        everything=frozenset(scores if all_ids is None else all_ids),
        phrase=frozenset(search.find_matching(connection, phrase, narrowing)) if phrase and _has_order(phrase) else frozenset(),
        dropped=tuple(Dropped(key, _weight(counts[key], documents)) for key in counts if key in drop),
        complete=complete,
    )


def _score(connection: apsw.Connection, expression: str, narrowing: Narrowing, expected: int) -> tuple[dict[int, float], bool]:
    """The documents that match, and whether these are all: of too many, those with the highest ids."""
    limit = MATCH_BUDGET if expected > MATCH_BUDGET else None
    scores = dict(search.find_hits(connection, expression, narrowing, limit=limit))
    return scores, limit is None or len(scores) < limit


def _count_words(connection: apsw.Connection, query: Query) -> dict[str, int]:
    """In how many documents each word is that could be left out, the rarest first; counting stops far beyond the budget."""
    expressions = dict(_iter_droppable(query))
    common = search.find_common_counts(connection, expressions) if len(expressions) > 1 else {}
    counts = {
        key: common[key] if key in common else search.count_everywhere(connection, expression, limit=_COUNT_LIMIT)
        for key, expression in expressions.items()
    }
    return dict(sorted(counts.items(), key=lambda item: (item[1], item[0])))


def _iter_droppable(query: Query) -> Iterator[tuple[str, str]]:
    """The plain words of a query, and the pairs of its runs of CJK, each with its expression; none where something is required."""
    wanted = set(query_terms(query))
    if any(not isinstance(item, Term) or item.quoted for item in query.items):
        return
    for item in query.items:
        if not isinstance(item, Term) or item.prefix:
            continue
        for key in query_terms(Query(item.text, (item,))):
            term = Term(key, unspaced=True) if item.unspaced else item
            expression = match_expression(Query(key, (term,)), "all") if key in wanted else None
            if expression is not None:
                yield key, expression


def _words_to_drop(counts: dict[str, int]) -> frozenset[str]:
    """The words beyond the budget, the most frequent first, but never the rarest that is there at all."""
    spent = 0
    drop = []
    for key, documents in counts.items():
        if spent and spent + documents > MATCH_BUDGET:
            drop.append(key)
        else:
            spent += documents
    return frozenset(drop)


def _expected(connection: apsw.Connection, query: Query, expression: str, counts: dict[str, int], drop: frozenset[str]) -> int:
    """About how many documents an expression matches, all sessions considered."""
    if query.is_plain:
        return sum(documents for key, documents in counts.items() if key not in drop)
    return search.count_everywhere(connection, expression, limit=MATCH_BUDGET + 1)


def _has_order(phrase: str) -> bool:
    """Whether a phrase expression has more than one token: two words, or one that reads as several (`query_flow.ts`)."""
    return " " in phrase.partition(" NOT ")[0]


def _united(some: dict[int, float], preferred: dict[int, float]) -> dict[int, float]:
    """Both, in the order of ids."""
    united = some | preferred
    return {doc_id: united[doc_id] for doc_id in sorted(united)}


def _weight(documents: int, total: int) -> float:
    return max(math.log((total - documents + 0.5) / (documents + 0.5)), 0.0) if documents < total else 0.0
