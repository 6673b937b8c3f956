"""`find`: from what was typed to a page of results.

Called by `ops`. It goes the steps in order: parse, match, cut, rank, page, present; each is a module of its own. What it answers are
candidates; the facts come from the reads that each result names.
"""

from collections.abc import Collection, Iterator
from itertools import islice

import apsw
import msgspec

from lith.errors import UsageError
from lith.kernel.text import Query, query_terms
from lith.records.scope import Scope
from lith.retrieval import cursors
from lith.retrieval.answers import FindResult, Hit, check_fields
from lith.retrieval.candidates import MAX_BLOCKS, choose
from lith.retrieval.coverage import read_coverage
from lith.retrieval.matching import Hits, match_query
from lith.retrieval.nothing import explain_nothing
from lith.retrieval.presenting import present
from lith.retrieval.questions import begin_hashes, parse_question, to_question
from lith.retrieval.ranking import Candidate, rank
from lith.retrieval.requests import FindRequest
from lith.store.map import search

PER_SESSION_SHOWN = 3
MAX_LIMIT = 200
FACETS_SHOWN = 8

_MAX_LITERAL = 2_000  # texts that a scan for what the index has no token of finds


class Ranked(msgspec.Struct, frozen=True):
    """A block of results in order: `before` is how many stand in the blocks before it, `more` whether there is a block after it.

    `total` counts results, or documents where `capped`; `tiers` says how well they fit, the best first.
    """

    candidates: list[Candidate]
    total: int
    capped: bool
    tiers: dict[str, int] = {}
    before: int = 0
    more: bool = False

    @property
    def mode(self) -> str | None:
        """The best of the tiers."""
        return next(iter(self.tiers), None)


class _Standing(msgspec.Struct, frozen=True):
    """A result, where it stands (its block and its number in it), and what block that is."""

    candidate: Candidate
    number: int
    offset: int
    block: Ranked


def find(connection: apsw.Connection, request: FindRequest) -> FindResult:
    """Search a map. Raises `UsageError` for a query without a word, a field that does not exist, or another search's cursor."""
    check_fields(request.fields, Hit)
    if not 0 < request.limit <= MAX_LIMIT:
        raise UsageError(f"a page has 1 to {MAX_LIMIT} results, not {request.limit}")
    query = parse_question(request.query)
    purpose = cursors.purpose_of(request.query, scope=request.scope)
    offset, number = cursors.read_cursor(request.cursor, purpose) if request.cursor else (0, 0)
    hits, literal = _match(connection, query, request.scope)
    first = _rank_block(connection, query, request, hits, number, literal=literal)
    places = list(
        islice(_iter_places(connection, query, request, hits, number, offset, first, literal=literal), request.limit + 1)
    )
    page = [place.candidate for place in places[: request.limit]]
    results = present(connection, page, query_terms(query), request, first_rank=first.before + offset + 1)
    following = places[len(results)] if results and len(results) < len(places) else None
    coverage = read_coverage(connection, request.scope)
    found_any = bool(first.total)
    return FindResult(
        results=results,
        total=first.total,
        capped=first.capped,
        match_mode=first.mode,
        tiers=first.tiers,
        coverage=coverage,
        next_cursor=None if following is None else cursors.write_cursor(following.offset, following.number, purpose),
        ended=_why_ended(places, hits) if first.capped and following is None else None,
        facets=_facets(connection, page) if request.facets else {},
        nothing=None if found_any else explain_nothing(connection, query, request, coverage, capped=first.capped, count=_count),
    )


def search_ranked(connection: apsw.Connection, query: Query, request: FindRequest) -> Ranked:
    """Search without presenting: the first block of results."""
    hits, literal = _match(connection, query, request.scope)
    return _rank_block(connection, query, request, hits, 0, literal=literal)


def _match(connection: apsw.Connection, query: Query, scope: Scope) -> tuple[Hits, bool]:
    """What matches, and whether that was found in the text itself, for want of a token in the index."""
    narrowing = search.narrow(connection, scope)
    hits = match_query(connection, query, narrowing)
    begun = None if hits.scores else begin_hashes(query)
    if begun is not None:
        hits = match_query(connection, begun, narrowing)
    if hits.scores or not query.literals:
        return hits, False
    found, complete = search.scan_text(connection, query.literals, scope, limit=_MAX_LITERAL)
    return Hits(dict.fromkeys(sorted(found), 1.0), complete=complete), True


def _rank_block(
    connection: apsw.Connection, query: Query, request: FindRequest, hits: Hits, number: int, *, literal: bool
) -> Ranked:
    if not hits.scores:
        return Ranked([], 0, not hits.complete)
    block = choose(connection, hits, number)
    ranked = rank(block.candidates, hits, to_question(query, request.near))
    whole = block.number == 0 and not block.more and hits.complete
    ids = {candidate.document.doc_id for candidate in ranked} if whole else hits.scores
    return Ranked(
        candidates=ranked if request.scope.sessions else _spread(ranked),
        total=len(ids),
        capped=not whole,
        tiers={"literal": len(ids)} if literal else _tiers(ids, hits),
        before=block.before,
        more=block.more,
    )


def _tiers(ids: Collection[int], hits: Hits) -> dict[str, int]:
    """How many of some documents hold the phrase, else all words, else some."""
    phrase = len(hits.phrase.intersection(ids)) if hits.phrase else 0
    every = len((hits.everything | hits.phrase if phrase else hits.everything).intersection(ids))
    counts = {"phrase": phrase, "all": every - phrase, "some": len(ids) - every}
    return {tier: count for tier, count in counts.items() if count}


def _iter_places(
    connection: apsw.Connection,
    query: Query,
    request: FindRequest,
    hits: Hits,
    number: int,
    offset: int,
    block: Ranked,
    *,
    literal: bool,
) -> Iterator[_Standing]:
    """The results from a place on, block after block."""
    while True:
        for place, candidate in enumerate(block.candidates[offset:], offset):
            yield _Standing(candidate, number, place, block)
        number, offset = number + 1, 0
        if not block.more or number >= MAX_BLOCKS:
            return
        block = _rank_block(connection, query, request, hits, number, literal=literal)


def _spread(ranked: list[Candidate]) -> list[Candidate]:
    """Results in waves: the first three of every session, then the next three of each, …, so that no session hides the others."""
    seen: dict[int, int] = {}
    waves: list[list[Candidate]] = []
    for candidate in ranked:
        session_id = candidate.session.session_id
        wave = seen.get(session_id, 0) // PER_SESSION_SHOWN
        seen[session_id] = seen.get(session_id, 0) + 1
        if wave == len(waves):
            waves.append([])
        waves[wave].append(candidate)
    return [candidate for wave in waves for candidate in wave]


def _why_ended(places: list[_Standing], hits: Hits) -> str:
    """Why nothing comes after this page, though the total says more."""
    last = (
        f"these are the last of {places[-1].block.before + places[-1].offset + 1} results"
        if places
        else "there are no more results"
    )
    if places and places[-1].block.more:
        return f"{last}: no search shows more; narrow it by a word, a date or a project"
    if hits.complete:
        return f"{last}: the total counts texts, and equal ones are one result"
    return f"{last}: of so many matching texts only the newest or the best were ranked; narrow the search to see the others"


def _count(connection: apsw.Connection, query: Query, request: FindRequest) -> tuple[int, bool]:
    """The `total` of a search, and whether it is `capped`."""
    found = search_ranked(connection, query, request)
    return found.total, found.capped


def _facets(connection: apsw.Connection, page: list[Candidate]) -> dict[str, list[str]]:
    from lith.retrieval.vocabulary import find_facets  # noqa: PLC0415 -- few searches ask for them

    return find_facets(connection, [(one.session.session_id, one.document.record_id) for one in page], limit=FACETS_SHOWN)
