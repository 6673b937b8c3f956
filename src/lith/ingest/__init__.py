"""The only writer of the map: `sync`, and the inventory that it and `status` start from.

The door of the room. What a sync needs (parsing, processes) is imported when somebody asks for it: `status` only takes an inventory.
"""

from typing import TYPE_CHECKING, Any

from lith.ingest.inventory import Inventory, take_inventory
from lith.ingest.report import FileProblem, Progress, RootSpec, SyncReport, SyncRequest, Totals

if TYPE_CHECKING:
    from lith.ingest.syncing import sync

__all__ = ["FileProblem", "Inventory", "Progress", "RootSpec", "SyncReport", "SyncRequest", "Totals", "sync", "take_inventory"]


def __getattr__(name: str) -> Any:
    """Import `sync` when it is asked for."""
    if name != "sync":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from lith.ingest.syncing import sync  # noqa: PLC0415

    return sync
