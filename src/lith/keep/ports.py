"""What `keep` needs from the rest of the house, as protocols that `ops` fulfils.

`keep` never opens the map and never looks for processes on its own: it asks through these.
"""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Protocol

from lith.archive import Generation
from lith.keep.receipts import Receipt


class MapPort(Protocol):
    """The map, as far as pruning goes."""

    def index_generation(self, generation: Generation) -> None:
        """Take in a generation as a file of role `generation`, so that its records are copies. Raises `LithError`."""
        ...

    def find_unindexed(self, generation: Generation, hashes: Collection[bytes]) -> Collection[bytes]:
        """Those of the content hashes (`kernel.ids.digest`) that the map has no copy of in the generation."""
        ...

    def note_receipt(self, receipt: Receipt) -> None:
        """Learn which records were shortened from which, so that the originals stay the best copies. Raises `LithError`."""
        ...

    def resync(self, path: Path) -> None:
        """Bring the map up to date with a live file that was rewritten. Raises `LithError`."""
        ...


class LivePort(Protocol):
    """Who uses a session at this moment."""

    def find_holders(self, path: Path, session: str) -> Sequence[str]:
        """Processes that hold the file or the session, in words; none where that cannot be told."""
        ...
