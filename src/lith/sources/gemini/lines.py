"""The shapes of a chat log's lines, as far as lith looks at them, and the ways from bytes to a shape.

Only `sources.gemini` uses it. One flat shape serves every line, so that a line costs one decode; what is not named here (tool results,
thoughts, images) is skipped by the decoder without ever becoming a Python object.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from lith.kernel.lenient import convert_lenient, decode_lenient


class Arguments(msgspec.Struct, gc=False):
    """The arguments of a tool call that may be searched; of any type, since every tool has its own."""

    command: Any = None
    file_path: Any = None
    absolute_path: Any = None
    path: Any = None
    dir_path: Any = None
    paths: Any = None
    pattern: Any = None
    query: Any = None
    url: Any = None
    description: Any = None
    prompt: Any = None


class ToolCall(msgspec.Struct, gc=False):
    """A call, as the model made it or, with its `status`, as it was carried out."""

    id: str | None = None
    name: str | None = None
    args: Arguments | None = None
    status: str | None = None


class Response(msgspec.Struct, gc=False):
    """What a tool answered; `error` stands there where it failed."""

    error: Any = None


class FunctionResponse(msgspec.Struct, gc=False):
    """The answer to a call."""

    id: str | None = None
    response: Response | None = None


class Part(msgspec.Struct, rename="camel", gc=False):
    """One part of a content."""

    text: str | None = None
    thought: Any = None
    function_call: ToolCall | None = None
    function_response: FunctionResponse | None = None


Content = str | Part | list[str | Part]
"""What stands in a message, in any of the forms that the client allows itself."""


class Tokens(msgspec.Struct, gc=False):
    """The tokens of a model call; `input` includes the cached ones, `output` is without the thoughts."""

    input: int | None = None
    output: int | None = None
    cached: int | None = None
    thoughts: int | None = None
    tool: int | None = None


class Message(msgspec.Struct, rename="camel", gc=False):
    """A message, alone on its line or in a list of them."""

    id: str | None = None
    type: str | None = None
    timestamp: datetime | None = None
    content: Content | None = None
    display_content: Content | None = None
    tool_calls: list[ToolCall] | None = None
    tokens: Tokens | None = None
    model: str | None = None


class Patch(msgspec.Struct, rename="camel", gc=False):
    """What changes in the conversation as a whole."""

    messages: list[Message] | None = None
    last_updated: datetime | None = None
    summary: str | None = None
    directories: list[str] | None = None


class Line(Message, rename="camel", gc=False):
    """A line of any type: a message, a header, a patch, or a step back."""

    session_id: str | None = None
    project_hash: str | None = None
    start_time: datetime | None = None
    last_updated: datetime | None = None
    kind: str | None = None
    summary: str | None = None
    directories: list[str] | None = None
    messages: list[Message] | None = None
    patch: Patch | None = msgspec.field(default=None, name="$set")
    rewind_to: str | None = msgspec.field(default=None, name="$rewindTo")


_DECODER = msgspec.json.Decoder(Line)
_MOST_DROPPED = 16  # names per record; they are for counting, not for repair
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MS = timedelta(milliseconds=1)


def decode_line(data: bytes | memoryview) -> tuple[Line, tuple[str, ...]] | str:
    """The line in `data`, and the fields whose value had an impossible type; or the reason why it is no record.

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


def parts_of(content: Content | None) -> list[Part]:
    """The parts of a content, whatever its form."""
    if content is None:
        return []
    if isinstance(content, list):
        return [Part(text=part) if isinstance(part, str) else part for part in content]
    return [Part(text=content) if isinstance(content, str) else content]


def to_ms(moment: datetime) -> int:
    """Milliseconds since the epoch; times without a zone are UTC."""
    return ((moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)) - _EPOCH) // _MS
