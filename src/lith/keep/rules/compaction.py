"""Compaction walls and the summaries behind them: a resumed session needs them, a whole conversation does not."""

from collections.abc import Iterator, Sequence

from lith.keep.outline import Row
from lith.keep.rules.rule import Rule, Scene


def _select(rows: Sequence[Row], _scene: Scene) -> Iterator[int]:
    """Walls that say what stood before them, and their summaries: the chain is stitched across them."""
    stitched = {row.uuid for row in rows if row.wall and row.logical}
    for row in rows:
        if (row.wall and row.logical) or (row.summary and row.parent in stitched):
            yield row.index


RULES = (Rule("compaction", "compaction walls and their summaries", select=_select, modes=("extract",)),)
