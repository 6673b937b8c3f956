"""Is the pruned file still what a client expects? Checked on the bytes that were written, before they take any file's place.

`applying` calls it on its temporary file. It compares line by line with the original and trusts nothing that `rewriting` says.
"""

from collections.abc import Iterator, Sequence
from typing import BinaryIO

import msgspec

from lith.keep.draft import Members, items, members, text_of
from lith.keep.errors import InvalidPruned
from lith.keep.outline import Outline, Row, iter_lines, read_outline
from lith.keep.rewriting import Decisions
from lith.keep.rules.noise import last_of_kind
from lith.scrub import strip_sentinels

Pair = tuple[str, bytes | None]


def validate(original: BinaryIO, outline: Outline, pruned: BinaryIO, decisions: Decisions, size: int) -> None:
    """Compare the first `size` bytes of the pruned file with the original. Raises `InvalidPruned`, naming the line, and `OSError`."""
    after = read_outline(pruned, size)
    kept = [row for row in outline.rows if row.index not in decisions.removed]
    if len(kept) != len(after.rows):
        raise InvalidPruned(f"{len(after.rows)} lines were written where {len(kept)} should stay")
    pairs: list[Pair] = []
    pairs_before: list[Pair] = []
    written_lines = zip(after.rows, iter_lines(pruned, size), strict=True)
    for old, (_, data) in zip(outline.rows, iter_lines(original, outline.size), strict=True):
        if old.index in decisions.removed:
            pairs_before += _tool_pairs(old, data)
            continue
        new, (_, written) = next(written_lines)
        if data != written:
            _compare(old, new, data, written)
            pairs_before += _tool_pairs(old, data)
            pairs += _tool_pairs(new, written)
    if sorted(pairs, key=repr) != sorted(pairs_before, key=repr):
        raise InvalidPruned("a tool call or its result would be missing")
    _check_links(outline.rows, after.rows)
    _check_last(outline.rows, after.rows)


def _compare(old: Row, new: Row, data: bytes, written: bytes) -> None:
    place = f"line {old.index + 1}"
    if old.odd:
        raise InvalidPruned(f"{place} is not plain JSON and would be changed")
    top, before = members(written), members(data)
    if top is None or before is None or not written.endswith(b"\n"):
        raise InvalidPruned(f"{place} would not be one JSON object")
    if list(top) != list(before):
        raise InvalidPruned(f"{place} would have other keys, or in another order")
    if (old.type, old.uuid, old.session) != (new.type, new.uuid, new.session):
        raise InvalidPruned(f"{place} would be another record")
    if set(old.refs) != set(new.refs):
        raise InvalidPruned(f"{place} would name other records")
    for key in before:
        if key not in _MAY_CHANGE and bytes(before[key]) != bytes(top[key]):
            raise InvalidPruned(f"{place} would have another {key}")
    if list(_iter_texts(before)) != list(_iter_texts(top)):
        raise InvalidPruned(f"{place} would say something else")


_MAY_CHANGE = frozenset({"message", "toolUseResult", "attachment", "parentUuid", "logicalParentUuid"})


def _iter_texts(top: Members) -> Iterator[str]:
    """What people and models say in a record, without what lith had recalled there."""
    message = members(top["message"]) if "message" in top else None
    if not message or "content" not in message:
        return
    whole = text_of(message["content"])
    if whole is not None:
        rest = strip_sentinels(whole)[0].strip()
        if rest and not rest.startswith("<consulted_arcs"):
            yield whole
        return
    for one in items(message["content"]) or ():
        block = members(one)
        text = text_of(block.get("text")) if block and text_of(block.get("type")) == "text" else None
        if text is not None and "[pruned — block rec:" not in text:
            yield text


def _tool_pairs(row: Row, data: bytes) -> list[Pair]:
    """The ids of tool calls and of results in a line, results with their `is_error` as it is written."""
    if row.type not in {"user", "assistant"} or b'"tool_' not in data:
        return []
    top = members(data)
    message = members(top["message"]) if top and "message" in top else None
    found: list[Pair] = []
    for one in (items(message["content"]) or ()) if message and "content" in message else ():
        block = members(one)
        kind = text_of(block.get("type")) if block else None
        if block and kind == "tool_use":
            found.append((f"use {text_of(block.get('id'))}", None))
        elif block and kind == "tool_result":
            error: msgspec.Raw | None = block.get("is_error")
            found.append((f"result {text_of(block.get('tool_use_id'))}", None if error is None else bytes(error)))
    return found


def _check_links(before: Sequence[Row], after: Sequence[Row]) -> None:
    """Every id that could be resolved still can, and no chain runs in a circle that did not."""
    had = {row.uuid for row in before if row.uuid}
    has = {row.uuid for row in after if row.uuid}
    for row in after:
        for ref in (row.parent, row.logical, *row.refs):
            if ref in had and ref not in has:
                raise InvalidPruned(f"record {row.uuid or row.type} would name {ref}, which would be gone")
    dangling = [sum(1 for row in rows if row.parent and row.parent not in ids) for rows, ids in ((before, had), (after, has))]
    if dangling[1] > dangling[0]:
        raise InvalidPruned("records would lose their parents")
    if _count_in_circles(after) > _count_in_circles(before):
        raise InvalidPruned("the chain of records would run in a circle")


def _count_in_circles(rows: Sequence[Row]) -> int:
    """How many records never reach a root."""
    parent = {row.uuid: row.parent or row.logical for row in rows if row.uuid}
    ends: dict[str | None, bool] = {None: True}
    for start in parent:
        path: list[str | None] = []
        at: str | None = start
        on_path: set[str | None] = set()
        while at not in ends and at in parent and at not in on_path:
            path.append(at)
            on_path.add(at)
            at = parent[at]
        reaches = ends.get(at, at not in on_path)
        ends.update(dict.fromkeys(path, reaches))
    return sum(1 for uuid in parent if not ends[uuid])


def _check_last(before: Sequence[Row], after: Sequence[Row]) -> None:
    """The last record of each kind of which the last one counts is still there."""
    if set(last_of_kind(before)) != set(last_of_kind(after)):
        raise InvalidPruned("a title, a mode or another setting would be lost")
