"""What a rule is: a name, a sentence for the preview, and either a choice of records to remove or an edit of one record."""

from collections.abc import Callable, Iterable, Sequence

import msgspec

from lith.keep.draft import Draft
from lith.keep.outline import Row

MODES = ("resume", "extract")
"""What a pruned file is for: to be resumed by the client, or to be read as one conversation without compaction walls."""


class Scene(msgspec.Struct, frozen=True):
    """What rules may know beyond the record: `limit` is how long a text may be, `last_turn` the row where the last prompt stands."""

    limit: int
    last_turn: int
    last_wall: int


Select = Callable[[Sequence[Row], Scene], Iterable[int]]
Edit = Callable[[Draft, Row, Scene], None]


class Rule(msgspec.Struct, frozen=True):
    """A named rule. `select` chooses rows to remove, `edit` shortens one record; `modes` are those in which it is on by default."""

    name: str
    says: str
    select: Select | None = None
    edit: Edit | None = None
    modes: tuple[str, ...] = MODES
