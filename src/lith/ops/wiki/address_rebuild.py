"""`wiki address rebuild`: recover the counters from the pages and the manifest."""

from lith.ops.runtime import Runtime
from lith.ops.wiki.place import VaultRequest, VaultResult, opened
from lith.wiki import rebuild_counters
from lith.wiki.address import Rebuilt


class AddressRebuildRequest(VaultRequest, frozen=True, kw_only=True):
    """There is nothing more to say."""


class AddressRebuildResult(VaultResult, frozen=True, kw_only=True):
    """Each counter before (absent: there was none) and after."""

    items: list[Rebuilt]
    total: int


def address_rebuild(request: AddressRebuildRequest, runtime: Runtime) -> AddressRebuildResult:
    """Rebuild the counters. Raises `CounterBackwards` when that would lower one."""
    with opened(request, runtime) as vault:
        items = rebuild_counters(vault, now=runtime.clock())
    return AddressRebuildResult(vault=str(vault.root), items=items, total=len(items))
