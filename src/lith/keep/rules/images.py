"""Pictures and documents in base64: a placeholder with the size of the original takes their place."""

import msgspec

from lith.keep.draft import Draft, Members, items, members, raw_of, size_of, text_of
from lith.keep.outline import Row
from lith.keep.rules.rule import Rule, Scene

_NAME = "images"
_MEDIA = frozenset({"image", "document"})
_LEAST = 400


def _edit(draft: Draft, _row: Row, _scene: Scene) -> None:
    for index, block in enumerate(draft.blocks or ()):
        placeholder = _placeholder(block, draft.marker)
        if placeholder is not None:
            draft.put_whole_block(_NAME, index, placeholder)
        elif text_of(block.get("type")) == "tool_result" and "content" in block:
            content = _replace_in(block["content"], draft.marker)
            if content is not None:
                draft.put_block(_NAME, block, "content", content)
    if "toolUseResult" in draft.top:
        result = _empty(draft.top["toolUseResult"])
        if result is not None:
            draft.put(_NAME, "toolUseResult", result)


def _placeholder(block: Members, marker: str) -> Members | None:
    """The text block that stands for a picture; None for a block that is none, or is small."""
    kind = text_of(block.get("type"))
    source = members(block["source"]) if kind in _MEDIA and "source" in block else None
    data = text_of(source.get("data")) if source and text_of(source.get("type")) == "base64" else None
    if source is None or data is None or len(data) < _LEAST:
        return None
    media = text_of(source.get("media_type")) or kind
    return {"type": raw_of("text"), "text": raw_of(f"[{media}, {len(data) * 3 // 4 - data[-2:].count('=')} bytes] {marker}")}


def _replace_in(content: msgspec.Raw, marker: str) -> msgspec.Raw | None:
    """The content of a tool result with placeholders; None where it has no pictures."""
    listed = items(content) if size_of(content) > _LEAST else None
    if listed is None:
        return None
    replaced = [None if (opened := members(one)) is None else _placeholder(opened, marker) for one in listed]
    if not any(replaced):
        return None
    return raw_of([old if new is None else new for old, new in zip(listed, replaced, strict=True)])


def _empty(raw: msgspec.Raw) -> msgspec.Raw | None:
    """A structured result with the base64 of its pictures emptied; None where it has none."""
    if size_of(raw) < _LEAST:
        return None
    first = bytes(raw)[:1]
    if first == b"[":
        listed = items(raw) or []
        emptied = [_empty(one) for one in listed]
        return raw_of([new or old for old, new in zip(listed, emptied, strict=True)]) if any(emptied) else None
    opened = members(raw) if first == b"{" else None
    if opened is None:
        return None
    changed: Members = {}
    for key, value in opened.items():
        is_data = key == "base64" or (key == "data" and text_of(opened.get("type")) == "base64")
        if is_data and bytes(value)[:1] == b'"' and size_of(value) > _LEAST:
            changed[key] = raw_of("")
        elif (new := _empty(value)) is not None:
            changed[key] = new
    return raw_of(opened | changed) if changed else None


RULES = (Rule(_NAME, "pictures and documents in base64", edit=_edit),)
