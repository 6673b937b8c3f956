"""`wiki address resolve`: the page of an address."""

from lith.ops.runtime import Runtime
from lith.ops.wiki.place import VaultRequest, VaultResult, opened
from lith.wiki import resolve_address


class AddressResolveRequest(VaultRequest, frozen=True, kw_only=True):
    """An address in any of its spellings, or a unique prefix of one."""

    address: str


class AddressResolveResult(VaultResult, frozen=True, kw_only=True):
    """The page with its text. `hashed` and `folded` are longer spellings of the address; `stale` says that a given hash is old."""

    address: str
    path: str
    title: str
    hashed: str
    folded: str | None
    stale: bool
    text: str


def address_resolve(request: AddressResolveRequest, runtime: Runtime) -> AddressResolveResult:
    """Find the page. Raises `BadSelector`, `AmbiguousAddress`, `PageNotFound`."""
    with opened(request, runtime) as vault:
        found = resolve_address(vault, request.address)
    return AddressResolveResult(
        vault=str(vault.root),
        address=found.address,
        path=found.path,
        title=found.title,
        hashed=found.hashed,
        folded=found.folded,
        stale=found.stale,
        text=found.text,
    )
