"""From ranked candidates to results on a page: snippets, evidence, and a size that a model can afford.

`searching` calls it. Snippets are made from the text of documents; a page of ten results stays below 8 KB of JSON, however long titles,
paths and words are.
"""

from collections.abc import Mapping, Sequence

import apsw
import msgspec

from lith.kernel.ids import Packed, unpack
from lith.kernel.text import snippet
from lith.records.record import Kind
from lith.retrieval.answers import Evidence, Hit, keep_fields
from lith.retrieval.candidates import CHARACTERS
from lith.retrieval.moments import when
from lith.retrieval.ranking import Candidate
from lith.retrieval.requests import DEFAULT_LIMIT, FindRequest
from lith.retrieval.wording import ABOUT_ALL, fields_of
from lith.store.map.read import DocumentRow, SessionRow, find_places, load_documents
from lith.store.map.threads import find_thread_ids

RESULT_BYTES = 775
"""Room of one result in JSON, on average over a page of ten or more; fewer results have the room of ten."""
SNIPPET = 220
TITLE = 80

_TITLE_SHARE = 0.3
_LEAST_TITLE = 60  # characters
_LEAST_TITLE_BYTES = 96
_LEAST_SNIPPET = 64  # bytes
_NARROWEST = 16  # characters
_SHORT = 96  # characters of a snippet, where tokens are scarce
_ENVELOPE_TOKENS = 110
_RESULT_TOKENS = 320  # of a long one
_encode = msgspec.json.encode


def present(
    connection: apsw.Connection, page: Sequence[Candidate], terms: Sequence[str], request: FindRequest, *, first_rank: int
) -> list[Hit]:
    """The results of a page; fewer than it holds where its size or `max_tokens` ends before it. No field is left out for want of room."""
    cut = [c.document.doc_id for c in page if c.document.length > CHARACTERS]
    whole = load_documents(connection, cut) if cut else {}
    threads = find_thread_ids(connection, [(one.session.session_id, one.document.record_id) for one in page])
    placed = [one for one in page if one.document.kind == Kind.PROFILE and one.document.label not in ABOUT_ALL]
    places = find_places(connection, [(one.session.session_id, one.document.record_id) for one in placed]) if placed else {}
    bare = [_bare(candidate, first_rank + number, request, threads, places) for number, candidate in enumerate(page)]
    asked, fitting = len(page), _count_fitting(bare, page, request)
    bare, page = bare[:fitting], page[:fitting]
    room = _room(bare, asked, request)
    title_room = int(room / max(len(page), 1) * _TITLE_SHARE)
    scarce = request.max_tokens is not None and request.max_tokens < _ENVELOPE_TOKENS + _RESULT_TOKENS * len(page)
    widest = _SHORT if scarce else SNIPPET
    hits = []
    for number, (hit, candidate) in enumerate(zip(bare, page, strict=True)):
        title = _cut_title(candidate.session.title, max(title_room, _least_title(candidate.session.title)))
        document = whole.get(candidate.document.doc_id, candidate.document)
        share = max(room // (len(page) - number) - _size(title), _LEAST_SNIPPET)
        filled = _with_snippet(msgspec.structs.replace(hit, title=title), document, terms, share, widest)
        room -= _size(title) + _size(filled.snippet)
        if request.explain:
            filled = msgspec.structs.replace(filled, parts=_rounded(candidate.parts))
        hits.append(keep_fields(filled, request.fields))
    return hits if request.max_tokens is None else _within(hits, request.max_tokens)


def _rounded(parts: Mapping[str, float]) -> dict[str, float]:
    return {name: rounded for name, part in parts.items() if (rounded := round(part, 4))}


def _count_fitting(bare: Sequence[Hit], page: Sequence[Candidate], request: FindRequest) -> int:
    """How many results a page has room for, each with as much of its title and its snippet as it needs at least; always one."""
    left = RESULT_BYTES * max(len(page), DEFAULT_LIMIT)
    for number, (hit, candidate) in enumerate(zip(bare, page, strict=True)):
        left -= _size(keep_fields(hit, request.fields))
        left -= _least_title(candidate.session.title) * _has("title", request) + _LEAST_SNIPPET * _has("snippet", request)
        if left < 0 and number:
            return number
    return len(page)


def _has(field: str, request: FindRequest) -> bool:
    return not request.fields or field in request.fields


def _least_title(title: str | None) -> int:
    """The bytes of a title that are always shown: 60 characters of most scripts, half as many wide ones."""
    return min(_size((title or "")[:_LEAST_TITLE]) + len("…".encode()), _LEAST_TITLE_BYTES)


def _room(bare: Sequence[Hit], asked: int, request: FindRequest) -> int:
    """What a page leaves for titles and snippets, in bytes."""
    return RESULT_BYTES * max(asked, DEFAULT_LIMIT) - sum(_size(keep_fields(hit, request.fields)) for hit in bare)


def _size(value: object) -> int:
    """Bytes of a value in JSON."""
    return len(_encode(value))


def evidence(session: SessionRow, at: int | None, data_dir: str | None) -> Evidence:
    """The command that reads what a result was made from, round message `at`."""
    argv = ["lith", "read", session.ref]
    if at is not None:
        argv += ["--at", str(at)]
    if data_dir is not None:
        argv += ["--data-dir", data_dir]
    return Evidence(argv, "none")


def _bare(
    candidate: Candidate,
    rank: int,
    request: FindRequest,
    threads: Mapping[tuple[int, Packed], Packed],
    places: Mapping[tuple[int, Packed], int],
) -> Hit:
    """A result with room for its title, its snippet and what matched."""
    document, session = candidate.document, candidate.session
    is_profile = document.kind == Kind.PROFILE
    thread_id = None if is_profile else threads.get((session.session_id, document.record_id))
    at = places.get((session.session_id, document.record_id)) if is_profile else document.seq
    return Hit(
        rank=rank,
        score=round(candidate.score, 3),
        session_ref=session.ref,
        source=session.source,
        project=session.project,
        cwd=session.cwd,
        started_at=when(session.started_at),
        ended_at=when(session.ended_at),
        title="",
        match_source=document.kind,
        thread=None if thread_id is None else f"thread:{unpack(thread_id)}",
        record=unpack(document.record_id),
        seq=document.seq if document.kind != Kind.PROFILE else None,
        role=document.role,
        timestamp=when(document.timestamp),
        snippet="",
        matched_fields=["text"],
        message_count=session.messages,
        kind=session.kind,
        parent=session.parent_ref,
        tool=document.tool,
        label=document.label,
        abandoned=bool(document.abandoned),
        source_state=None if session.state == "live" else session.state,
        also_in=sorted({copy.ref for copy in candidate.copies} - {session.ref}),
        evidence=evidence(session, at, request.data_dir),
    )


def _cut_title(title: str | None, room: int) -> str | None:
    """A title in at most `TITLE` characters and about `room` bytes."""
    if title is None:
        return None
    length = TITLE
    cut = title
    while len(cut) > length or _size(cut) > room + 2:
        length = min(length, len(title) - 1, max(len(cut) * room // _size(cut), 8))
        cut = title[: length - 1].rstrip() + "…"
        if length <= 8:
            break
    return cut


def _with_snippet(hit: Hit, document: DocumentRow, terms: Sequence[str], room: int, widest: int) -> Hit:
    """The result with the best lines of the field that matches best, in about `room` bytes, and the names of all fields that match."""
    width = min(widest, room)
    fields = fields_of(document)
    found = {name: snippet(text, terms, width=width) for name, text in fields.items()}
    best = max(found, key=lambda name: len(found[name].highlights), default=None)
    if best is None:
        return msgspec.structs.replace(hit, snippet=document.tool, matched_fields=["tool"])
    text = found[best].text
    while (size := _size(text)) > room + 2 and width > _NARROWEST:
        width = max(min(width * room // size, width - 4), _NARROWEST)
        text = snippet(fields[best], terms, width=width).text
    matched = [name for name, one in found.items() if one.highlights]
    return msgspec.structs.replace(hit, snippet=text, matched_fields=matched or ["tool" if document.tool else best])


def _within(hits: list[Hit], max_tokens: int) -> list[Hit]:
    """As many results as a budget holds, but always one."""
    from lith.kernel.tokens import estimate_tokens  # noqa: PLC0415 -- most searches have no budget

    left = max_tokens - _ENVELOPE_TOKENS
    kept = 0
    for hit in hits:
        left -= estimate_tokens(_encode(hit).decode())
        if left < 0:
            break
        kept += 1
    return hits[: max(kept, 1)]
