"""What the model thought, with its signatures: clients and models do without it once a turn is over. The last turn keeps it."""

from collections.abc import Iterator, Sequence

from lith.keep.draft import Draft, Members, text_of
from lith.keep.outline import THINKING, Row
from lith.keep.rules.rule import Rule, Scene

_NAME = "thinking"


def _select(rows: Sequence[Row], scene: Scene) -> Iterator[int]:
    return (row.index for row in rows if row.only_thinking and row.index < scene.last_turn)


def _edit(draft: Draft, row: Row, scene: Scene) -> None:
    if draft.type == "assistant" and draft.blocks and row.index < scene.last_turn:
        draft.drop_blocks(_NAME, _is_thinking)


def _is_thinking(block: Members) -> bool:
    return text_of(block.get("type")) in THINKING


RULES = (Rule(_NAME, "thinking of turns that are over", select=_select, edit=_edit),)
