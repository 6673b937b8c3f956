"""`read`: the messages of one session."""

import msgspec

from lith import retrieval
from lith.errors import UsageError
from lith.ops.runtime import Runtime
from lith.records.address import parse_address
from lith.retrieval.answers import ReadResult
from lith.retrieval.requests import DEFAULT_TOKENS
from lith.retrieval.requests import ReadRequest as Asked


class ReadRequest(Asked, frozen=True, kw_only=True):
    """As `retrieval.requests.ReadRequest`, but that an answer without a budget is bounded all the same (see `DEFAULT_TOKENS`)."""


def read(request: ReadRequest, runtime: Runtime) -> ReadResult:
    """A part of a session. Raises `SessionNotFound`, `AmbiguousAddress`, `AnchorNotFound`, `UsageError`, `NoMap`."""
    _check_places(request, runtime)
    bounded = request if request.max_tokens is not None else msgspec.structs.replace(request, max_tokens=DEFAULT_TOKENS)
    with runtime.reading() as connection:
        return retrieval.read_session(connection, bounded)


def _check_places(request: ReadRequest, runtime: Runtime) -> None:
    """Refuse two places to read from, with a command for each of them."""
    seq = parse_address(request.address).seq
    places = [] if request.at is None or request.at == seq else [["--at", str(request.at)]]
    anchored = request.at is not None or seq is not None
    # With a message number a query is no second place: it says which part of a long message to show.
    places += [] if request.query is None or anchored else [["--query", request.query]]
    places += [["--offset", str(request.offset)]] if request.offset else []
    if len(places) + (seq is not None) > 1:
        ref = request.address.strip().rpartition("#")[0] if seq is not None else request.address.strip()
        raise UsageError(
            "two places to read from were given",
            hint="give one: a message number (--at, or # in the address), --query, or --offset",
            next=[runtime.argv("read", ref, *place) for place in places],
        )
