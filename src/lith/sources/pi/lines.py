"""The shapes of Pi's entries, as far as lith looks at them, and the ways from bytes to a shape.

Only `sources.pi` uses it. One flat shape serves every entry type, so that an entry costs one decode; what is not named here (tool
results, thinking, images, system prompts) is skipped by the decoder without ever becoming a Python object.
"""

from datetime import datetime
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


class Block(msgspec.Struct, gc=False):
    """One content block of a message."""

    type: str | None = None
    text: str | None = None
    id: str | None = None
    name: str | None = None
    arguments: Arguments | None = None


class Tokens(msgspec.Struct, rename="camel", gc=False):
    """The tokens of a model call; `input` is without the cached part."""

    input: int | None = None
    output: int | None = None
    cache_read: int | None = None
    cache_write: int | None = None


class Message(msgspec.Struct, rename="camel", gc=False):
    """The message of a `message` entry, of any role."""

    role: str | None = None
    content: str | list[Block] | None = None
    model: str | None = None
    usage: Tokens | None = None
    stop_reason: str | None = None
    tool_call_id: str | None = None
    is_error: bool | None = None
    command: str | None = None
    exit_code: int | None = None
    summary: str | None = None
    timestamp: int | float | None = None


class Line(msgspec.Struct, rename="camel", gc=False):
    """An entry of any type; `created_at` and `delegation_depth` stand in the first line of another client's files."""

    type: str | None = None
    id: str | None = None
    parent_id: str | None = None
    timestamp: datetime | None = None
    message: Message | None = None
    summary: str | None = None
    name: str | None = None
    model_id: str | None = None
    usage: Tokens | None = None
    cwd: str | None = None
    parent_session: str | None = None
    branched_from: str | None = None
    created_at: Any = None
    delegation_depth: Any = None


_DECODER = msgspec.json.Decoder(Line)
_MOST_DROPPED = 16  # names per record; they are for counting, not for repair


def decode_line(data: bytes | memoryview) -> tuple[Line, tuple[str, ...]] | str:
    """The entry in `data`, and the fields whose value had an impossible type; or the reason why it is no record.

    Raises `msgspec.DecodeError` where the bytes are not one JSON value.
    """
    try:
        return _DECODER.decode(data), ()
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
