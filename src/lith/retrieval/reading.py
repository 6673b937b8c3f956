"""`read`: the messages of a session, around one of them or from a place on, whole or within a budget.

Called by `ops`. It answers from the map alone; the texts are the scrubbed ones.
"""

from collections.abc import Sequence

import apsw
import msgspec

from lith.errors import SessionNotFound, UsageError
from lith.kernel.ids import unpack
from lith.kernel.text import fold
from lith.kernel.tokens import estimate_tokens
from lith.records.address import parse_address
from lith.records.record import Kind
from lith.retrieval.anchors import Anchor, find_anchor, is_anchor
from lith.retrieval.answers import Message, Profile, ReadResult
from lith.retrieval.fitting import Fitted, cut, share_tokens, take_from
from lith.retrieval.moments import when
from lith.retrieval.requests import DEFAULT_CONTEXT, ReadRequest
from lith.retrieval.sessions import describe, resolve_session
from lith.retrieval.wording import ABOUT_ALL, readable_text
from lith.store.map import read
from lith.store.map.read import DocumentRow, SessionRow

DEFAULT_LIMIT = 50
MAX_LIMIT = 10_000

_ENVELOPE_TOKENS = 40  # of an answer, beside the session and its messages


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
    anchor = find_anchor(connection, session, numbers, request)
    low, high = _window(numbers, anchor, request)
    shown = numbers[low:high]
    profiles = read.load_profiles(connection, session.session_id)
    titles = [row for row in profiles if row.label in ABOUT_ALL and anchor is None and request.offset == 0]
    places = {0, *shown} if low == 0 else {*shown}
    placed = [row for row in profiles if row.label not in ABOUT_ALL and (row.seq or 0) in places]
    documents = sorted([*_load(connection, session, shown, anchor, request), *placed], key=_order)
    about = describe(session)
    budget = None if request.max_tokens is None else max(request.max_tokens - _tokens(about) - _ENVELOPE_TOKENS, 1)
    kept_titles, kept, texts = _fit(titles, documents, anchor, budget)
    following = _following(numbers, kept, low, high)
    coming = numbers[following] if following < len(numbers) else None
    dropped = [row for row in documents if row.doc_id not in texts and (coming is None or (row.seq or 0) < coming)]
    return ReadResult(
        session=about,
        messages=[_message(row, texts[row.doc_id], anchor) for row in kept],
        total=len(numbers),
        next_offset=following if following < len(numbers) else None,
        left_out=len(titles) - len(kept_titles) + len(dropped),
        profile=[_profile(row, texts[row.doc_id]) for row in kept_titles],
    )


def _check(request: ReadRequest) -> None:
    seq = parse_address(request.address).seq
    anchored = request.at is not None or seq is not None or request.query is not None
    if (anchored and request.offset) or (request.at is not None and seq is not None and request.at != seq):
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


def _window(numbers: Sequence[int], anchor: Anchor | None, request: ReadRequest) -> tuple[int, int]:
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
    connection: apsw.Connection, session: SessionRow, shown: Sequence[int], anchor: Anchor | None, request: ReadRequest
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
    return [*messages, *others]


def _order(row: DocumentRow) -> tuple[int, int]:
    """A message comes first, then what was called in it, then what was written about it."""
    return row.seq or 0, (Kind.MESSAGE, Kind.CALL, Kind.RESULT, Kind.PROFILE).index(Kind(row.kind))


def _fit(
    titles: Sequence[DocumentRow], documents: Sequence[DocumentRow], anchor: Anchor | None, budget: int | None
) -> tuple[list[DocumentRow], list[DocumentRow], dict[int, Fitted]]:
    """The titles and the documents that a budget of tokens holds, and the text of each, with its middle cut where it is too long."""
    if not titles and not documents:
        return [], [], {}
    texts = {row.doc_id: readable_text(row) for row in (*titles, *documents)}
    if budget is None:
        return list(titles), list(documents), {doc_id: Fitted(text) for doc_id, text in texts.items()}
    sizes = {doc_id: estimate_tokens(text) for doc_id, text in texts.items()}
    # What a message costs beside its text.
    frame = max(_tokens(_message(row, Fitted("", row.length), anchor)) for row in (*titles, *documents))
    whole = sum(sizes.values()) + frame * len(sizes)
    few = list(titles)
    if whole > budget:
        few = few[slice(*take_from([sizes[row.doc_id] for row in few], frame, budget // 4, 0))] if budget > 4 * frame else []
    rest = budget - sum(frame + min(sizes[row.doc_id], budget // 4 // len(few)) for row in few)
    kept = _take(documents, [sizes[row.doc_id] for row in documents], frame, rest, anchor)
    shown = [*few, *kept]
    favourite = next((number for number, row in enumerate(shown) if is_anchor(row, anchor)), None)
    shares = share_tokens([sizes[row.doc_id] for row in shown], budget - frame * len(shown), favourite=favourite)
    hint = f"; --max-tokens {_rounded_up(whole + _ENVELOPE_TOKENS)} shows all"
    fitted = {}
    for row, share in zip(shown, shares, strict=True):
        around = _sight(texts[row.doc_id], anchor.terms) if anchor is not None else None
        fitted[row.doc_id] = cut(texts[row.doc_id], share, around=around, hint=hint)
    return few, kept, fitted


def _take(
    documents: Sequence[DocumentRow], sizes: Sequence[int], frame: int, budget: int, anchor: Anchor | None
) -> list[DocumentRow]:
    """The documents that a budget holds: those round the anchor, or else the first; where there is a message, at least one."""
    place = next((number for number, row in enumerate(documents) if is_anchor(row, anchor)), None)
    if place is not None:
        return list(documents[slice(*take_from(sizes, frame, budget, place))])
    first = next((number for number, row in enumerate(documents) if row.kind == Kind.MESSAGE), 0)
    end = take_from(sizes, frame, budget, 0)[1]
    if end <= first:
        return list(documents[first : first + 1])
    if end < len(documents):  # a message and its calls are not torn apart, unless there is but the one
        starts = [number for number in range(first + 1, end + 1) if documents[number].kind == Kind.MESSAGE]
        end = starts[-1] if starts else end
    return list(documents[:end])


def _rounded_up(tokens: int) -> int:
    return -(-(tokens * 11 // 10) // 500) * 500


def _tokens(value: msgspec.Struct) -> int:
    return estimate_tokens(msgspec.json.encode(value).decode())


def _sight(text: str, terms: Sequence[str]) -> int | None:
    """About where the first of some terms stands in a text."""
    folded = fold(text)
    places = [place for term in terms if (place := folded.find(term.rstrip("*"))) >= 0]
    return min(places) * len(text) // len(folded) if places else None


def _following(numbers: Sequence[int], kept: Sequence[DocumentRow], low: int, high: int) -> int:
    """The place in the list of messages after the last one shown."""
    last = max((row.seq for row in kept if row.kind == Kind.MESSAGE and row.seq is not None), default=None)
    return high if last is None else numbers.index(last, low) + 1


def _message(row: DocumentRow, fitted: Fitted, anchor: Anchor | None) -> Message:
    return Message(
        seq=row.seq if row.kind != Kind.PROFILE else None,
        role=row.role,
        timestamp=when(row.timestamp),
        text=fitted.text,
        elided=fitted.elided,
        kind=_kind(row),
        tool=row.tool,
        record=unpack(row.record_id),
        abandoned=bool(row.abandoned),
        anchor=is_anchor(row, anchor),
    )


def _kind(row: DocumentRow) -> str | None:
    if row.kind == Kind.MESSAGE:
        return None
    return row.label if row.kind == Kind.PROFILE and row.label else row.kind


def _profile(row: DocumentRow, fitted: Fitted) -> Profile:
    return Profile(
        label=row.label, text=fitted.text, elided=fitted.elided, timestamp=when(row.timestamp), record=unpack(row.record_id)
    )
