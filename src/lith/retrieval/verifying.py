"""Phrases in quotes: whether a text really holds the words as they were typed, which an index of stems cannot tell.

`matching` calls it with what the index found. It reads texts; it decides nothing about the order.
"""

from collections.abc import Callable, Iterable

import apsw
import msgspec

from lith.kernel.text import Node, Query, Term, exact_test, fold, iter_terms, match_expression
from lith.retrieval.wording import plain_text
from lith.store.map import search
from lith.store.map.read import load_documents
from lith.store.map.search import Narrowing

MAX_VERIFIED = 1_000
"""Texts that are read to verify a phrase, the best matches first; what is beyond them is left out of the answer."""

_BATCH = 256


class Verified(msgspec.Struct, frozen=True):
    """The hits that hold what was quoted, and whether all were looked at."""

    scores: dict[int, float]
    complete: bool


def has_quotes(query: Query) -> bool:
    """Whether anything in a query has to be verified."""
    return any(term.quoted for node in (*query.items, *query.excluded) for term in iter_terms(node))


def without_quoted_exclusions(query: Query) -> Query:
    """The query that the index may answer: it would leave out too much, a phrase in all its inflections."""
    return msgspec.structs.replace(query, excluded=tuple(node for node in query.excluded if not _is_quoted(node)))


def verify(connection: apsw.Connection, query: Query, scores: dict[int, float], narrowing: Narrowing) -> Verified:
    """Those of some hits whose texts hold what the query quotes, and nothing that it quotes to leave out."""
    kept = scores
    complete = True
    wanted = [test for node in query.items if _has_quoted(node) and (test := _test(node))]
    if wanted:
        best = sorted(scores, key=lambda doc_id: (-scores[doc_id], doc_id))[:MAX_VERIFIED]
        complete = len(best) == len(scores)
        held = _find(connection, best, lambda text: all(test(text) for test in wanted))
        kept = {doc_id: score for doc_id, score in scores.items() if doc_id in held}
    for node in query.excluded:
        expression = match_expression(Query("", (node,)), "all") if _is_quoted(node) else None
        if expression is not None and (unwanted := _test(node)):
            suspects = kept.keys() & set(search.find_matching(connection, expression, narrowing))
            kept = _without(kept, _find(connection, sorted(suspects), unwanted))
    return Verified(kept, complete)


def _find(connection: apsw.Connection, doc_ids: list[int], test: Callable[[str], bool]) -> set[int]:
    """The documents whose folded text passes a test."""
    found = set()
    for start in range(0, len(doc_ids), _BATCH):
        for document in load_documents(connection, doc_ids[start : start + _BATCH]).values():
            if test(fold("\n".join((document.tool or "", plain_text(document))))):
                found.add(document.doc_id)
    return found


def _without(scores: dict[int, float], doc_ids: Iterable[int]) -> dict[int, float]:
    left_out = set(doc_ids)
    return {doc_id: score for doc_id, score in scores.items() if doc_id not in left_out}


def _is_quoted(node: Node) -> bool:
    return isinstance(node, Term) and node.quoted


def _has_quoted(node: Node) -> bool:
    return any(term.quoted for term in iter_terms(node))


def _test(node: Node) -> Callable[[str], bool] | None:
    """What a folded text has to pass; None where the index has the last word."""
    if isinstance(node, Term):
        return exact_test(node) if node.quoted else None
    tests = [_test(item) for item in node.items]
    known = [test for test in tests if test is not None]
    if node.every:
        return (lambda text: all(test(text) for test in known)) if known else None
    # An alternative that only the index knows: its words are looked for as they begin.
    every = [test or _beginnings(item) for test, item in zip(tests, node.items, strict=True)]
    return (lambda text: any(test(text) for test in every)) if known else None


def _beginnings(node: Node) -> Callable[[str], bool]:
    words = [word for term in iter_terms(node) for word in term.key.split()]
    starts = [word[: max(4, len(word) - 3)] for word in words]
    return lambda text: any(start in text for start in starts)
