"""What reading operations are asked: values that a face fills and a reading module answers. Pure."""

import msgspec

from lith.records.record import SessionKind
from lith.records.scope import Scope

DEFAULT_LIMIT = 10
DEFAULT_CONTEXT = 2
DEFAULT_TOKENS = 4_000
"""The budget of a reading for which none is given: a session can be as long as a book."""
LISTED_KINDS = (SessionKind.MAIN, SessionKind.SUBAGENT)


class FindRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A search.

    `cursor` is the `next_cursor` of the page before. `fields` names the fields of a result to give (none: all). `max_tokens` bounds the
    whole answer. `near` is the directory that the question is asked from: a hint for the order, not a condition. `explain` adds the parts
    of every score, `facets` the terms that the threads of the results share. `data_dir` is repeated in the commands of the answer, where
    it is not the default.
    """

    query: str
    scope: Scope = Scope()
    limit: int = DEFAULT_LIMIT
    cursor: str | None = None
    fields: tuple[str, ...] = ()
    max_tokens: int | None = None
    near: str | None = None
    explain: bool = False
    facets: bool = False
    data_dir: str | None = None


class ReadRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Messages of one session.

    `address` is a session or a message (`REF#12`), whole or a unique prefix. At most one of `at` (a message number), `query` (the best
    match in the session) and `offset` (a place in the list of messages) says where; beside `at`, the words of `query` are kept in sight
    where a text is cut. `before` and `after` say how many messages round an anchor. `calls` puts calls between the messages; those of an
    anchor are always given. `max_tokens` bounds the answer: long messages are cut in their middle, and what has no room is the next part;
    None gives every text whole.
    """

    address: str
    at: int | None = None
    query: str | None = None
    offset: int = 0
    limit: int | None = None
    before: int | None = None
    after: int | None = None
    calls: bool = False
    max_tokens: int | None = None


class ListRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A list of sessions, the newest first. `kinds` are the kinds of sessions to list; `fields` names the fields to give (none: all)."""

    scope: Scope = Scope()
    kinds: tuple[SessionKind, ...] = LISTED_KINDS
    limit: int = 20
    cursor: str | None = None
    fields: tuple[str, ...] = ()
