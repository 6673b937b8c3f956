"""`list`: sessions, the latest first."""

import msgspec

from lith import retrieval
from lith.errors import UsageError
from lith.ops.absence import explain_absence
from lith.ops.runtime import Runtime
from lith.ops.selection import Selection, to_scope
from lith.records.record import SessionKind
from lith.retrieval.answers import ListResult, Nothing
from lith.retrieval.requests import LISTED_KINDS
from lith.retrieval.requests import ListRequest as Asked

DEFAULT_LIMIT = 20
MAX_LIMIT = 1_000

_ENVELOPE_TOKENS = 40  # of an answer, beside its sessions


class ListRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the sessions of a selection.

    `kinds` names the kinds of sessions (none: what people and their agents said, no warm-ups and no automatic reviews), `fields` the
    fields to give (none: all). `max_tokens` bounds the answer: a page is shorter where it would go beyond, but never empty.
    """

    selection: Selection = Selection()
    kinds: tuple[str, ...] = ()
    limit: int = DEFAULT_LIMIT
    cursor: str | None = None
    fields: tuple[str, ...] = ()
    max_tokens: int | None = None


class ListAnswer(ListResult, frozen=True, kw_only=True, omit_defaults=True):
    """As `ListResult`; `nothing` says why there is no session at all."""

    nothing: Nothing | None = None


def list_sessions(request: ListRequest, runtime: Runtime) -> ListAnswer:
    """Sessions, the latest first. Raises `UsageError`, `BadSelector`, `NoMap` and what else reading the map raises."""
    kinds = _kinds(request)
    scope = to_scope(request.selection, runtime)
    asked = Asked(scope=scope, kinds=kinds, limit=request.limit, cursor=request.cursor, fields=request.fields)
    with runtime.reading() as connection:
        page = retrieval.list_sessions(connection, asked)
        fitting = len(page.items) if request.max_tokens is None else _count_fitting(page, request.max_tokens)
        if fitting < len(page.items):
            page = retrieval.list_sessions(connection, msgspec.structs.replace(asked, limit=fitting))
        nothing = None
        if not page.total:
            nothing = explain_absence(connection, "list", request.selection, scope, kinds, runtime)
    return ListAnswer(items=page.items, total=page.total, next_cursor=page.next_cursor, nothing=nothing)


def _kinds(request: ListRequest) -> tuple[SessionKind, ...]:
    try:
        kinds = tuple(dict.fromkeys(SessionKind(word) for word in request.kinds)) or LISTED_KINDS
    except ValueError:
        raise UsageError(
            f"--kind: {', '.join(request.kinds)} is not among the kinds of sessions", hint=f"they are {', '.join(SessionKind)}"
        ) from None
    if request.kinds and not request.selection.subagents and SessionKind.SUBAGENT in kinds:
        raise UsageError("--kind subagent and --no-subagents exclude each other", hint="leave one of them out")
    return kinds


def _count_fitting(page: ListResult, max_tokens: int) -> int:
    """How many sessions of a page a budget holds, but always one."""
    from lith.kernel.tokens import estimate_tokens  # noqa: PLC0415 -- most lists have no budget

    left = max_tokens - _ENVELOPE_TOKENS
    for number, item in enumerate(page.items):
        left -= estimate_tokens(msgspec.json.encode(item).decode())
        if left < 0:
            return max(number, 1)
    return len(page.items)
