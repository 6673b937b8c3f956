"""What tools gave and what they were given, where it is long: head and tail stay, the middle is recalled by its block."""

import msgspec

from lith.keep.draft import Draft, Members, items, members, raw_of, shorten, size_of, text_of
from lith.keep.outline import Row
from lith.keep.rules.rule import Rule, Scene

_OUTPUTS, _RESULTS, _INPUTS = "outputs", "results", "inputs"


def _edit_outputs(draft: Draft, _row: Row, scene: Scene) -> None:
    for block in draft.blocks or ():
        if text_of(block.get("type")) != "tool_result" or size_of(block.get("content")) <= scene.limit:
            continue
        content = block["content"]
        if bytes(content)[:1] == b'"':
            short = shorten(content, scene.limit, draft.marker)
        else:
            short = _shorten_parts(bytes(content), scene.limit, draft.marker)
        if short is not None:
            draft.put_block(_OUTPUTS, block, "content", short)


def _shorten_parts(content: bytes, limit: int, marker: str) -> msgspec.Raw | None:
    """A list of blocks with the texts in it cut."""
    listed = items(content)
    if listed is None:
        return None
    parts: list[object] = []
    changed = False
    for one in listed:
        opened: Members | None = members(one)
        text = None if opened is None or text_of(opened.get("type")) != "text" else opened.get("text")
        short = None if text is None else shorten(text, limit, marker)
        if opened is not None and short is not None:
            opened["text"] = short
            changed = True
            parts.append(opened)
        else:
            parts.append(one)
    return raw_of(parts) if changed else None


def _edit_results(draft: Draft, _row: Row, scene: Scene) -> None:
    if draft.type == "user" and "toolUseResult" in draft.top:
        short = shorten(draft.top["toolUseResult"], scene.limit // 2, draft.marker)  # no model is sent it
        if short is not None:
            draft.put(_RESULTS, "toolUseResult", short)


def _edit_inputs(draft: Draft, _row: Row, scene: Scene) -> None:
    for block in draft.blocks or ():
        if text_of(block.get("type")) == "tool_use" and size_of(block.get("input")) > scene.limit:
            short = shorten(block["input"], scene.limit, draft.marker)
            if short is not None:
                draft.put_block(_INPUTS, block, "input", short)


RULES = (
    Rule(_OUTPUTS, "long tool results, as the model sees them", edit=_edit_outputs),
    Rule(_RESULTS, "long tool results, as the client keeps them beside", edit=_edit_results),
    Rule(_INPUTS, "long tool inputs", edit=_edit_inputs),
)
