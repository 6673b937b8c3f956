"""Where the bytes of a record are, by kind: what the preview shows before and after."""

from collections.abc import Iterator

import msgspec

from lith.keep.draft import Members, items, members, size_of, text_of

KINDS = (
    "user_text",
    "assistant_text",
    "thinking",
    "tool_inputs",
    "tool_results",
    "tool_metadata",
    "media",
    "progress",
    "attachments",
    "snapshots",
    "envelope",
)
CONTEXT_KINDS = frozenset({"user_text", "assistant_text", "tool_inputs", "tool_results", "media", "attachments"})
"""Kinds that a model is sent."""

_BLOCKS = {
    "thinking": "thinking",
    "redacted_thinking": "thinking",
    "tool_use": "tool_inputs",
    "tool_result": "tool_results",
    "image": "media",
    "document": "media",
}
_WHOLE = {
    "progress": "progress",
    "attachment": "attachments",
    "file-history-snapshot": "snapshots",
    "file-history-delta": "snapshots",
}


def measure(data: bytes, type: str) -> dict[str, int]:
    """The bytes of one line by kind, its newline included; `type` is the row's. What belongs to no kind is `envelope`."""
    base = type.partition("/")[0]
    if base in _WHOLE:
        return {"snapshots" if type == "attachment/prompt_snapshot" else _WHOLE[base]: len(data)}
    found: dict[str, int] = {}
    top = members(data) if base in {"user", "assistant"} else None
    if top is not None:
        if "toolUseResult" in top:
            found["tool_metadata"] = size_of(top["toolUseResult"])
        for kind, size in _iter_content(top, f"{base}_text"):
            found[kind] = found.get(kind, 0) + size
    found["envelope"] = len(data) - sum(found.values())
    return found


def _iter_content(top: Members, text_kind: str) -> Iterator[tuple[str, int]]:
    message = members(top["message"]) if "message" in top else None
    content: msgspec.Raw | None = message.get("content") if message else None
    if content is None:
        return
    listed = items(content)
    if listed is None:
        yield text_kind, size_of(content)
        return
    for one in listed:
        block = members(one)
        kind = text_of(block.get("type")) if block else None
        yield _BLOCKS.get(kind or "", text_kind), size_of(one)
