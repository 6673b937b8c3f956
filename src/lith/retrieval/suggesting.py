"""What may have been meant by words that are nowhere: near ones that the map has.

`nothing` calls it, once it is certain that there is no result. It looks words up; it never searches by itself.
"""

from collections.abc import Iterable, Iterator

import apsw

from lith.kernel.text import Query, Term, fold, match_expression
from lith.records.scope import Scope
from lith.retrieval.wording import plain_text
from lith.store.map import search
from lith.store.map.read import load_documents

MAX_SUGGESTIONS = 3

_SHORTEST = 4  # characters of a word that has anything near it
_LONGEST = 32
_TWO_EDITS = 6  # characters from which on two of them may be wrong
_SCANNED = 20_000  # terms that are compared for one word
_MAX_WORDS = 4
_NEAR = 4  # terms that are looked up in texts, to write them as they are written there
_TEXTS = 3
_FAR = 4  # edits between two words that are no slip of each other
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"


def suggest(connection: apsw.Connection, query: Query) -> list[str]:
    """Queries that differ from one without a result in a word or two, the nearest first."""
    words = [item for item in query.items if isinstance(item, Term) and _is_word(item)]
    if not words or len(words) < len(query.items) or len(words) > _MAX_WORDS:
        return []
    search.open_vocabulary(connection)
    near = {item: _near(connection, item) for item in words}
    if not any(near.values()):
        return []
    suggestions = []
    for number in range(MAX_SUGGESTIONS):
        some = [near[item][min(number, len(near[item]) - 1)] for item in words if near[item]]
        suggestions.append(" ".join(some))
    return list(dict.fromkeys(suggestions))


def _is_word(term: Term) -> bool:
    return not term.unspaced and not term.quoted and _SHORTEST <= len(term.key) <= _LONGEST and term.key.isalnum()


def _near(connection: apsw.Connection, term: Term) -> list[str]:
    """Words that the map has and that a word may be a slip of, the nearest first; then what begins with it."""
    stem = search.stem(connection, term.key) or term.key
    limit = 2 if len(term.key) >= _TWO_EDITS else 1
    terms = search.find_terms(connection, _edited_beginnings(stem)) | search.find_vocabulary(connection, stem[:2], limit=_SCANNED)
    typed = {term.key, stem}
    measured = [
        (min(distances), abs(len(one) - len(stem)), -count, one)
        for one, count in terms.items()
        if one != stem and (distances := list(_distances(typed, one, limit)))
    ]
    written = [word for *_, one in sorted(measured)[:_NEAR] if (word := _written(connection, one, term.key))]
    words = [word for word in written if _is_near(connection, term.key, stem, word, limit)]
    longer = [one for one in search.find_vocabulary(connection, term.key, limit=1) if one != term.key]
    return list(dict.fromkeys([*words, *(f"{term.key}*" for _ in longer)]))


def _edited_beginnings(word: str) -> list[str]:
    """The words whose first two letters are not those of a word: exchanged, one missing, one too many, one another."""
    first, second, rest = word[0], word[1], word[2:]
    edited = [second + first + rest, word[1:], first + rest, first + rest[:1] + second + rest[1:]]
    for letter in _LETTERS:
        edited += [letter + word, first + letter + word[1:], letter + word[1:], first + letter + rest]
    return [one for one in dict.fromkeys(edited) if one != word]


def _distances(typed: Iterable[str], stem: str, limit: int) -> Iterator[int]:
    """How far what was typed is from a stem, where it is near; the stem of `proxy` is `proxi`."""
    for word in typed:
        for one in (stem, f"{stem[:-1]}y") if stem.endswith("i") else (stem,):
            distance = _distance(word, one, limit)
            if distance is not None:
                yield distance


def _is_near(connection: apsw.Connection, typed: str, stem: str, word: str, limit: int) -> bool:
    """Whether a word of a text is near what was typed, as it is written or by its stem."""
    if _distance(typed, word, limit, whole=True) is not None:
        return True
    return _distance(stem, search.stem(connection, word) or word, limit, whole=True) is not None


def _distance(word: str, other: str, limit: int, *, whole: bool = False) -> int | None:
    """How many letters to insert, leave out, replace or exchange with the next; None for more than `limit`.

    The other is a stem, which a beginning of the word may be near to, unless the `whole` word has to be.
    """
    if len(other) < _SHORTEST - 1 or len(other) > len(word) + limit or sum(letter not in word for letter in other) > limit:
        return None
    least = limit + 1
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, letter in enumerate(word, 1):
        row = [i]
        for j, one in enumerate(other, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != one))
            if i > 1 and j > 1 and letter == other[j - 2] and word[i - 2] == one:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return None if whole or least > limit else least
        before, last = last, row
        least = min(least, row[-1])
    least = last[-1] if whole else least
    return least if least <= limit else None


def _written(connection: apsw.Connection, stem: str, typed: str) -> str | None:
    """A word as it is written in a text, by its stem; of several the one that is nearest to what was typed."""
    expression = match_expression(Query(stem, (Term(stem, prefix=True),)), "any")
    if expression is None:
        return None
    hits = search.find_hits(connection, expression, search.narrow(connection, Scope()), limit=_TEXTS)
    found: dict[str, int] = {}
    for document in load_documents(connection, [doc_id for doc_id, _ in hits], characters=20_000).values():
        for word in set("".join(char if char.isalnum() else " " for char in fold(plain_text(document))).split()):
            if word[:2] == stem[:2] and search.stem(connection, word) == stem:
                distance = _distance(typed, word, _FAR, whole=True)
                found[word] = _FAR + 1 if distance is None else distance
    return min(found, key=lambda word: (found[word], word), default=None)
