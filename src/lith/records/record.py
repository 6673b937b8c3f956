"""What an adapter makes of one transcript record.

Adapters make these, ingest stores them, and the arrangement of a transcript is computed from them. A record stands alone: it is
made from its own bytes and the context of its file, never from the records around it, so that reading a file in two goes gives
the same as reading it in one.
"""

from enum import IntEnum, StrEnum

import msgspec


class Kind(StrEnum):
    """The kinds of projected text."""

    MESSAGE = "message"  # what a person or a model said
    CALL = "call"  # what a model did: the allow-listed fields of a tool call
    RESULT = "result"  # what came back (projection `work`)
    PROFILE = "profile"  # text about a session: title, summary, compaction


class Role(StrEnum):
    """Who speaks in a message."""

    USER = "user"
    ASSISTANT = "assistant"


class Label(StrEnum):
    """What a profile piece is; the titles in rising order of authority."""

    SUMMARY = "summary"  # an old client's title of a conversation, also written into other sessions' files
    AI_TITLE = "ai_title"
    TITLE = "title"  # set by the user or named by the agent; the last one wins
    COMPACTION = "compaction"
    RECAP = "recap"
    REASONING = "reasoning"  # a readable summary of a model's reasoning, as far as the client shows it


class Piece(msgspec.Struct, frozen=True, array_like=True):
    """One projected text of a record.

    `text` is as the client wrote it (ingest scrubs it). `tool` names the tool of a call or a result. `fields` are the allow-listed
    arguments of a call, in order: (field, value), field one of `command`, `path`, `pattern`, `query`, `url`, `description`, `prompt`,
    `args`. `order` orders the pieces of one message: the block index where the client writes one, else 0, and then the order of
    appearance decides. `native` is true where the client also writes the same text in a second, older form, and this is the form to
    prefer. `message_id` is for records that hold several messages: the pieces of each have one id of their own; elsewhere the record's
    counts.
    """

    kind: Kind
    text: str
    role: Role | None = None
    label: Label | None = None
    tool: str | None = None
    fields: tuple[tuple[str, str], ...] = ()
    order: int = 0
    native: bool = True
    message_id: str | None = None


class Usage(msgspec.Struct, frozen=True, array_like=True):
    """Tokens of one model call, as the client reports them: `input` without the cached part, `output`, `cache_read`,
    `cache_write`.

    `cumulative` marks a counter that runs over the whole session (the last one counts) instead of one call.
    """

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    cumulative: bool = False


class Flag(IntEnum):
    """Bits of `Record.flags`."""

    SIDECHAIN = 1  # a sub-agent's record inside its parent's file
    META = 2  # written by the client, though it has the form of a conversation record
    TURN = 4  # a person's prompt: a new arc of work starts here
    BOUNDARY = 8  # a compaction wall
    CONVERSATION = 16  # a record of the conversation proper (user or assistant), whether it has text or not
    ROLLBACK = 32  # takes back `rollback_turns` turns before it
    HEADER = 64  # describes the session (its first one counts)
    ERROR = 128  # the client says that something failed


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """One record of a transcript, without its bytes.

    `transcript` is the native id that it belongs to (`<session>` or `<session>/<agent>`), `record_id` the client's own id or
    a derived
    one, `type` the client's type name (with a subtype after a slash). `timestamp` is milliseconds UTC. Records with one
    `message_id` are one message. `prompt_id` is the client's id of the prompt that it answers; `parent` and `logical_parent`
    are record ids; `tool_use_id` joins a call and its result; `target` names what a record is about when that is
    elsewhere: the leaf of the session that a summary titles. `attributes` are facts about the session, by name: `cwd`,
    `branch`, `version`, `model`, `parent` (native id of the parent session), `agent`, `kind` (see `SessionKind`), `spawned_by`
    (tool use id), `repository`.
    """

    transcript: str
    record_id: str
    type: str
    timestamp: int | None = None
    parent: str | None = None
    logical_parent: str | None = None
    prompt_id: str | None = None
    message_id: str | None = None
    tool_use_id: str | None = None
    target: str | None = None
    flags: int = 0
    usage: Usage | None = None
    attributes: tuple[tuple[str, str], ...] = ()
    pieces: tuple[Piece, ...] = ()
    dropped: tuple[str, ...] = ()  # fields whose value had a type that no version is known to write


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Something in a file that could not be used, with its place.

    `reason` is a short slug: `damage`, `not_an_object`, `no_type`, `wrong_type`, `too_deep`, `oversized`, `unreadable`.
    `detail` is for people.
    """

    reason: str
    offset: int
    length: int
    line: int = 0
    detail: str = ""


class SessionKind(StrEnum):
    """What a session is, which decides whether search sees it."""

    MAIN = "main"
    SUBAGENT = "subagent"
    REVIEW = "review"  # an automatic reviewer that quotes another session: listed, never searched
    WARMUP = "warmup"  # a client's warm-up call: neither listed by default nor searched
