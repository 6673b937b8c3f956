"""`find`: from what was typed to a page of results.

Called by `ops`. It goes the steps in order: parse, match, cut, rank, page, present; each is a module of its own. What it answers are
candidates; the facts come from the reads that each result names.
"""

import apsw
import msgspec

from lith.errors import UsageError
from lith.kernel.text import Query, fold, iter_terms, parse_query, query_terms
from lith.retrieval import cursors
from lith.retrieval.answers import FindResult, Hit, check_fields
from lith.retrieval.candidates import MAX_CANDIDATES, choose
from lith.retrieval.coverage import read_coverage
from lith.retrieval.matching import Hits, find_hits
from lith.retrieval.nothing import explain_nothing
from lith.retrieval.presenting import present
from lith.retrieval.ranking import Candidate, Question, rank
from lith.retrieval.requests import FindRequest
from lith.store.map import search

PER_SESSION_SHOWN = 3
MAX_LIMIT = 200


class Found(msgspec.Struct, frozen=True):
    """The best candidates in order, which tier the best of them reached, how many results there are, and whether some were cut."""

    candidates: list[Candidate]
    mode: str | None
    total: int
    capped: bool


def find(connection: apsw.Connection, request: FindRequest) -> FindResult:
    """Search a map. Raises `UsageError` for a query without a word, a field that does not exist, or another search's cursor."""
    check_fields(request.fields, Hit)
    if not 0 < request.limit <= MAX_LIMIT:
        raise UsageError(f"a page has 1 to {MAX_LIMIT} results, not {request.limit}")
    query = parse_query(request.query)
    if not query.items and not query.literals:
        raise UsageError("there is nothing to search for", hint="give a word, a name, or a phrase in quotes")
    purpose = cursors.purpose_of(request.query, request.near, scope=request.scope)
    offset = cursors.read_cursor(request.cursor, purpose)[0] if request.cursor else 0
    found = search_ranked(connection, query, request)
    waves = _in_waves(found.candidates, unlimited=bool(request.scope.sessions))
    page = _page(waves, offset, request.limit)
    results = present(connection, page, query_terms(query), request, first_rank=offset + 1)
    following = offset + len(results)
    more = bool(results) and following < len(found.candidates)
    coverage = read_coverage(connection, request.scope)
    return FindResult(
        results=results,
        total=found.total,
        capped=found.capped,
        match_mode=found.mode,
        coverage=coverage,
        next_cursor=cursors.write_cursor(following, len(found.candidates), purpose) if more else None,
        nothing=None if found.candidates else explain_nothing(connection, query, request, coverage, capped=found.capped),
    )


def search_ranked(connection: apsw.Connection, query: Query, request: FindRequest) -> Found:
    """Search without presenting: all candidates in order."""
    hits = find_hits(connection, query, search.narrow(connection, request.scope))
    literal = not hits.scores and bool(query.literals)
    if literal:
        found, complete = search.scan_text(connection, query.literals, request.scope, limit=MAX_CANDIDATES)
        hits = Hits(dict.fromkeys(sorted(found), 1.0), complete=complete)
    if not hits.scores:
        return Found([], None, 0, not hits.complete)
    candidates, whole = choose(connection, hits)
    ranked = rank(candidates, hits, _question(query, request.near))
    total = len(ranked) if whole else max(len(hits.scores), len(ranked))
    return Found(ranked, "literal" if literal else _mode(ranked, hits), total, not whole)


def _question(query: Query, near: str | None) -> Question:
    terms = [term for item in query.items for term in iter_terms(item)]
    names = tuple(dict.fromkeys(term.key for term in terms if _is_name(term.text)))
    return Question(" ".join(fold(query.text.replace('"', " ")).split()), names, near)


def _is_name(word: str) -> bool:
    """Whether a word is an identifier or a path rather than a word of a language."""
    inner = word.strip("-._/\\")
    mixed = inner != inner.lower() and not inner.istitle() and not inner.isupper()
    return mixed or any(char in "_./\\-" or char.isdigit() for char in inner)


def _mode(ranked: list[Candidate], hits: Hits) -> str:
    ids = {candidate.document.doc_id for candidate in ranked}
    if not hits.phrase.isdisjoint(ids):
        return "phrase"
    return "some" if hits.everything.isdisjoint(ids) else "all"


def _in_waves(ranked: list[Candidate], *, unlimited: bool) -> list[list[Candidate]]:
    """Candidates in waves: the first three of every session, then the next three, … so that a page never shows more of one."""
    if unlimited:
        return [ranked]
    waves: list[list[Candidate]] = []
    seen: dict[int, int] = {}
    for candidate in ranked:
        session_id = candidate.session.session_id
        number = seen.get(session_id, 0)
        seen[session_id] = number + 1
        if number // PER_SESSION_SHOWN == len(waves):
            waves.append([])
        waves[number // PER_SESSION_SHOWN].append(candidate)
    return waves


def _page(waves: list[list[Candidate]], offset: int, limit: int) -> list[Candidate]:
    """The results from `offset` on, as many as the page and the wave hold."""
    for wave in waves:
        if offset < len(wave):
            return wave[offset : offset + limit]
        offset -= len(wave)
    return []
