"""`wiki address assign`: give pages an address, at once."""

from lith.ops.runtime import Runtime
from lith.ops.wiki.place import VaultRequest, VaultResult, opened, page_word
from lith.wiki import assign_addresses
from lith.wiki.address import Assigned, Skipped


class AddressAssignRequest(VaultRequest, frozen=True, kw_only=True):
    """Pages by path or name; none means all that need an address."""

    pages: tuple[str, ...] = ()


class AddressAssignResult(VaultResult, frozen=True, kw_only=True):
    """Each page with its address (`new` when this run wrote it), those that could not take one, and the next free address."""

    items: list[Assigned]
    total: int
    skipped: list[Skipped]
    free: str


def address_assign(request: AddressAssignRequest, runtime: Runtime) -> AddressAssignResult:
    """Assign addresses. Raises `PageNotFound`, `PageBroken`, `Locked`."""
    with opened(request, runtime) as vault:
        done = assign_addresses(vault, [page_word(page, vault, runtime) for page in request.pages], now=runtime.clock())
    return AddressAssignResult(
        vault=str(vault.root), items=done.items, total=len(done.items), skipped=done.skipped, free=done.next
    )
