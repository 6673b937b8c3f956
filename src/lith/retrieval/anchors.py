"""Where in a session a reading begins: the message that was named, or the place that a query finds.

Called by `reading`.
"""

from collections.abc import Sequence

import apsw
import msgspec

from lith.errors import AnchorNotFound
from lith.kernel.text import query_terms
from lith.records.address import parse_address
from lith.records.record import Kind
from lith.records.scope import Scope
from lith.retrieval.questions import parse_question
from lith.retrieval.requests import FindRequest, ReadRequest
from lith.retrieval.searching import search_ranked
from lith.store.map.read import DocumentRow, SessionRow


class Anchor(msgspec.Struct, frozen=True):
    """Where a reading begins: a message number, the document meant (a call, perhaps), and what to keep in sight of it."""

    seq: int
    doc_id: int | None = None
    terms: tuple[str, ...] = ()


def find_anchor(connection: apsw.Connection, session: SessionRow, numbers: Sequence[int], request: ReadRequest) -> Anchor | None:
    """The anchor of a reading, None for one from a place on. Raises `AnchorNotFound`, and `UsageError` for a query without a word."""
    at = request.at if request.at is not None else parse_address(request.address).seq
    if at is not None:
        if at not in numbers:
            valid = f"its messages are #{numbers[0]} to #{numbers[-1]}" if numbers else "it has no messages"
            raise AnchorNotFound(f"{session.ref} has no message #{at}", hint=valid, next=[["lith", "read", session.ref]])
        return Anchor(at, terms=query_terms(parse_question(request.query)) if request.query is not None else ())
    if request.query is None:
        return None
    query = parse_question(request.query)
    asked = FindRequest(query=request.query, scope=Scope(sessions=(session.ref,)))
    for candidate in search_ranked(connection, query, asked).candidates:
        document = candidate.document
        if document.kind != Kind.PROFILE and document.seq is not None:
            return Anchor(document.seq, document.doc_id, query_terms(query))
    raise AnchorNotFound(
        f"nothing in {session.ref} matches {request.query!r}",
        hint="read it from the beginning, or look in all sessions",
        next=[["lith", "read", session.ref], ["lith", "find", *["--"] * request.query.startswith("-"), request.query]],
    )


def is_anchor(row: DocumentRow, anchor: Anchor | None) -> bool:
    """Whether a document is the anchor itself."""
    if anchor is None:
        return False
    if anchor.doc_id is not None:
        return row.doc_id == anchor.doc_id
    return row.kind == Kind.MESSAGE and row.seq == anchor.seq
