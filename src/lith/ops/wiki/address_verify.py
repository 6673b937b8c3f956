"""`wiki address verify`: everything that is wrong with addresses, counters, manifest and content hashes."""

import msgspec

from lith.ops.runtime import Runtime
from lith.ops.wiki.place import VaultRequest, VaultResult, command, opened
from lith.wiki import verify_addresses
from lith.wiki.addresses import format_address
from lith.wiki.lint.report import ERROR, RULES


class AddressVerifyRequest(VaultRequest, frozen=True, kw_only=True):
    """There is nothing more to say."""


class Issue(msgspec.Struct, frozen=True):
    """One thing wrong: rule, severity, the page or state file, and a sentence; `fixable` where `lint --fix` repairs it."""

    rule: str
    severity: str
    path: str
    message: str
    address: str | None
    fixable: bool


class AddressVerifyResult(VaultResult, frozen=True, kw_only=True):
    """`checked` pages have an address; `free` are the next free addresses."""

    checked: int
    free: list[str]
    items: list[Issue]
    total: int
    errors: int
    next: list[list[str]] | None = None


def address_verify(request: AddressVerifyRequest, runtime: Runtime) -> AddressVerifyResult:
    """Check every address of the vault. Raises `VaultDamaged`."""
    with opened(request, runtime) as vault:
        report = verify_addresses(vault)
    items = [
        Issue(issue.rule, RULES[issue.rule][0], issue.path, issue.message, issue.address or None, bool(issue.repair))
        for issue in report.issues
    ]
    fixable = any(item.fixable for item in items)
    return AddressVerifyResult(
        vault=str(vault.root),
        checked=report.checked,
        free=[format_address(kind, number) for kind, number in report.next.items()],
        items=items,
        total=len(items),
        errors=sum(item.severity == ERROR for item in items),
        next=[command(request, runtime, "lint", "--fix")] if fixable else None,
    )
