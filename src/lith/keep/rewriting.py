"""From the lines of a transcript and what was decided to the lines of the pruned one.

`planning` counts what comes out, `applying` writes it: both run the same code, so that the preview is what happens.
"""

from collections.abc import Iterator
from typing import BinaryIO

import msgspec

from lith.keep.draft import Draft, members, raw_of
from lith.keep.errors import FileChanged
from lith.keep.outline import Outline, Row, iter_lines
from lith.keep.rules import Rule, Scene

_SHORTEST = 200
"""A line below this holds nothing that an edit could shorten."""


class Decisions(msgspec.Struct, frozen=True):
    """`removed` maps the index of each row that goes to its rule, `heirs` the id of each to the nearest ancestor that stays."""

    rules: tuple[Rule, ...]
    scene: Scene
    removed: dict[int, str]
    heirs: dict[str, str | None]


class Rewritten(msgspec.Struct, frozen=True):
    """One line before and after; `new` is None where it goes, and is `data` itself where nothing changed.

    `saved` are bytes and tokens by rule.
    """

    row: Row
    data: bytes
    new: bytes | None
    saved: dict[str, tuple[int, int]] = {}


def iter_rewritten(file: BinaryIO, outline: Outline, decisions: Decisions) -> Iterator[Rewritten]:
    """Every line of the file that the outline was made from, rewritten. Raises `FileChanged`, `OSError`."""
    edits = [rule.edit for rule in decisions.rules if rule.edit]
    lines = iter_lines(file, outline.size)
    for row in outline.rows:
        data = next(lines, (0, b""))[1]
        if len(data) != row.length:
            raise FileChanged("the file changed while it was being read")
        if row.index in decisions.removed:
            yield Rewritten(row, data, None)
            continue
        moved = row.parent in decisions.heirs or row.logical in decisions.heirs
        if row.odd or (not moved and (not row.uuid or len(data) < _SHORTEST)):
            yield Rewritten(row, data, data)
            continue
        top = members(data)
        if top is None:
            yield Rewritten(row, data, data)
            continue
        draft = Draft(data, top, row.uuid or "", row.type.partition("/")[0])
        if row.uuid:
            for edit in edits:
                edit(draft, row, decisions.scene)
        if moved:
            for key, old in (("parentUuid", row.parent), ("logicalParentUuid", row.logical)):
                if old in decisions.heirs and key in draft.top:
                    draft.top[key] = raw_of(decisions.heirs[old])
        if not draft.changed and not moved:
            yield Rewritten(row, data, data)
            continue
        new = draft.encode() + data[len(data.rstrip(b"\r\n")) :]
        # An edit that makes a record longer is no prune; a new parent may, by a few bytes.
        yield Rewritten(
            row, data, new if moved or len(new) < len(data) else data, draft.saved if moved or len(new) < len(data) else {}
        )
