"""`read`: the messages of one session."""

from lith import retrieval
from lith.ops.runtime import Runtime
from lith.retrieval.answers import ReadResult
from lith.retrieval.requests import ReadRequest as Asked


class ReadRequest(Asked, frozen=True, kw_only=True):
    """As `retrieval.requests.ReadRequest`: the words of whoever asks are already its values."""


def read(request: ReadRequest, runtime: Runtime) -> ReadResult:
    """A part of a session. Raises `SessionNotFound`, `AmbiguousAddress`, `AnchorNotFound`, `UsageError`, `NoMap`."""
    with runtime.reading() as connection:
        return retrieval.read_session(connection, request)
