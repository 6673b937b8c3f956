"""Questions: what was typed, checked, and what ranking sees of it.

Called by `searching` and `reading`. Pure.
"""

import re

import msgspec

from lith.errors import UsageError
from lith.kernel.text import Query, Term, fold, iter_terms, parse_query
from lith.retrieval.ranking import Question

_HASH = re.compile(r"(?=[a-f-]*\d)[0-9a-f]{4,}(?:-[0-9a-f]*)*")  # with a digit in it: `feed` is a word


def parse_question(text: str) -> Query:
    """Parse what was typed. Raises `UsageError` where it names nothing that could be found."""
    query = parse_query(text)
    if query.items or query.literals:
        return query
    if query.excluded:
        words = " ".join(dict.fromkeys(term.text for node in query.excluded for term in iter_terms(node)))
        raise UsageError(
            "the query only says what to leave out",
            hint=f"add a word to look for; to look for what was left out, write it without NOT or -: {words}",
        )
    raise UsageError("there is nothing to search for", hint="give a word, a name, or a phrase in quotes")


def begin_hashes(query: Query) -> Query | None:
    """The query with its hexadecimal words taken for beginnings, as hashes are written; None for a query without one."""
    items = tuple(
        msgspec.structs.replace(item, prefix=True) if isinstance(item, Term) and _is_hash(item) else item for item in query.items
    )
    return None if items == query.items else msgspec.structs.replace(query, items=items)


def _is_hash(term: Term) -> bool:
    return not term.quoted and _HASH.fullmatch(term.key) is not None


def to_question(query: Query, near: str | None) -> Question:
    """A query as ranking sees it, asked from the directory `near`."""
    terms = [term for item in query.items for term in iter_terms(item)]
    names = tuple(dict.fromkeys(term.key for term in terms if _is_name(term.text)))
    return Question(" ".join(fold(query.text.replace('"', " ")).split()), names, near)


def _is_name(word: str) -> bool:
    """Whether a word is an identifier or a path rather than a word of a language."""
    inner = word.strip("-._/\\")
    mixed = inner != inner.lower() and not inner.istitle() and not inner.isupper()
    return mixed or any(char in "_./\\-" or char.isdigit() for char in inner)
