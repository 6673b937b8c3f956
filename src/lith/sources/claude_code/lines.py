"""The shapes of Claude Code's records, as far as lith looks at them, and the ways from bytes to a shape.

Only `claude_code.parse` uses it. One flat shape serves every record type, so that a record costs one decode: what is not named here
(tool outputs, signatures, images, thinking, snapshots) is skipped by the decoder without ever becoming a Python object.
"""

from datetime import datetime
from typing import Any

import msgspec

from lith.kernel.lenient import convert_lenient, decode_lenient


class Input(msgspec.Struct, gc=False):
    """The arguments of a tool call that may be searched; of any type, since every tool has its own."""

    command: Any = None
    cmd: Any = None
    file_path: Any = None
    notebook_path: Any = None
    pattern: Any = None
    path: Any = None
    query: Any = None
    url: Any = None
    skill: Any = None
    description: Any = None


class Block(msgspec.Struct, gc=False):
    """One content block of a message."""

    type: str | None = None
    text: str | None = None
    id: str | None = None
    name: str | None = None
    input: Input | None = None
    tool_use_id: str | None = None
    is_error: bool | None = None


class Tokens(msgspec.Struct, gc=False):
    """`message.usage`."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None


class Message(msgspec.Struct, gc=False):
    """The message of a `user` or `assistant` record."""

    id: str | None = None
    model: str | None = None
    content: str | list[Block] | None = None
    usage: Tokens | None = None


class Origin(msgspec.Struct, gc=False):
    """Who put a prompt in."""

    kind: str | None = None


class Outcome(msgspec.Struct, rename="camel", gc=False):
    """`toolUseResult` where it is an object: it names the sub-agent that a call started."""

    agent_id: Any = None


class Attachment(msgspec.Struct, gc=False):
    """The attachment of an `attachment` record; `prompt` is text or a list of blocks."""

    type: str | None = None
    prompt: Any = None
    command_mode: str | None = msgspec.field(default=None, name="commandMode")
    origin: Origin | None = None


class Progress(msgspec.Struct, gc=False):
    """The data of a `progress` record."""

    type: str | None = None


class Line(msgspec.Struct, rename="camel", gc=False):
    """A record of any type."""

    parent_uuid: str | None = None
    logical_parent_uuid: str | None = None
    is_sidechain: bool | None = None
    prompt_id: str | None = None
    agent_id: str | None = None
    type: str | None = None
    subtype: str | None = None
    message: Message | None = None
    is_meta: bool | None = None
    is_visible_in_transcript_only: bool | None = None
    is_compact_summary: bool | None = None
    is_api_error_message: bool | None = None
    attachment: Attachment | None = None
    data: Progress | None = None
    content: str | None = None
    summary: str | None = None
    leaf_uuid: str | None = None
    ai_title: str | None = None
    custom_title: str | None = None
    agent_name: str | None = None
    api_block_index: int | None = None
    uuid: str | None = None
    timestamp: datetime | None = None
    tool_use_result: Outcome | str | list[msgspec.Raw] | None = None
    source_tool_assistant_uuid: str | None = msgspec.field(default=None, name="sourceToolAssistantUUID")
    source_tool_use_id: str | None = msgspec.field(default=None, name="sourceToolUseID")
    prompt_source: str | None = None
    origin: Origin | None = None
    cwd: str | None = None
    session_id: str | None = None
    version: str | None = None
    git_branch: str | None = None


_DECODER = msgspec.json.Decoder(Line)


def decode_line(data: bytes | memoryview) -> tuple[Line, tuple[str, ...]] | str:
    """The record in `data`, and the fields whose value had an impossible type; or the reason why it is no record.

    Raises `msgspec.DecodeError` where the bytes are not one JSON value.
    """
    try:
        return _DECODER.decode(data), ()
    except (msgspec.DecodeError, RecursionError):
        return _decode_leniently(bytes(data))


def _decode_leniently(data: bytes) -> tuple[Line, tuple[str, ...]] | str:
    """`decode_line` for what the strict way refuses; much slower, and rarely needed."""
    try:
        value = decode_lenient(data)
    except RecursionError:  # nested in a way that even the repair does not flatten
        return "too_deep"
    if not isinstance(value, dict):
        return "not_an_object"
    line, dropped = convert_lenient(value, Line)
    return line, tuple(dropped)
