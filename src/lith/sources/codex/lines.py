"""From bytes to a typed line, strictly where that works and leniently where it does not.

Only `sources.codex` uses it. The strict way is one decode; the lenient one is some ten times slower and keeps all of a line that can
be understood.
"""

from typing import Any

import msgspec

from lith.kernel.lenient import convert_lenient, decode_lenient
from lith.sources.codex.structs import Arguments, Line, Payload

_LINES = msgspec.json.Decoder(Line)
_ARGUMENTS = msgspec.json.Decoder(Arguments)
_NO_ARGUMENTS = Arguments()


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
    except RecursionError:
        return "too_deep"
    if not isinstance(value, dict):
        return "not_an_object"
    line, dropped = convert_lenient(value, Line)
    return line, tuple(dropped)


def decode_bare(data: bytes | memoryview) -> tuple[Payload, tuple[str, ...]]:
    """The fields of a line of the oldest files, which has no envelope; `decode_line` has accepted the same bytes."""
    payload, dropped = convert_lenient(decode_lenient(bytes(data)), Payload)
    return payload, tuple(dropped)


def decode_arguments(value: Any) -> Arguments:
    """The arguments of a tool call that may be shown: from an object, or from JSON in a string; empty if it is neither."""
    if isinstance(value, str):
        try:
            return _ARGUMENTS.decode(value)
        except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
            return _NO_ARGUMENTS
    return msgspec.convert(value, Arguments) if isinstance(value, dict) else _NO_ARGUMENTS
