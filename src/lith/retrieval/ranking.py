"""The order of candidates: what each is worth, part by part, so that `--explain` can say it.

`searching` calls it with the best hits and their texts. Pure and without a clock: the same map and the same question give the same order.
Every weight is relative to the words of the best candidate, which count 1.
"""

from collections.abc import Collection, Mapping, Sequence

import msgspec

from lith.kernel.text import fold
from lith.records.record import Kind, Label, Role, SessionKind
from lith.retrieval.matching import Dropped, Hits
from lith.retrieval.wording import call_fields, plain_text
from lith.store.map.read import DocumentRow, SessionRow
from lith.store.map.schema import DOCUMENT_SHIFT

ALL_WORDS = 0.5
PHRASE = 0.5
WHOLE_NAME = 0.15  # for each identifier or path of the query that the text holds as it was typed, twice at most
EXECUTED = 0.8  # a call that ran what was typed: above the messages that speak of it
NEIGHBOUR = 0.2
SESSION = 0.3
USER = 0.15
CALL = -0.35
RESULT = -0.45
SUBAGENT = -0.2
ABANDONED = -0.1
NEAR = 0.15
RECENCY = 0.2
RECENCY_HALF_MS = 30 * 86_400_000
PROFILE: dict[str, float] = {
    Label.TITLE: 0.15,
    Label.AI_TITLE: 0.1,
    Label.SUMMARY: 0.1,
    Label.RECAP: -0.15,
    Label.REASONING: -0.3,
    Label.COMPACTION: -0.4,
}

_MAX_NAMES = 2
_K1, _B = 1.2, 0.75  # as in SQLite's bm25
_COMMAND_STARTS = (";", "&", "|", "(", "`", "{", "\n", "sudo", "time", "exec")


class Candidate(msgspec.Struct):
    """A document that may be shown. `parts` add up to `score`; `copies` are the other sessions that hold a copy of it."""

    document: DocumentRow
    session: SessionRow
    copies: list[SessionRow] = []
    parts: dict[str, float] = {}
    score: float = 0.0


class Question(msgspec.Struct, frozen=True):
    """What is asked, as ranking sees it: all of it, the names in it (identifiers, paths), folded; and the directory it is asked from."""

    whole: str = ""
    names: tuple[str, ...] = ()
    near: str | None = None


def rank(candidates: Sequence[Candidate], hits: Hits, question: Question) -> list[Candidate]:
    """Score candidates and return them in order, the best first; equals by id."""
    if not candidates:
        return []
    needed = bool(hits.dropped or question.names)
    texts = {candidate.document.doc_id: fold(plain_text(candidate.document)) if needed else "" for candidate in candidates}
    words = _score_words(candidates, hits, texts)
    best_hit = max(hits.scores.values(), default=0.0) or 1.0
    best_words = max(*words.values(), best_hit)  # the best hit may stand in a block before this one
    sessions = score_sessions(hits.scores, {candidate.document.session_id for candidate in candidates})
    best_session = max(sessions.values(), default=0.0) or 1.0
    newest = max((moment for candidate in candidates if (moment := _moment(candidate)) is not None), default=0)
    for candidate in candidates:
        document = candidate.document
        parts = {
            "words": words[document.doc_id] / best_words,
            "all": ALL_WORDS * (document.doc_id in hits.everything),
            "phrase": PHRASE * (document.doc_id in hits.phrase),
            "neighbour": NEIGHBOUR * _neighbour(document, hits.scores) / best_hit,
            "session": SESSION * sessions.get(document.session_id, 0.0) / best_session,
            "recency": _recency(candidate, newest),
            **_typed_parts(document, texts[document.doc_id], question),
            **_place_parts(candidate, question),
        }
        candidate.parts = parts
        candidate.score = round(sum(parts.values()), 6)  # so that equals are equal, whatever the order of adding up
    return sorted(candidates, key=lambda candidate: (-candidate.score, candidate.document.doc_id))


def score_sessions(scores: Mapping[int, float], session_ids: Collection[int]) -> dict[int, float]:
    """What the hits of these sessions amount to: the best one, a half of the next, a third of the one after it, …"""
    by_session: dict[int, list[float]] = {session_id: [] for session_id in session_ids}
    for doc_id, score in scores.items():
        own = by_session.get(doc_id >> DOCUMENT_SHIFT)
        if own is not None:
            own.append(score)
    return {
        session_id: sum(score / number for number, score in enumerate(sorted(own, reverse=True), 1))
        for session_id, own in by_session.items()
    }


def _score_words(candidates: Sequence[Candidate], hits: Hits, texts: Mapping[int, str]) -> dict[int, float]:
    """bm25 of the words that were matched, plus about what the dropped ones would have added."""
    scores = {c.document.doc_id: hits.scores.get(c.document.doc_id, 0.0) for c in candidates}
    if hits.dropped:
        average = sum(map(len, texts.values())) / len(texts) or 1.0
        for doc_id, text in texts.items():
            scores[doc_id] += sum(_dropped_score(word, text, average) for word in hits.dropped)
    return scores


def _dropped_score(word: Dropped, text: str, average: float) -> float:
    count = text.count(_beginning(word.key))
    return word.weight * count * (_K1 + 1) / (count + _K1 * (1 - _B + _B * len(text) / average))


def _beginning(word: str) -> str:
    """The part of a word that its inflections share, roughly; these words weigh little."""
    return word[: max(4, len(word) - 2)] if word.isascii() and word.isalpha() else word


def _neighbour(document: DocumentRow, scores: Mapping[int, float]) -> float:
    if document.kind != Kind.MESSAGE:
        return 0.0
    return max(scores.get(document.doc_id - 1, 0.0), scores.get(document.doc_id + 1, 0.0))


def _recency(candidate: Candidate, newest: int) -> float:
    moment = _moment(candidate)
    return 0.0 if moment is None else RECENCY * 0.5 ** ((newest - moment) / RECENCY_HALF_MS)


def _moment(candidate: Candidate) -> int | None:
    moment = candidate.document.timestamp
    return candidate.session.ended_at if moment is None else moment


def _typed_parts(document: DocumentRow, text: str, question: Question) -> dict[str, float]:
    """How a text holds what was typed, beyond its words."""
    names = sum(_holds(text, name) for name in question.names)
    ran = (
        document.kind == Kind.CALL
        and " " in question.whole
        and _runs(call_fields(document.text).get("command", ""), question.whole)
    )
    return {"names": WHOLE_NAME * min(names, _MAX_NAMES), "executed": EXECUTED * ran}


def _holds(text: str, name: str) -> bool:
    """Whether a folded text holds a name that is not a part of a longer one."""
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        if not _continues(text[at - 1 : at]) and not _continues(text[end : end + 1]):
            return True
        at = text.find(name, end)
    return False


def _continues(char: str) -> bool:
    return char == "_" or (char.isascii() and char.isalnum())  # a Han character beside a name is no part of it


def _runs(command: str, whole: str) -> bool:
    """Whether a command line runs what was typed: at its beginning or after a separator, not as somebody's argument."""
    line = fold(command)
    at = line.find(whole)
    while at >= 0:
        before = line[:at].rstrip(" \t")
        if not before or before.endswith(_COMMAND_STARTS):
            return True
        at = line.find(whole, at + 1)
    return False


def _place_parts(candidate: Candidate, question: Question) -> dict[str, float]:
    """What kind of text it is, and where it stands."""
    document, session = candidate.document, candidate.session
    kind = {Kind.CALL: CALL, Kind.RESULT: RESULT}.get(Kind(document.kind), 0.0)
    if document.kind == Kind.PROFILE and document.label:
        kind = PROFILE.get(document.label, 0.0)
    return {
        "kind": kind,
        "user": USER * (document.kind == Kind.MESSAGE and document.role == Role.USER),
        "subagent": SUBAGENT * (session.kind == SessionKind.SUBAGENT),
        "abandoned": ABANDONED * document.abandoned,
        "near": NEAR * _is_near(session, question.near),
    }


def _is_near(session: SessionRow, near: str | None) -> bool:
    """Whether a session ran in the directory that is asked from, or both are in its project."""
    if near is None:
        return False
    places = (place.rstrip("/") for place in (session.cwd, session.project) if place)
    return any(near == place or near.startswith(f"{place}/") for place in places if place)
