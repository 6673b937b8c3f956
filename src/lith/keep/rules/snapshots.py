"""Snapshots that a later one replaces: of files, and of the system prompt."""

from collections.abc import Iterator, Sequence

from lith.keep.outline import Row
from lith.keep.rules.rule import Rule, Scene

_FULL = "file-history-snapshot"
_DELTA = "file-history-delta"
_PROMPT = "attachment/prompt_snapshot"


def _select(rows: Sequence[Row], scene: Scene) -> Iterator[int]:
    """File snapshots and deltas before the last snapshot; prompt snapshots behind a compaction wall, or equal to a later one."""
    last = max((row.index for row in rows if row.type == _FULL), default=-1)
    equal = {row.digest: row.index for row in rows if row.type == _PROMPT}
    for row in rows:
        if row.type in {_FULL, _DELTA}:
            if row.index < last:
                yield row.index
        elif row.type == _PROMPT and (row.index < scene.last_wall or equal[row.digest] != row.index):
            yield row.index


RULES = (Rule("snapshots", "file and prompt snapshots that later ones replace", select=_select),)
