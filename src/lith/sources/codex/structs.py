"""The parts of a rollout line that lith reads, as typed structs.

Only `sources.codex` uses them. One wide payload covers every record type, because one typed decode of it is faster than looking at the
type first; whatever is not named here is skipped without being built. Every field is optional: a version adds and drops them freely.
"""

from datetime import datetime
from typing import Any

import msgspec

_ABSENT = msgspec.Raw()


class Ignored(msgspec.Struct, gc=False):
    """An object of which only the presence matters."""


class Block(msgspec.Struct, gc=False):
    """A content block: `input_text`, `output_text`, `text`, `Text`, `summary_text`, or an image without text."""

    type: str | None = None
    text: str | None = None


class Passthrough(msgspec.Struct, gc=False):
    """What 0.15x and later say about a response item: its turn, and the origin of each content block."""

    turn_id: str | None = None
    content_item_kinds: list[str] | None = None


class Metadata(msgspec.Struct, gc=False):
    """What 0.15x and later say about a line."""

    compaction_output: bool = False
    inherited_user_message: bool = False


class Git(msgspec.Struct, gc=False):
    """The repository at the start of a session."""

    branch: str | None = None
    repository_url: str | None = None


class TokenUsage(msgspec.Struct, gc=False):
    """Counts of tokens; `input_tokens` includes the cached ones."""

    input_tokens: int = 0
    cached_input_tokens: int = 0
    cache_write_input_tokens: int = 0
    output_tokens: int = 0


class TokenInfo(msgspec.Struct, gc=False):
    """The counters of a `token_count` event."""

    total_token_usage: TokenUsage | None = None


class Action(msgspec.Struct, gc=False):
    """What a web search or a local shell call does."""

    type: str | None = None
    query: str | None = None
    queries: list[str] | None = None
    url: str | None = None
    pattern: str | None = None
    command: list[str] | str | None = None


class Invocation(msgspec.Struct, gc=False):
    """The MCP call of an `mcp_tool_call_end` event."""

    server: str | None = None
    tool: str | None = None
    arguments: Any = None


class Item(msgspec.Struct, gc=False):
    """The item of an `item_completed` event."""

    type: str | None = None
    id: str | None = None
    kind: str | None = None
    content: list[Block] | None = None
    text: str | None = None
    summary_text: list[str] | None = None
    command: list[str] | str | None = None
    cwd: str | None = None
    exit_code: int | None = None
    status: str | None = None
    changes: dict[str, Ignored] | None = None
    server: str | None = None
    tool: str | None = None
    arguments: Any = None
    query: str | None = None
    action: Action | None = None
    path: str | None = None
    error: Any = None
    receiver_thread_ids: list[str] | None = None
    agent_thread_id: str | None = None


class Payload(msgspec.Struct, gc=False):
    """The payload of any record type; the oldest files have these fields in the line itself."""

    type: str | None = None
    id: str | None = None
    turn_id: str | None = None
    call_id: str | None = None
    # messages, reasoning, compaction
    role: str | None = None
    content: list[Block] | str | None = None
    message: str | None = None
    kind: str | None = None
    text: str | None = None
    summary: list[Block] | str | None = None
    internal_chat_message_metadata_passthrough: Passthrough | None = None
    # calls and their results
    name: str | None = None
    namespace: str | None = None
    arguments: Any = None
    input: str | None = None
    action: Action | None = None
    output: msgspec.Raw = _ABSENT
    command: list[str] | str | None = None
    exit_code: int | None = None
    success: bool | None = None
    status: str | None = None
    changes: dict[str, Ignored] | None = None
    invocation: Invocation | None = None
    query: str | None = None
    revised_prompt: str | None = None
    item: Item | None = None
    new_thread_id: str | None = None
    # turns and counters
    info: TokenInfo | None = None
    thread_token_usage: TokenUsage | None = None
    num_turns: int | None = None
    thread_name: str | None = None
    error: Any = None
    # the session
    cwd: str | None = None
    model: str | None = None
    cli_version: str | None = None
    git: Git | None = None
    source: Any = None
    thread_source: str | None = None
    parent_thread_id: str | None = None
    forked_from_id: str | None = None
    agent_nickname: str | None = None
    agent_role: str | None = None
    subagent_history_start_ordinal: int | None = None


class Line(msgspec.Struct, gc=False):
    """A line: an envelope with a payload, or in the oldest files the item itself."""

    timestamp: datetime | None = None
    ordinal: int | None = None
    type: str | None = None
    payload: Payload | None = None
    metadata: Metadata | None = None
    id: str | None = None
    record_type: str | None = None


class Arguments(msgspec.Struct, gc=False):
    """The arguments of a tool call that may be shown. Untyped, so that an odd value costs only itself."""

    cmd: Any = None
    command: Any = None
    path: Any = None
    file_path: Any = None
    pattern: Any = None
    query: Any = None
    queries: Any = None
    q: Any = None
    search_query: Any = None
    url: Any = None
    description: Any = None
    justification: Any = None
    explanation: Any = None
    plan: Any = None
    task_name: Any = None
    input: Any = None
