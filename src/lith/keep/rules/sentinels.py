"""What lith itself had recalled into the session: the words go, the addresses of what was recalled stay."""

import msgspec

from lith.keep.draft import Draft, items, members, raw_of, text_of
from lith.keep.outline import Row
from lith.keep.rules.rule import Rule, Scene
from lith.scrub import strip_sentinels

_NAME = "sentinels"
_TAG = b"historical_context"
_TURNS = 4


def _edit(draft: Draft, _row: Row, _scene: Scene) -> None:
    for block in draft.blocks or ():
        if text_of(block.get("type")) == "tool_result" and "content" in block:
            content = _replace(block["content"])
            if content is not None:
                draft.put_block(_NAME, block, "content", content)
    if draft.type == "user" and draft.message and draft.blocks is None:
        text = text_of(draft.message.get("content"))
        short = None if text is None else consult(text)
        if text is not None and short is not None and not strip_sentinels(text)[0].strip():  # nobody's words but ours
            draft.put_text(_NAME, raw_of(short))
    for key in ("toolUseResult", "attachment"):
        if key in draft.top:
            value = _replace(draft.top[key])
            if value is not None:
                draft.put(_NAME, key, value)


def consult(text: str) -> str | None:
    """A text with what was recalled replaced by a note of the arcs it came from; None where there is nothing, or nothing is saved."""
    rest, arcs = strip_sentinels(text)
    if not arcs:
        return None
    for _ in range(_TURNS):
        again, more = strip_sentinels(rest)
        if again == rest:
            break
        rest, arcs = again, (*arcs, *more)
    else:
        return None
    note = f'<consulted_arcs refs="{" ".join(dict.fromkeys(arcs))}"/>'
    short = f"{rest.rstrip()}\n{note}" if rest.strip() else note
    return short if len(short) < len(text) else None


def _replace(raw: msgspec.Raw) -> msgspec.Raw | None:
    """A value with every text in it that holds recalled words replaced; None where none does."""
    data = bytes(raw)
    if _TAG not in data:
        return None
    if data[:1] == b'"':
        text = text_of(raw)
        short = None if text is None else consult(text)
        return None if short is None else raw_of(short)
    if data[:1] == b"{":
        opened = members(raw) or {}
        changed = {key: new for key, value in opened.items() if (new := _replace(value)) is not None}
        return raw_of(opened | changed) if changed else None
    listed = items(raw) or []
    replaced = [_replace(one) for one in listed]
    return raw_of([new or old for old, new in zip(listed, replaced, strict=True)]) if any(replaced) else None


RULES = (Rule(_NAME, "recalled memory, of which the addresses stay", edit=_edit),)
