"""One record being shortened, without touching a byte of it that no rule asked for.

Rules get a `Draft`. Objects are opened member by member and closed in the same order; every value that is not replaced stays as the client
wrote it: key order, escapes, the spelling of numbers.
"""

from collections.abc import Callable

import msgspec

from lith.kernel.tokens import estimate_tokens_bytes

Members = dict[str, msgspec.Raw]

_MEMBERS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_ITEMS = msgspec.json.Decoder(list[msgspec.Raw])
_TEXT = msgspec.json.Decoder(str)
_ENCODE = msgspec.json.Encoder().encode
_MARKER = "[pruned — block {address}]"


def members(raw: msgspec.Raw | bytes) -> Members | None:
    """The members of a JSON object; None for anything else."""
    try:
        return _MEMBERS.decode(raw)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None


def items(raw: msgspec.Raw | bytes) -> list[msgspec.Raw] | None:
    """The items of a JSON array; None for anything else."""
    try:
        return _ITEMS.decode(raw)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None


def text_of(raw: msgspec.Raw | bytes | None) -> str | None:
    """A JSON string; None for anything else."""
    try:
        return None if raw is None else _TEXT.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def raw_of(value: object) -> msgspec.Raw:
    """A value as JSON; `Raw` parts of it are taken as they are."""
    return msgspec.Raw(_ENCODE(value))


def size_of(raw: msgspec.Raw | bytes | None) -> int:
    """The length of a value in bytes."""
    return 0 if raw is None else len(bytes(raw))


class Draft:
    """A record open for rules. `top` are its members; `blocks` those of its message, where it has a list of them.

    Rules replace values through `put`, `put_block` and `drop_block`, which count what that saves for their rule.
    """

    def __init__(self, data: bytes, top: Members, uuid: str, type: str) -> None:
        self.top = top
        self.uuid = uuid
        self.type = type
        self.size = len(data)
        self.changed = False
        self.saved: dict[str, tuple[int, int]] = {}
        self.message = members(top["message"]) if "message" in top else None
        listed = items(self.message["content"]) if self.message and "content" in self.message else None
        opened = None if listed is None else [members(one) for one in listed]
        self.blocks: list[Members] | None = (
            None if opened is None or None in opened else [one for one in opened if one is not None]
        )
        self._blocks_changed = False

    @property
    def marker(self) -> str:
        """What stands where something was cut out: how to get it back."""
        return _MARKER.format(address=f"rec:{self.uuid}")

    def put(self, rule: str, key: str, value: msgspec.Raw) -> None:
        """Replace a member of the record."""
        self._count(rule, size_of(self.top[key]) - size_of(value), in_context=False)
        self.top[key] = value

    def put_block(self, rule: str, block: Members, key: str, value: msgspec.Raw, *, in_context: bool = True) -> None:
        """Replace a member of a content block."""
        self._count(rule, size_of(block[key]) - size_of(value), in_context=in_context)
        block[key] = value
        self._blocks_changed = True

    def put_whole_block(self, rule: str, index: int, block: Members) -> None:
        """Replace a content block."""
        if self.blocks is None:
            return
        self._count(rule, size_of(raw_of(self.blocks[index])) - size_of(raw_of(block)), in_context=True)
        self.blocks[index] = block
        self._blocks_changed = True

    def drop_blocks(self, rule: str, drop: Callable[[Members], bool]) -> None:
        """Remove content blocks, unless that would leave none."""
        if self.blocks is None:
            return
        kept = [block for block in self.blocks if not drop(block)]
        if kept and len(kept) < len(self.blocks):
            self._count(rule, sum(size_of(raw_of(block)) for block in self.blocks if drop(block)), in_context=False)
            self.blocks = kept
            self._blocks_changed = True

    def put_text(self, rule: str, value: msgspec.Raw) -> None:
        """Replace the content of a message that is one text."""
        if self.message is None:
            return
        self._count(rule, size_of(self.message["content"]) - size_of(value), in_context=True)
        self.message["content"] = value
        self._blocks_changed = True

    def encode(self) -> bytes:
        """The record as one line without its newline."""
        if self._blocks_changed and self.message is not None:
            if self.blocks is not None:
                self.message["content"] = raw_of(self.blocks)
            self.top["message"] = raw_of(self.message)
        return _ENCODE(self.top)

    def _count(self, rule: str, saved: int, *, in_context: bool) -> None:
        self.changed = True
        so_far, tokens = self.saved.get(rule, (0, 0))
        self.saved[rule] = (so_far + saved, tokens + (estimate_tokens_bytes(saved) if in_context else 0))


def cut_text(text: str, limit: int, marker: str) -> str:
    """A text of at most `limit` characters: itself, or its head and tail with the marker between, at line ends where there are any near."""
    if len(text) <= limit:
        return text
    room = max(0, limit - len(marker) - 2)
    head, tail = room * 2 // 3, room // 3
    start = text[:head]
    end = text[len(text) - tail :] if tail else ""
    if (at := start.rfind("\n", head * 3 // 4)) > 0:
        start = start[:at]
    if (at := end.find("\n", 0, tail // 4)) >= 0:
        end = end[at + 1 :]
    return f"{start}\n{marker}\n{end}"


def shorten(raw: msgspec.Raw, limit: int, marker: str) -> msgspec.Raw | None:
    """A value with every long string, and every long list of strings, cut to `limit`; None where nothing is that long."""
    if size_of(raw) <= limit:
        return None
    first = bytes(raw)[:1]
    if first == b'"':
        text = text_of(raw)
        return None if text is None or len(text) <= limit else raw_of(cut_text(text, limit, marker))
    if first == b"{":
        opened = members(raw)
        if opened is None:
            return None
        changed = {key: short for key, value in opened.items() if (short := shorten(value, limit, marker)) is not None}
        return raw_of(opened | changed) if changed else None
    if first == b"[":
        return _shorten_list(raw, limit, marker)
    return None


def _shorten_list(raw: msgspec.Raw, limit: int, marker: str) -> msgspec.Raw | None:
    listed = items(raw)
    if listed is None:
        return None
    short = [shorten(one, limit, marker) for one in listed]
    merged = [new if new is not None else old for old, new in zip(listed, short, strict=True)]
    changed = any(one is not None for one in short)
    if merged and all(bytes(one)[:1] == b'"' for one in merged) and sum(size_of(one) + 1 for one in merged) > limit:
        kept = _ends(merged, limit - len(marker.encode()) - 8)
        return raw_of([*merged[: kept[0]], raw_of(marker), *merged[len(merged) - kept[1] :]])
    return raw_of(merged) if changed else None


def _ends(values: list[msgspec.Raw], room: int) -> tuple[int, int]:
    """How many values from the front and from the back fit into two thirds and one third of the room."""
    counts = []
    for order, share in ((values, room * 2 // 3), (values[::-1], room // 3)):
        used = count = 0
        for value in order:
            used += size_of(value) + 1
            if used > share:
                break
            count += 1
        counts.append(count)
    return counts[0], counts[1]
