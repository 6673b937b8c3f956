"""What can be wrong with addresses, and the page that an address names. Reads only; `verify` and `lint` share the checks."""

from collections.abc import Iterator

import msgspec

from lith.errors import AmbiguousAddress, BadSelector
from lith.wiki.address import derived_book
from lith.wiki.addresses import (
    Book,
    content_mark,
    counter_file,
    duplicates,
    parse_address,
    parse_reference,
    read_book,
    read_counter,
)
from lith.wiki.errors import PageNotFound, VaultDamaged
from lith.wiki.fold.ledger import Ledger, read_ledger
from lith.wiki.manifest import Manifest, read_manifest
from lith.wiki.snapshot import Snapshot, load, read_bytes
from lith.wiki.vault import Vault


class AddressIssue(msgspec.Struct, frozen=True):
    """One thing wrong: its rule, the page (or state file) it is about, and a sentence.

    `repair` names the one right answer where there is one: `counter`, `moved` (the manifest follows the page), `lost` (the page
    gets its address back).
    """

    rule: str
    path: str
    message: str
    address: str = ""
    repair: str = ""


class AddressReport(msgspec.Struct, frozen=True):
    """The result of `verify`: pages with an address, the next free numbers, and what is wrong."""

    checked: int
    next: dict[str, int]
    issues: list[AddressIssue]


class Addressed(msgspec.Struct, frozen=True):
    """The page of an address: `hashed` and `folded` are its longer spellings now, `stale` says that a given hash is old."""

    address: str
    path: str
    title: str
    hashed: str
    folded: str | None
    stale: bool
    text: str


def check_addresses(snapshot: Snapshot, manifest: Manifest) -> list[AddressIssue]:
    """Every problem with addresses, counters, manifest and content hashes, except pages that have none."""
    return list(_iter_issues(snapshot, manifest))


def _iter_issues(snapshot: Snapshot, manifest: Manifest) -> Iterator[AddressIssue]:
    book = derived_book(snapshot, manifest)
    for path, facts in snapshot.pages.items():
        if facts.address and parse_address(facts.address) is None:
            yield AddressIssue("bad-address", path, f"{facts.address!r} is not an address like c-000042", facts.address)
    for address, paths in duplicates(book):
        for path in paths[1:]:
            yield AddressIssue("duplicate-address", path, f"{address} is also the address of {paths[0]}", address)
    yield from _counter_issues(snapshot, book)
    yield from _manifest_issues(snapshot, manifest, book)
    yield from _hash_issues(snapshot, book)


def _counter_issues(snapshot: Snapshot, book: Book) -> Iterator[AddressIssue]:
    for kind in ("c", "l"):
        needed = book.next_number(kind)
        try:
            counter = read_counter(snapshot.vault, kind)
        except VaultDamaged as error:
            yield AddressIssue("counter-drift", counter_file(kind), error.message)
            continue
        if counter is not None and counter < needed:
            yield AddressIssue(
                "counter-drift",
                counter_file(kind),
                f"the counter says {counter}, but {needed - 1} was given already",
                repair="counter",
            )
        elif counter is None and needed > 1:
            yield AddressIssue(
                "counter-drift", counter_file(kind), f"the counter is missing; the next number is {needed}", repair="counter"
            )


def _manifest_issues(snapshot: Snapshot, manifest: Manifest, book: Book) -> Iterator[AddressIssue]:
    for path, address in sorted(manifest.address_map.items()):
        plain = address.partition(":")[0]
        facts = snapshot.pages.get(path)
        owners = book.pages.get(plain, [])
        if facts is not None and facts.address and facts.plain_address != plain:
            yield AddressIssue("manifest-drift", path, f"the manifest says {plain}, the page {facts.plain_address}", plain)
        elif facts is not None and not facts.address:
            yield AddressIssue("manifest-drift", path, f"the manifest says {plain}, the page has lost its address", plain, "lost")
        elif facts is None and len(owners) == 1:
            yield AddressIssue("manifest-drift", owners[0], f"{plain} moved here from {path}", plain, "moved")


def _hash_issues(snapshot: Snapshot, book: Book) -> Iterator[AddressIssue]:
    for path, facts in snapshot.pages.items():
        own = [facts.address] if ":" in facts.address else []
        for text in own + facts.cites:
            reference = parse_reference(text)
            owners = book.pages.get(reference.address, []) if reference is not None else []
            if reference is None or reference.content is None or len(owners) != 1:
                continue
            now = content_mark(snapshot.pages[owners[0]])
            if now != reference.content:
                yield AddressIssue("stale-hash", path, f"{text} is old: {owners[0]} is now {reference.address}:h{now}", text)


def verify_addresses(vault: Vault) -> AddressReport:
    """Check every address of the vault."""
    snapshot = load(vault)
    manifest = read_manifest(vault)
    issues = check_addresses(snapshot, manifest)
    try:
        book = read_book(snapshot, manifest)
    except VaultDamaged:
        book = derived_book(snapshot, manifest)
    return AddressReport(
        checked=sum(1 for facts in snapshot.pages.values() if facts.address),
        next={kind: book.next_number(kind) for kind in ("c", "l")},
        issues=issues,
    )


def resolve_address(vault: Vault, text: str) -> Addressed:
    """The page of an address in any of its spellings, or of a unique prefix of one.

    Raises `BadSelector` for what is no address, `AmbiguousAddress` with the candidates, `PageNotFound` with what is known.
    """
    snapshot = load(vault)
    manifest = read_manifest(vault)
    book = derived_book(snapshot, manifest)
    ledger = read_ledger(vault)
    reference = parse_reference(text)
    if reference is None:
        raise BadSelector(f"{text!r} is not an address", hint="addresses look like c-000042 or l-000007")
    address = reference.address if reference.address in book.pages else _by_prefix(text, book)
    if address is None:
        known = [path for path, given in manifest.address_map.items() if given.partition(":")[0] == reference.address]
        where = f"; it was given to {known[0]}, which is gone" if known else ""
        raise PageNotFound(
            f"no page has the address {reference.address}{where}", hint="lith wiki address verify says what there is"
        )
    paths = book.pages[address]
    if len(paths) > 1:
        raise AmbiguousAddress(f"{address} is the address of {', '.join(paths)}", hint="lith wiki lint shows how to part them")
    return _addressed(snapshot, ledger, address, paths[0], reference.content, reference.fold)


def _by_prefix(text: str, book: Book) -> str | None:
    prefix = text.strip().rpartition("/")[2].partition(":")[0]
    matches = sorted(address for address in book.pages if address.startswith(prefix) and parse_address(address))
    if len(matches) > 1:
        shown = ", ".join(matches[:8]) + (" …" if len(matches) > 8 else "")
        raise AmbiguousAddress(f"{prefix} can be {shown}", hint="type more of it")
    return matches[0] if matches else None


def _addressed(
    snapshot: Snapshot, ledger: Ledger, address: str, path: str, content: str | None, fold: tuple[int, int] | None
) -> Addressed:
    facts = snapshot.pages[path]
    folds = ledger.folds_of_page(address)
    if fold is not None and fold not in folds:
        raise PageNotFound(f"{address} is not in the fold f{fold[0]}.{fold[1]}", hint=f"its page is {path}")
    lowest = fold or (folds[0] if folds else None)
    now = content_mark(facts)
    return Addressed(
        address=address,
        path=path,
        title=facts.title,
        hashed=f"{address}:h{now}",
        folded=f"f{lowest[0]}.{lowest[1]}/{address}" if lowest else None,
        stale=content is not None and content != now,
        text=read_bytes(snapshot.vault, path).decode("utf-8", "replace"),
    )
