"""The first cut: from all hits to the few whose texts are read, with every copy of a message counted once.

`searching` calls it. The caps are per session, so that a session with a thousand hits takes nobody's place; places that are left then go
to whoever is next.
"""

from collections.abc import Iterable, Iterator, Set
from itertools import chain, islice

import apsw
import msgspec

from lith.records.record import Kind, SessionKind
from lith.retrieval.matching import Hits
from lith.retrieval.ranking import ALL_WORDS, PHRASE, Candidate
from lith.store.map.read import DocumentRow, SessionRow, load_documents, load_sessions
from lith.store.map.schema import DOCUMENT_SHIFT

MAX_CANDIDATES = 200
"""Results that are ranked together; who pages on gets the next as many."""
MAX_BLOCKS = 40
PER_SESSION = 12
CHARACTERS = 6_000
"""Characters of each piece of a text that candidates are compared by."""

_BATCH = 256
_MAX_BATCHES = 8


class Block(msgspec.Struct, frozen=True):
    """The candidates of a block: its number, how many results the blocks before it hold, and whether there are more after it."""

    candidates: list[Candidate]
    number: int
    before: int
    more: bool


def choose(connection: apsw.Connection, hits: Hits, number: int = 0) -> Block:
    """The best `MAX_CANDIDATES` of the hits, copies once; or of those that the blocks before leave. No result is in two blocks."""
    order = _capped_order(hits)
    earlier: set[object] = set()
    for _ in range(number):
        passed, waiting, _ = _fill(connection, order, earlier, characters=0)
        earlier.update(passed)
        order = chain(waiting, order)
    chosen, waiting, more = _fill(connection, order, earlier, characters=CHARACTERS)
    return Block(list(chosen.values()), number, len(earlier), more or bool(waiting))


def _fill(
    connection: apsw.Connection, order: Iterator[int], earlier: Set[object], *, characters: int
) -> tuple[dict[object, Candidate], list[int], bool]:
    """One block from what is next in order; the ids that it had no place for, and whether others were not looked at."""
    chosen: dict[object, Candidate] = {}
    waiting: list[int] = []
    for _ in range(_MAX_BATCHES):
        batch = list(islice(order, _BATCH))
        for candidate in _load(connection, batch, characters):
            key = _identity(candidate.document)
            known = chosen.get(key)
            if known is not None:
                chosen[key] = _merged(known, candidate)
            elif key in earlier:
                continue
            elif len(chosen) < MAX_CANDIDATES:
                chosen[key] = candidate
            else:
                waiting.append(candidate.document.doc_id)
        if len(batch) < _BATCH:
            return chosen, waiting, False
        if len(chosen) >= MAX_CANDIDATES:
            break
    return chosen, waiting, True


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


def _load(connection: apsw.Connection, doc_ids: Iterable[int], characters: int) -> list[Candidate]:
    ids = list(doc_ids)
    documents = load_documents(connection, ids, characters=characters)
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
