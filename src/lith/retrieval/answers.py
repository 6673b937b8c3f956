"""What reading operations answer: the output contract, field by field.

Built by the modules of this room, encoded by faces. Times are ISO 8601 in UTC; a field that has nothing to say is left out.
"""

from collections.abc import Sequence
from typing import TypeVar

import msgspec

from lith.errors import UsageError

_Fields = TypeVar("_Fields", bound=msgspec.Struct)


class Evidence(msgspec.Struct, frozen=True):
    """The command that reads what a result was made from."""

    argv: list[str]
    side_effect: str


class Coverage(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the map can vouch for.

    `state` is `missing` where a requested client was never synced, else `not_checked`: only `status` looks at the disk.
    """

    requested: str
    state: str
    pending_files: int
    failed_files: int
    last_sync: str | None = None


class Hit(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One result: a message, a call, a result or a text about a session.

    `kind` is the session's: `main` or `subagent`; `parent` is where a sub-agent or a fork came from. `also_in` are the other sessions
    that hold a copy of it. `tool` is given for calls, `label` for texts about a session. `parts` are the parts of the score.
    """

    rank: int | None = None
    score: float | None = None
    session_ref: str | None = None
    source: str | None = None
    project: str | None = None
    cwd: str | None = None
    title: str | None = None
    started_at: str | None = None
    ended_at: str | None = None
    match_source: str | None = None
    thread: str | None = None
    record: str | None = None
    seq: int | None = None
    role: str | None = None
    timestamp: str | None = None
    snippet: str | None = None
    matched_fields: list[str] | None = None
    message_count: int | None = None
    kind: str | None = None
    parent: str | None = None
    tool: str | None = None
    label: str | None = None
    abandoned: bool = False
    source_state: str | None = None
    also_in: list[str] = []
    evidence: Evidence | None = None
    parts: dict[str, float] = {}


class Obstacle(msgspec.Struct, frozen=True, omit_defaults=True):
    """A condition of the scope that keeps results away, and the `total` of the search without it (`capped`: of documents, not results)."""

    name: str
    without: int
    capped: bool = False


class Nothing(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why nothing was found.

    `reason` is `nothing_indexed`, `not_synced`, `scope_too_narrow`, `over_constrained` or `no_match`. `conditions` are those that keep
    results away. `suggestions` are queries near the one that was asked, of words that the map has. `next` are commands that would help.
    """

    reason: str
    message: str
    conditions: list[Obstacle] = []
    suggestions: list[str] = []
    next: list[list[str]] = []


class FindResult(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A page of results.

    `total` counts results (copies once); where `capped`, it counts matching documents, and pages end before all of them were shown.
    `match_mode` is what the best of them fulfils (`phrase`, `all`, `some`, `literal`), `tiers` how many of the total fulfil that much and
    no more. `ended` says on the last page why there is no next one although `total` has not been reached. `facets`, where asked for, are
    terms that the threads of the page share, by kind.
    """

    results: list[Hit]
    total: int
    capped: bool
    match_mode: str | None = None
    tiers: dict[str, int] = {}
    coverage: Coverage
    next_cursor: str | None = None
    ended: str | None = None
    nothing: Nothing | None = None
    facets: dict[str, list[str]] = {}


class SessionInfo(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One session. `kind` is `main`, `subagent`, `review` or `warmup`; `source_state` is `gone` where its file is no longer there.

    It is `archived` where the archive holds it then.
    """

    session_ref: str | None = None
    source: str | None = None
    kind: str | None = None
    parent: str | None = None
    project: str | None = None
    worktree: str | None = None
    cwd: str | None = None
    branch: str | None = None
    title: str | None = None
    started_at: str | None = None
    ended_at: str | None = None
    messages: int | None = None
    user_messages: int | None = None
    calls: int | None = None
    records: int | None = None
    model: str | None = None
    version: str | None = None
    agent: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    source_state: str | None = None


class Message(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One message or, where `kind` is given, what stands beside them: a `call` or its `result`, a `compaction`, a `recap`.

    `elided` characters were cut from the middle of `text`, which says so in their place.
    """

    seq: int | None = None
    role: str | None = None
    timestamp: str | None = None
    text: str
    elided: int = 0
    kind: str | None = None
    tool: str | None = None
    record: str | None = None
    abandoned: bool = False
    anchor: bool = False


class Profile(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A text about the whole session: a title, a summary. What has a place in the conversation stands among its messages."""

    label: str | None = None
    text: str
    elided: int = 0
    timestamp: str | None = None
    record: str | None = None


class ReadResult(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part of a session. `total` counts its messages; `next_offset` is where the part after this one begins.

    `left_out` counts what was asked for and is neither here nor in the part after this one, for want of room.
    """

    session: SessionInfo
    messages: list[Message]
    total: int
    next_offset: int | None = None
    left_out: int = 0
    profile: list[Profile] = []


class ListResult(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A page of sessions; `total` counts all of them."""

    items: list[SessionInfo]
    total: int
    next_cursor: str | None = None


class Counts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Sums over some sessions; a sum of nothing is 0, and is given."""

    name: str | None = None
    sessions: int
    subagents: int
    gone: int
    messages: int
    user_messages: int
    calls: int
    records: int
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    first: str | None = None
    last: str | None = None


class FileCounts(msgspec.Struct, frozen=True, kw_only=True):
    """Sums over raw files, as they were at the last sync."""

    files: int
    gone_files: int
    failed_files: int
    skipped_files: int
    bytes: int


class Tokens(msgspec.Struct, frozen=True, omit_defaults=True):
    """Tokens that were used, and in how many model calls (or steps of a running total)."""

    name: str | None = None
    model_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0


class UsageResult(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens of a scope: all of it, by day of the user (the latest first), by project and by session (the biggest ones)."""

    total: Tokens
    days: list[Tokens]
    projects: list[Tokens]
    sessions: list[Tokens]


class StatsResult(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Sums over a scope: all of it, by client, by project (the biggest ones). Files are those of the scope's clients.

    `usage` is given where it was asked for: unlike the sums over sessions it counts no model call twice.
    """

    total: Counts
    sources: list[Counts]
    projects: list[Counts]
    files: FileCounts
    map_bytes: int
    last_sync: str | None = None
    usage: UsageResult | None = None


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where a record's bytes are, and what the file was when they were read: `offset` and `length` in the decompressed file."""

    source: str
    path: str
    state: str
    offset: int
    length: int
    line: int
    hash: str
    dev: int
    inode: int
    size: int
    mtime_ns: int
    ctime_ns: int


class RecordPlaces(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A record and where its bytes are, the best copy first."""

    record: str
    session_ref: str | None = None
    places: list[Place]


def check_fields(fields: Sequence[str], struct: type[msgspec.Struct]) -> None:
    """Check that every name is a field of `struct`. Raises `UsageError`, naming those that are."""
    for name in fields:
        if name not in struct.__struct_fields__:
            raise UsageError(f"there is no field {name!r}", hint=f"the fields are {', '.join(struct.__struct_fields__)}")


def keep_fields(value: _Fields, fields: Sequence[str]) -> _Fields:
    """`value` with only the named fields (none named: all of them)."""
    if not fields:
        return value
    return type(value)(**{name: getattr(value, name) for name in fields})
