"""What a session says, taken from it word for word: prompts, decisions, outcomes, open questions, each with its message. Pure.

`capture` puts it on a page. There is no model here: sentences are chosen by their words, and where no word tells, the first sentence of
an answer stands for it, in any language.
"""

import re
from collections.abc import Iterator, Sequence

import msgspec

from lith.retrieval.answers import Message
from lith.wiki.drafts import plain
from lith.wiki.fold.extract import bullets, clip

PROMPT = "prompt"
DECISION = "decision"
OUTCOME = "outcome"
QUESTION = "question"
KINDS = (PROMPT, DECISION, OUTCOME, QUESTION)
MAX_OF_A_KIND = 40
_MAX_OUTCOMES_OF_A_TURN = 3
_SHORTEST = 8

_SENTENCE = re.compile(r"(?<=[.!?])[\"')\]*_]*\s+(?=[\"'(\[`*_]*[A-Z0-9À-ÖØ-ÞΑ-ΩА-Я])|(?<=[。！？])")
_DECISION = re.compile(
    r"(?i)\b(?:decided|decision|we chose|i chose|chosen|settled on|agreed|going with|go with|let'?s (?:use|keep|take|do)"
    r"|we(?:'ll| will) (?:use|keep|take|do)|i(?:'ll| will) (?:use|keep|take)|prefer(?:red)?"
    r"|(?:use|take|keep|switch(?:ed)? to)\b.*\b(?:instead of|rather than))\b"
)
_OUTCOME = re.compile(
    r"(?i)\b(?:fixed|added|removed|implemented|renamed|updated|created|changed|replaced|moved|deployed|merged|committed|released"
    r"|reverted|resolved|installed|migrated|done|finished|works?|pass(?:es|ed)?|fail(?:s|ed)?|green|root cause|turns out|confirmed"
    r"|reproduced|measured|the (?:cause|reason|bug|problem|culprit) (?:is|was)|no longer|that is (?:a|why))\b"
)
_OPEN = re.compile(r"(?i)^(?:still open|open question|to-?do|not yet|pending|follow[- ]?up|left to do|remaining)\b|[?？]$")


class Claim(msgspec.Struct, frozen=True):
    """A quote and the message that it is from: its number and its record."""

    kind: str
    text: str
    seq: int
    record: str


def find_claims(messages: Sequence[Message]) -> list[Claim]:
    """The claims of some messages, in order; what was said on abandoned branches is left out, and nothing is said twice."""
    said = [message for message in messages if message.seq is not None and not message.abandoned and message.kind is None]
    found: list[Claim] = []
    for turn, last in _turns(said):
        found += _claims_of_turn(turn, last=last)
    seen: set[tuple[str, str]] = set()
    kept: list[Claim] = []
    for claim in found:
        key = (claim.kind, claim.text.casefold())
        if key not in seen:
            seen.add(key)
            kept.append(claim)
    return kept


def _turns(messages: Sequence[Message]) -> Iterator[tuple[list[Message], bool]]:
    """The messages from one prompt to the next, and whether nothing follows."""
    turn: list[Message] = []
    for message in messages:
        if message.role == "user" and any(other.role != "user" for other in turn):
            yield turn, False
            turn = []
        turn.append(message)
    if turn:
        yield turn, True


def _claims_of_turn(turn: Sequence[Message], *, last: bool) -> Iterator[Claim]:
    answers = [message for message in turn if message.role == "assistant"]
    for message in turn:
        if message.role == "user":
            text = _quote(" ".join(bullets(message.text)))
            if text:
                yield _claim(PROMPT, text, message)
        for sentence in _sentences(message.text):
            if _DECISION.search(sentence) and not sentence.endswith(("?", "？")):
                yield _claim(DECISION, _quote(sentence), message)
    if answers:
        yield from _results(answers[-1], last=last)


def _results(answer: Message, *, last: bool) -> Iterator[Claim]:
    """What the last answer of a turn reports, and, at the end of a session, what it leaves open."""
    sentences = [sentence for sentence in _sentences(answer.text) if not _DECISION.search(sentence)]
    plainly = [sentence for sentence in sentences if not _OPEN.search(sentence)]
    told = [sentence for sentence in plainly if _OUTCOME.search(sentence)][:_MAX_OUTCOMES_OF_A_TURN]
    for sentence in told or plainly[:1]:
        yield _claim(OUTCOME, _quote(sentence), answer)
    if last:
        for sentence in sentences:
            if _OPEN.search(sentence):
                yield _claim(QUESTION, _quote(sentence), answer)


def _sentences(text: str) -> list[str]:
    """The sentences of a text without code, tables, headings and quotes."""
    found = (sentence.strip() for item in bullets(text) for sentence in _SENTENCE.split(item))
    return [sentence for sentence in found if len(sentence) >= _SHORTEST]


def _quote(text: str) -> str:
    return clip(plain(text))


def _claim(kind: str, text: str, message: Message) -> Claim:
    return Claim(kind, text, message.seq or 0, message.record or "")
