"""The first cut: from all hits to the few whose texts are read, with every copy of a message counted once.

`searching` calls it. The caps are per session, so that a session with a thousand hits takes nobody's place; places that are left then go
to whoever is next.
"""

from collections.abc import Iterable, Iterator
from itertools import islice

import apsw

from lith.records.record import Kind, SessionKind
from lith.retrieval.matching import Hits
from lith.retrieval.ranking import ALL_WORDS, PHRASE, Candidate
from lith.store.map.read import DocumentRow, SessionRow, load_documents, load_sessions
from lith.store.map.schema import DOCUMENT_SHIFT

MAX_CANDIDATES = 200
PER_SESSION = 12
CHARACTERS = 6_000
"""Characters of each piece of a text that candidates are compared by."""

_BATCH = 256
_MAX_BATCHES = 8


def choose(connection: apsw.Connection, hits: Hits) -> tuple[list[Candidate], bool]:
    """The best `MAX_CANDIDATES` of the hits, copies once; and whether that is all of them."""
    chosen: dict[object, Candidate] = {}
    order = _capped_order(hits)
    for _ in range(_MAX_BATCHES):
        batch = list(islice(order, _BATCH))
        for candidate in _load(connection, batch):
            key = _identity(candidate.document)
            known = chosen.get(key)
            if known is not None:
                chosen[key] = _merged(known, candidate)
            elif len(chosen) < MAX_CANDIDATES:
                chosen[key] = candidate
        if len(batch) < _BATCH:
            return list(chosen.values()), hits.complete and len(chosen) < MAX_CANDIDATES
        if len(chosen) >= MAX_CANDIDATES:
            break
    return list(chosen.values()), False


def _capped_order(hits: Hits) -> Iterator[int]:
    """The ids of hits, the best first; what a session has beyond its cap comes after everything else."""
    scores = dict(hits.scores)
    best = max(scores.values(), default=0.0)
    for ids, step in ((hits.everything, ALL_WORDS), (hits.phrase, PHRASE)):
        if len(ids) < len(scores):  # a step for all is none
            for doc_id in ids:
                if doc_id in scores:
                    scores[doc_id] += step * best
    taken: dict[int, int] = {}
    rest = []
    for doc_id in sorted(scores, key=scores.__getitem__, reverse=True):
        session_id = doc_id >> DOCUMENT_SHIFT
        number = taken.get(session_id, 0)
        if number < PER_SESSION:
            taken[session_id] = number + 1
            yield doc_id
        else:
            rest.append(doc_id)
    yield from rest


def _load(connection: apsw.Connection, doc_ids: Iterable[int]) -> list[Candidate]:
    ids = list(doc_ids)
    documents = load_documents(connection, ids, characters=CHARACTERS)
    sessions = load_sessions(connection, {doc_id >> DOCUMENT_SHIFT for doc_id in documents})
    found = (documents.get(doc_id) for doc_id in ids)
    return [Candidate(one, sessions[one.session_id]) for one in found if one is not None and one.session_id in sessions]


def _identity(document: DocumentRow) -> object:
    """What copies of one message have in common; without a time nothing tells a copy from a repetition."""
    if document.kind == Kind.PROFILE or document.timestamp is None:
        return document.doc_id
    return (document.twin, document.kind)


def _merged(known: Candidate, other: Candidate) -> Candidate:
    """One candidate for two copies: the one in the session that began first stands for both."""
    first, second = sorted((known, other), key=_seniority)
    first.copies = [*known.copies, *other.copies]
    if second.session.ref != first.session.ref:
        first.copies.append(second.session)
    return first


def _seniority(candidate: Candidate) -> tuple[bool, float, int]:
    session: SessionRow = candidate.session
    started = float("inf") if session.started_at is None else session.started_at
    return (session.kind == SessionKind.SUBAGENT, started, candidate.document.doc_id)
