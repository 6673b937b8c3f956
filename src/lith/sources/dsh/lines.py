"""The shapes of a session log's lines, as far as lith looks at them, and the ways from bytes to a shape.

Only `sources.dsh` uses it. One flat shape serves every type, so that a line costs one decode; what is not named here (tool results,
reasoning, streamed chunks, system prompts) is skipped by the decoder without ever becoming a Python object.
"""

from typing import Any

import msgspec

from lith.kernel.lenient import convert_lenient, decode_lenient


class Arguments(msgspec.Struct, gc=False):
    """The arguments of a tool call that may be searched; of any type, since every tool has its own."""

    command: Any = None
    cmd: Any = None
    path: Any = None
    file_path: Any = None
    pattern: Any = None
    query: Any = None
    url: Any = None
    description: Any = None


class Block(msgspec.Struct, rename="camel", gc=False):
    """One content block of a message; the arguments of a call are JSON in a string."""

    type: str | None = None
    text: str | None = None
    id: str | None = None
    name: str | None = None
    arguments: Any = None
    tool_call_id: str | None = None
    is_error: bool | None = None


class Origin(msgspec.Struct, gc=False):
    """Who wrote a message; of a model's, which model."""

    kind: str | None = None
    model: str | None = None


class Tokens(msgspec.Struct, rename="camel", gc=False):
    """The tokens of a model call; `input_tokens` is without the cached part."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None


class Message(msgspec.Struct, gc=False):
    """A message of any role."""

    id: str | None = None
    content: str | list[Block] | None = None
    source: Origin | None = None
    model: str | None = None


class Config(msgspec.Struct, gc=False):
    """How the next request is made."""

    model: str | None = None


class Header(msgspec.Struct, gc=False):
    """The header of a request."""

    config: Config | None = None


class Reason(msgspec.Struct, gc=False):
    """Why a turn ended."""

    kind: str | None = None


class Data(msgspec.Struct, rename="camel", gc=False):
    """What an event carries. The data of a prompt are the message itself."""

    id: str | None = None
    content: str | list[Block] | None = None
    source: Origin | None = None
    message: Message | None = None
    usage: Tokens | None = None
    title: str | None = None
    summary: str | list[Block] | None = None
    header: Header | None = None
    model: str | None = None
    call_id: str | None = None
    compaction_id: str | None = None
    reason: str | Reason | None = None
    error: Any = None


class Line(msgspec.Struct, rename="camel", gc=False):
    """A line: an event, or the header of the session; times are milliseconds."""

    type: str | None = None
    time: int | float | None = None
    data: Data | None = None
    surface_op: Any = None
    id: str | None = None
    cwd: str | None = None
    created_at: int | float | None = None
    delegation_depth: int | None = None
    parent_session: str | None = None
    origin: str | None = None
    agent_preset: str | None = None


_LINES = msgspec.json.Decoder(Line)
_ARGUMENTS = msgspec.json.Decoder(Arguments)
_MOST_DROPPED = 16  # names per record; they are for counting, not for repair


def decode_line(data: bytes | memoryview) -> tuple[Line, tuple[str, ...]] | str:
    """The line in `data`, and the fields whose value had an impossible type; or the reason why it is no record.

    Raises `msgspec.DecodeError` where the bytes are not one JSON value.
    """
    try:
        return _LINES.decode(data), ()
    except (msgspec.DecodeError, RecursionError):
        pass
    try:
        value = decode_lenient(bytes(data))
    except RecursionError:  # nested in a way that even the repair does not flatten
        return "too_deep"
    if not isinstance(value, dict):
        return "not_an_object"
    line, dropped = convert_lenient(value, Line)
    return line, tuple(dropped[:_MOST_DROPPED])


def decode_arguments(value: Any) -> Arguments | None:
    """The arguments of a tool call that may be shown: from JSON in a string, or from an object; None if it is neither."""
    if isinstance(value, str):
        try:
            return _ARGUMENTS.decode(value)
        except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
            return None
    return msgspec.convert(value, Arguments) if isinstance(value, dict) else None
