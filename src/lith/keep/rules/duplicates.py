"""Tool results that are written twice: in the message and beside it, or in the transcript and in a file of their own."""

from lith.keep.draft import Draft, items, members, raw_of, size_of, text_of
from lith.keep.outline import Row
from lith.keep.rules.rule import Rule, Scene

_NAME = "duplicates"
_LEAST = 200
_TEXTS = ("stdout", "content", "result", "output")


def _edit(draft: Draft, _row: Row, _scene: Scene) -> None:
    if draft.type != "user" or size_of(draft.top.get("toolUseResult")) < _LEAST:
        return
    result = draft.top["toolUseResult"]
    shown = _shown(draft)
    if bytes(result)[:1] == b'"':
        if text_of(result) in shown:
            draft.put(_NAME, "toolUseResult", raw_of(draft.marker))
        return
    opened = members(result)
    if opened is None:
        return
    elsewhere = bool(text_of(opened.get("persistedOutputPath")))
    changed = {}
    for key in _TEXTS:
        text = text_of(opened.get(key))
        if text is not None and len(text) >= _LEAST and (text in shown or (elsewhere and key == "stdout")):
            changed[key] = raw_of(draft.marker)
    if changed:
        draft.put(_NAME, "toolUseResult", raw_of(opened | changed))


def _shown(draft: Draft) -> set[str]:
    """The texts of the record's tool results, as the model sees them."""
    texts: set[str] = set()
    for block in draft.blocks or ():
        if text_of(block.get("type")) == "tool_result" and "content" in block:
            content = block["content"]
            whole = text_of(content)
            parts = [members(one) for one in items(content) or ()] if whole is None else []
            found = [whole, *(text_of(part.get("text")) for part in parts if part)]
            texts.update(text for text in found if text and len(text) >= _LEAST)
    return texts


RULES = (Rule(_NAME, "tool results that stand somewhere else as well", edit=_edit),)
