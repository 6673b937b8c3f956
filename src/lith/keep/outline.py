"""What the pruner sees of a transcript: one row per physical line, with the ids that hold the chain together, and no text.

`planning`, `rewriting` and `validation` read transcripts through it. A line that is not exactly one JSON object of known shape is `odd`: it
is copied byte for byte, and whatever it refers to stays.
"""

import hashlib
from collections.abc import Iterator
from typing import Any, BinaryIO

import msgspec

from lith.kernel.jsonl import iter_line_spans
from lith.kernel.lenient import decode_lenient

THINKING = frozenset({"thinking", "redacted_thinking"})


class _BlockHead(msgspec.Struct, gc=False):
    type: str | None = None
    id: str | None = None
    tool_use_id: str | None = None


class _Message(msgspec.Struct, gc=False):
    content: str | list[_BlockHead] | None = None


class _Typed(msgspec.Struct, gc=False):
    type: str | None = None


class _Line(msgspec.Struct, rename="camel", gc=False):
    type: str | None = None
    subtype: str | None = None
    uuid: str | None = None
    parent_uuid: str | None = None
    logical_parent_uuid: str | None = None
    session_id: str | None = None
    is_sidechain: bool | None = None
    is_meta: bool | None = None
    is_compact_summary: bool | None = None
    leaf_uuid: str | None = None
    message_id: Any = None
    source_tool_assistant_uuid: str | None = msgspec.field(default=None, name="sourceToolAssistantUUID")
    compact_metadata: Any = None
    message: _Message | None = None
    attachment: _Typed | None = None
    data: _Typed | None = None


class Row(msgspec.Struct, gc=False):
    """One physical line: `length` counts its bytes with the newline.

    `type` is the client's name with the subtype after a slash. `refs` are the ids that it names besides its parents. `prompt` marks words
    of a person, `wall` a compaction boundary, `summary` what stands behind one.
    """

    index: int
    offset: int
    length: int
    odd: bool = False
    type: str = ""
    uuid: str | None = None
    parent: str | None = None
    logical: str | None = None
    session: str | None = None
    refs: tuple[str, ...] = ()
    prompt: bool = False
    wall: bool = False
    summary: bool = False
    only_thinking: bool = False
    digest: bytes = b""


class Outline(msgspec.Struct, frozen=True):
    """All rows of the first `size` bytes of a file, and the digest of those bytes.

    `torn` says that the last line has no newline and is no whole object either.
    """

    rows: tuple[Row, ...]
    size: int
    sha256: str
    torn: bool


_DECODER = msgspec.json.Decoder(_Line)
_RAW = msgspec.json.Decoder(msgspec.Raw)
_DIGESTED = frozenset({"attachment/prompt_snapshot"})


def iter_lines(file: BinaryIO, size: int) -> Iterator[tuple[int, bytes]]:
    """Yield (offset, bytes) of every physical line of the first `size` bytes, newline included."""
    file.seek(0)
    offset = 0
    while offset < size:
        line = file.readline(size - offset)
        if not line:
            return
        yield offset, line
        offset += len(line)


def read_outline(file: BinaryIO, size: int) -> Outline:
    """The rows of the first `size` bytes of an open file. Raises `OSError`."""
    digest = hashlib.sha256()
    rows: list[Row] = []
    data = b"\n"
    for offset, data in iter_lines(file, size):
        digest.update(data)
        rows.append(_read_row(len(rows), offset, data))
    torn = not data.endswith(b"\n") and bool(data.strip()) and not is_whole(data)
    if not data.endswith(b"\n"):
        last = rows[-1]
        last.odd = True
        last.refs = (*last.refs, *(one for one in (last.parent, last.logical) if one))
    return Outline(tuple(rows), sum(row.length for row in rows), digest.hexdigest(), torn)


def is_whole(data: bytes) -> bool:
    """Whether a line is one whole JSON object."""
    try:
        _RAW.decode(data)
    except (msgspec.DecodeError, RecursionError):
        return all(span.kind != "damage" for span in iter_line_spans(data.strip(), 0, 1))
    return data.lstrip().startswith(b"{")


def _read_row(index: int, offset: int, data: bytes) -> Row:
    try:
        line = _DECODER.decode(data)
    except (msgspec.DecodeError, RecursionError):
        return _read_odd(index, offset, data)
    if not line.type:
        return _read_odd(index, offset, data)
    refs = {ref for ref in (line.leaf_uuid, line.source_tool_assistant_uuid, line.message_id) if isinstance(ref, str)}
    if line.compact_metadata is not None:
        refs.update(_iter_strings(line.compact_metadata))
    content = line.message.content if line.message else None
    kinds = {block.type for block in content} if isinstance(content, list) else set()
    type_ = _name(line)
    return Row(
        index,
        offset,
        len(data),
        type=type_,
        uuid=line.uuid,
        parent=line.parent_uuid,
        logical=line.logical_parent_uuid,
        session=line.session_id,
        refs=tuple(refs),
        prompt=line.type == "user" and _is_prompt(line, kinds),
        wall=type_ == "system/compact_boundary",
        summary=line.is_compact_summary is True,
        only_thinking=line.type == "assistant" and bool(kinds) and kinds <= THINKING,
        digest=_attachment_digest(data) if type_ in _DIGESTED else b"",
    )


def _is_prompt(line: _Line, kinds: set[str | None]) -> bool:
    if line.is_meta or line.is_sidechain or line.is_compact_summary or line.message is None:
        return False
    return "tool_result" not in kinds and line.message.content is not None


def _name(line: _Line) -> str:
    subtype = None
    if line.type == "system":
        subtype = line.subtype
    elif line.type == "attachment" and line.attachment:
        subtype = line.attachment.type
    return f"{line.type}/{subtype}" if subtype else line.type or ""


def _read_odd(index: int, offset: int, data: bytes) -> Row:
    """A line that is kept as it is, with every id that it could mean as a reference."""
    refs: set[str] = set()
    text = data.strip()
    for span in iter_line_spans(text, 0, 1) if text else ():
        if span.kind != "damage":
            try:
                refs.update(_iter_strings(decode_lenient(text[span.offset : span.offset + span.length])))
            except RecursionError:
                continue
    return Row(index, offset, len(data), odd=True, refs=tuple(refs))


def _iter_strings(value: Any) -> Iterator[str]:
    """Every string in a decoded value that is short enough to be an id."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            if len(one) <= 64:
                yield one
        elif isinstance(one, dict):
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)


def _attachment_digest(data: bytes) -> bytes:
    try:
        members = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, RecursionError):
        return data
    return hashlib.sha256(bytes(members.get("attachment", b""))).digest()
