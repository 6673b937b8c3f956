"""A result as one line of JSON that is valid for programs and harmless on a terminal. Pure; `output` writes it."""

import re
from typing import Any

_OBEYED = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
"""What a terminal may obey although it is valid JSON: C1 controls, marks of direction, invisible tags."""


def to_plain(result: Any) -> dict[str, Any]:
    """A result as plain values, without those that are absent."""
    import msgspec  # noqa: PLC0415 -- not needed for `--version` and for text

    plain: dict[str, Any] = _without_none(msgspec.to_builtins(result, str_keys=True))
    return plain


def encode(value: Any) -> bytes:
    """A plain value as JSON on one line."""
    import msgspec  # noqa: PLC0415

    try:
        data = msgspec.json.encode(value)
    except UnicodeEncodeError:  # a file name that is not UTF-8
        data = msgspec.json.encode(_encodable(value))
    return data if data.isascii() and b"\x7f" not in data else _OBEYED.sub(_escape, data.decode()).encode()


def _escape(found: re.Match[str]) -> str:
    """A character as JSON escapes it."""
    units = found[0].encode("utf-16-be")
    return "".join(f"\\u{units[place : place + 2].hex()}" for place in range(0, len(units), 2))


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_encodable(key): _encodable(item) for key, item in value.items()}
    return [_encodable(item) for item in value] if isinstance(value, list | tuple) else value


def _without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_none(item) for key, item in value.items() if item is not None}
    return [_without_none(item) for item in value] if isinstance(value, list | tuple) else value
