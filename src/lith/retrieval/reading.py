"""`read`: the messages of a session, around one of them or from a place on, whole or within a budget.

Called by `ops`. It answers from the map alone; the texts are the scrubbed ones.
"""

from collections.abc import Sequence

import apsw
import msgspec

from lith.errors import AnchorNotFound, SessionNotFound, UsageError
from lith.kernel.ids import unpack
from lith.kernel.text import fold, parse_query, query_terms
from lith.kernel.tokens import estimate_tokens
from lith.records.address import parse_address
from lith.records.record import Kind
from lith.records.scope import Scope
from lith.retrieval.answers import Message, Profile, ReadResult
from lith.retrieval.fitting import LEAST_TOKENS, Fitted, cut, share_tokens
from lith.retrieval.moments import when
from lith.retrieval.requests import DEFAULT_CONTEXT, FindRequest, ReadRequest
from lith.retrieval.searching import search_ranked
from lith.retrieval.sessions import describe, resolve_session
from lith.retrieval.wording import readable_text
from lith.store.map import read
from lith.store.map.read import DocumentRow, SessionRow

DEFAULT_LIMIT = 50
MAX_LIMIT = 10_000

_ENVELOPE_TOKENS = 40  # of an answer, beside the session and its messages


class _Anchor(msgspec.Struct, frozen=True):
    """Where a reading begins: a message number, the document meant (a call, perhaps), and what to keep in sight of it."""

    seq: int
    doc_id: int | None = None
    terms: tuple[str, ...] = ()


def read_session(connection: apsw.Connection, request: ReadRequest) -> ReadResult:
    """A part of a session.

    Raises `UsageError`, `AnchorNotFound`, and what resolving an address raises.
    """
    _check(request)
    ref = resolve_session(connection, request.address)
    session = read.find_session(connection, ref)
    if session is None:
        raise SessionNotFound(f"there is no session {ref!r} in the map")
    numbers = read.message_numbers(connection, session.session_id)
    anchor = _find_anchor(connection, session, numbers, request)
    low, high = _window(numbers, anchor, request)
    shown = numbers[low:high]
    documents = _load(connection, session, shown, anchor, request)
    profile = []
    if anchor is None and request.offset == 0:
        profile = read.load_others(connection, session.session_id, [Kind.PROFILE])
    about = describe(session)
    budget = None if request.max_tokens is None else max(request.max_tokens - _tokens(about) - _ENVELOPE_TOKENS, 1)
    kept, texts = _fit([*profile, *documents], anchor, budget)
    messages = [_message(row, texts[row.doc_id], anchor) for row in kept if row.kind != Kind.PROFILE]
    following = _following(numbers, kept, low, high)
    return ReadResult(
        session=about,
        messages=messages,
        total=len(numbers),
        next_offset=following if following < len(numbers) else None,
        profile=[_profile(row, texts[row.doc_id]) for row in kept if row.kind == Kind.PROFILE],
    )


def _check(request: ReadRequest) -> None:
    seq = parse_address(request.address).seq
    given = [request.at is not None or seq is not None, request.query is not None, request.offset != 0]
    if sum(given) > 1 or (request.at is not None and seq is not None and request.at != seq):
        raise UsageError("give one place to read from: a message number, a query, or an offset")
    for name, value, least in (
        ("offset", request.offset, 0),
        ("limit", request.limit, 1),
        ("before", request.before, 0),
        ("after", request.after, 0),
        ("max_tokens", request.max_tokens, 1),
    ):
        if value is not None and value < least:
            raise UsageError(f"{name} is {least} or more, not {value}")


def _find_anchor(
    connection: apsw.Connection, session: SessionRow, numbers: Sequence[int], request: ReadRequest
) -> _Anchor | None:
    at = request.at if request.at is not None else parse_address(request.address).seq
    if at is not None:
        if at not in numbers:
            valid = f"its messages are #{numbers[0]} to #{numbers[-1]}" if numbers else "it has no messages"
            raise AnchorNotFound(f"{session.ref} has no message #{at}", hint=valid, next=[["lith", "read", session.ref]])
        return _Anchor(at)
    if request.query is None:
        return None
    query = parse_query(request.query)
    if not query.items and not query.literals:
        raise UsageError("there is nothing to search for", hint="give a word, a name, or a phrase in quotes")
    asked = FindRequest(query=request.query, scope=Scope(sessions=(session.ref,)))
    for candidate in search_ranked(connection, query, asked).candidates:
        document = candidate.document
        if document.kind != Kind.PROFILE and document.seq is not None:
            return _Anchor(document.seq, document.doc_id, query_terms(query))
    raise AnchorNotFound(
        f"nothing in {session.ref} matches {request.query!r}",
        hint="read it from the beginning, or look in all sessions",
        next=[["lith", "read", session.ref], ["lith", "find", request.query]],
    )


def _window(numbers: Sequence[int], anchor: _Anchor | None, request: ReadRequest) -> tuple[int, int]:
    """Which of the messages to show, as a half-open range of places in their list."""
    limit = min(request.limit or DEFAULT_LIMIT, MAX_LIMIT)
    if anchor is None:
        low = min(request.offset, len(numbers))
        return low, min(low + limit, len(numbers))
    place = numbers.index(anchor.seq)
    before = DEFAULT_CONTEXT if request.before is None else request.before
    after = DEFAULT_CONTEXT if request.after is None else request.after
    if request.limit is not None:
        before = min(before, limit - 1)
        after = min(after, limit - 1 - before)
    return max(place - before, 0), min(place + after + 1, len(numbers))


def _load(
    connection: apsw.Connection, session: SessionRow, shown: Sequence[int], anchor: _Anchor | None, request: ReadRequest
) -> list[DocumentRow]:
    """The documents to show, in order: messages, each followed by its calls where these are asked for or are the anchor's."""
    if not shown:  # a session without a message may still have calls
        return (
            read.load_others(connection, session.session_id, [Kind.CALL, Kind.RESULT])
            if request.calls and not request.offset
            else []
        )
    messages = read.load_messages(connection, session.session_id, first=shown[0], last=shown[-1])
    kinds = [Kind.CALL, Kind.RESULT]
    if request.calls:
        first = 0 if anchor is None and request.offset == 0 else shown[0]
        others = read.load_others(connection, session.session_id, kinds, first=first, last=shown[-1])
    elif anchor is not None:
        others = read.load_others(connection, session.session_id, kinds, first=anchor.seq, last=anchor.seq)
    else:
        others = []
    return sorted([*messages, *others], key=lambda row: (row.seq or 0, row.kind != Kind.MESSAGE))


def _fit(
    documents: Sequence[DocumentRow], anchor: _Anchor | None, budget: int | None
) -> tuple[list[DocumentRow], dict[int, Fitted]]:
    """The documents that a budget of tokens holds, and the text of each, with its middle cut where it is too long."""
    texts = {row.doc_id: readable_text(row) for row in documents}
    if budget is None or not documents:
        return list(documents), {doc_id: Fitted(text) for doc_id, text in texts.items()}
    frame = max(
        _tokens(_message(row, Fitted("", row.length), anchor)) for row in documents
    )  # what a message costs beside its text
    kept = _nearest(documents, anchor, max(budget // (LEAST_TOKENS + frame), 1))
    favourite = next((number for number, row in enumerate(kept) if _is_anchor(row, anchor)), None)
    sizes = [estimate_tokens(texts[row.doc_id]) for row in kept]
    fitted = {}
    for number, (row, share) in enumerate(
        zip(kept, share_tokens(sizes, budget - frame * len(kept), favourite=favourite), strict=True)
    ):
        around = _sight(texts[row.doc_id], anchor.terms) if anchor is not None and number == favourite else None
        fitted[row.doc_id] = cut(texts[row.doc_id], share, around=around)
    return kept, fitted


def _tokens(value: msgspec.Struct) -> int:
    return estimate_tokens(msgspec.json.encode(value).decode())


def _nearest(documents: Sequence[DocumentRow], anchor: _Anchor | None, count: int) -> list[DocumentRow]:
    """So many of the documents, those around the anchor, or else the first."""
    place = next((number for number, row in enumerate(documents) if _is_anchor(row, anchor)), 0)
    start = max(min(place - (count - 1) // 2, len(documents) - count), 0)
    return list(documents[start : start + count])


def _is_anchor(row: DocumentRow, anchor: _Anchor | None) -> bool:
    if anchor is None:
        return False
    if anchor.doc_id is not None:
        return row.doc_id == anchor.doc_id
    return row.kind == Kind.MESSAGE and row.seq == anchor.seq


def _sight(text: str, terms: Sequence[str]) -> int | None:
    """About where the first of some terms stands in a text."""
    folded = fold(text)
    places = [place for term in terms if (place := folded.find(term.rstrip("*"))) >= 0]
    return min(places) * len(text) // len(folded) if places else None


def _following(numbers: Sequence[int], kept: Sequence[DocumentRow], low: int, high: int) -> int:
    """The place in the list of messages after the last one shown."""
    last = max((row.seq for row in kept if row.kind == Kind.MESSAGE and row.seq is not None), default=None)
    return high if last is None else numbers.index(last, low) + 1


def _message(row: DocumentRow, fitted: Fitted, anchor: _Anchor | None) -> Message:
    return Message(
        seq=row.seq,
        role=row.role,
        timestamp=when(row.timestamp),
        text=fitted.text,
        elided=fitted.elided,
        kind=None if row.kind == Kind.MESSAGE else row.kind,
        tool=row.tool,
        record=unpack(row.record_id),
        abandoned=bool(row.abandoned),
        anchor=_is_anchor(row, anchor),
    )


def _profile(row: DocumentRow, fitted: Fitted) -> Profile:
    return Profile(
        label=row.label, text=fitted.text, elided=fitted.elided, timestamp=when(row.timestamp), record=unpack(row.record_id)
    )
