"""What tools gave back, found in the bytes of a record by its shape. Pure.

Adapters index no results by default, so this looks at the record itself: at the few shapes in which clients write the output of a call.
What has none of them gives nothing.
"""

from typing import Any

import msgspec

MAX_RECORD = 16 << 20
"""A longer record is not decoded for the sake of one line."""


class Result(msgspec.Struct, frozen=True):
    """One output and whether it is an error's."""

    text: str
    failed: bool = False


class _Record(msgspec.Struct):
    type: Any = None
    message: Any = None
    payload: Any = None


def find_results(data: bytes) -> list[Result]:
    """The outputs of tools in a record."""
    if len(data) > MAX_RECORD:
        return []
    try:
        record = msgspec.json.decode(data, type=_Record)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return []
    found = []
    if isinstance(record.message, dict):
        message = record.message
        if message.get("role") == "toolResult":
            found.append(Result(_text(message.get("content")), message.get("isError") is True))
        elif isinstance(message.get("content"), list):
            blocks = [block for block in message["content"] if isinstance(block, dict) and block.get("type") == "tool_result"]
            found += [Result(_text(block.get("content")), block.get("is_error") is True) for block in blocks]
    if record.type == "response_item" and isinstance(record.payload, dict) and "output" in record.payload:
        found.append(Result(_text(record.payload["output"])))
    return found


def _text(content: Any) -> str:
    """An output as text: a string, a list of blocks, or an object that holds one."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(part for part in (_text(one) for one in content) if part)
    if isinstance(content, dict):
        return next((_text(content[name]) for name in ("text", "content", "output") if name in content), "")
    return ""
