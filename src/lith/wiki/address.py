"""Addresses for pages: assign, backfill, rebuild, and the page that an address names.

Every allocation happens under the vault's lock and ends in one transaction of pages, counter and manifest, so a number is
given once, whatever dies or runs beside it.
"""

from collections.abc import Sequence
from datetime import tzinfo
from pathlib import Path

import msgspec

from lith.wiki.addresses import Book, counter_file, format_address, read_book, read_counter
from lith.wiki.adoption import read_adoption
from lith.wiki.errors import CounterBackwards, PageBroken, PageNotFound, PlanStale, VaultDamaged
from lith.wiki.frontmatter import add_line
from lith.wiki.manifest import MANIFEST, Manifest, encode_if_changed, read_manifest
from lith.wiki.snapshot import Snapshot, load
from lith.wiki.transaction import Change, Writer, digest_of, writing
from lith.wiki.vault import PAGE_SUFFIX, Vault, confine


class Assigned(msgspec.Struct, frozen=True):
    """A page with its address; `new` when this run wrote it."""

    path: str
    address: str
    new: bool


class Skipped(msgspec.Struct, frozen=True):
    """A page that could not take an address, and why."""

    path: str
    reason: str


class Assignment(msgspec.Struct, frozen=True):
    """What an assignment did, and the next free address."""

    items: list[Assigned]
    skipped: list[Skipped]
    next: str


class Backfill(msgspec.Struct, frozen=True):
    """The plan of a backfill: legacy pages in order, each with the address it would get and the digest it was planned on."""

    items: list[Assigned]
    skipped: list[Skipped]
    digests: dict[str, str]


class Rebuilt(msgspec.Struct, frozen=True):
    """A counter before (None: there was none) and after a rebuild."""

    kind: str
    before: int | None
    after: int


def find_page(snapshot: Snapshot, name: str | Path) -> str:
    """The page that a path or a name means. Raises `PageNotFound`, which names the candidates of an ambiguous name."""
    text = confine(snapshot.vault, name)
    for path in (text, text + PAGE_SUFFIX):
        if path in snapshot.pages:
            return path
    found = snapshot.resolver.resolve_name(text)
    if found.kind == "page":
        return found.path
    if found.candidates:
        raise PageNotFound(f"{name} can be {', '.join(found.candidates)}", hint="give the path of one of them")
    from lith.wiki.lint.closest import Closest  # noqa: PLC0415 -- only for a page that is not there

    near = Closest(snapshot).find_similar(text)
    raise PageNotFound(
        f"no page {name} in the vault {snapshot.vault.root}",
        hint=f"the closest page is {near}" if near else "give its path in the vault, its name, or an alias",
    )


def assign_addresses(vault: Vault, pages: Sequence[str | Path] = (), *, now: int, zone: tzinfo | None = None) -> Assignment:
    """Give each page an address (one that has one keeps it); without pages, all that need one. Writes at once."""
    with writing(vault, now=now) as writer:
        snapshot = load(vault)
        manifest = read_manifest(vault)
        book = read_book(snapshot, manifest)
        paths = [find_page(snapshot, page) for page in pages] if pages else pages_without(snapshot, zone)
        number = book.next_number("c")
        items: list[Assigned] = []
        skipped: list[Skipped] = []
        changes: list[Change] = []
        for path in dict.fromkeys(paths):
            facts = snapshot.pages[path]
            if facts.address:
                items.append(Assigned(path, facts.address, False))
                continue
            kept = book.address_for(path)
            address = kept or format_address("c", number)
            try:
                changes.append(addressed(writer, path, address))
            except PageBroken as error:
                if pages:
                    raise PageBroken(f"{path}: {error.message}", hint=error.hint) from error
                skipped.append(Skipped(path, error.message))
                continue
            number += 0 if kept else 1
            items.append(Assigned(path, address, True))
            manifest.address_map[path] = address
        if changes:
            changes += state_changes(writer, manifest, {"c": number})
            writer.commit("address assign", changes)
    return Assignment(items=items, skipped=skipped, next=format_address("c", number))


def pages_without(snapshot: Snapshot, zone: tzinfo | None = None) -> list[str]:
    """The pages that must have an address and have none, in order of creation."""
    adoption = read_adoption(snapshot, zone)
    bare = [path for path in snapshot.content if not snapshot.pages[path].address]
    wanted = [path for path in bare if not adoption.adopted or not adoption.is_legacy(snapshot, path, zone)]
    return sorted(wanted, key=lambda path: (snapshot.created(path, zone), path))


def addressed(writer: Writer, path: str, address: str, *, planned_on: str | None = None) -> Change:
    """The change that adds an address to a page. Raises `PageBroken`, or `PlanStale` when it is not what the plan was made on."""
    data = writer.read(path)
    if data is None or (planned_on is not None and digest_of(data) != planned_on):
        raise PlanStale(f"{path} changed meanwhile; nothing was written", hint="run it again")
    return Change(path, digest_of(data), add_line(data, "address", address))


def state_changes(writer: Writer, manifest: Manifest, numbers: dict[str, int]) -> list[Change]:
    """The changes of counters and manifest that go with new addresses."""
    changes = [writer.change(counter_file(kind), f"{number}\n".encode()) for kind, number in numbers.items()]
    encoded = encode_if_changed(writer, manifest)
    if encoded is not None:
        changes.append(writer.change(MANIFEST, encoded))
    return changes


def plan_backfill(vault: Vault, *, zone: tzinfo | None = None) -> Backfill:
    """What `apply_backfill` would do: `l-` addresses for legacy pages, ordered by `created`, then first commit, then path."""
    snapshot = load(vault)
    adoption = read_adoption(snapshot, zone)
    book = read_book(snapshot, read_manifest(vault))
    legacy = [path for path in snapshot.content if not snapshot.pages[path].address and adoption.is_legacy(snapshot, path, zone)]
    skipped = [Skipped(path, "its frontmatter is broken") for path in legacy if snapshot.pages[path].broken]
    commits = snapshot.git_dates if legacy else {}
    ready = sorted(
        (path for path in legacy if not snapshot.pages[path].broken),
        key=lambda path: (snapshot.created(path, zone), commits.get(path, (1 << 62, 0))[0], path),
    )
    number = book.next_number("l")
    items: list[Assigned] = []
    for path in ready:
        kept = book.address_for(path)
        items.append(Assigned(path, kept or format_address("l", number), True))
        number += 0 if kept else 1
    return Backfill(items=items, skipped=skipped, digests={path: snapshot.pages[path].digest for path in ready})


def apply_backfill(vault: Vault, plan: Backfill, *, now: int) -> Assignment:
    """Write a planned backfill, all pages or none. Raises `PlanStale` when a page or the counter moved since."""
    with writing(vault, now=now) as writer:
        manifest = read_manifest(vault)
        book = read_book(load(vault), manifest)
        number = book.next_number("l")
        changes: list[Change] = []
        skipped = list(plan.skipped)
        done: list[Assigned] = []
        for item in plan.items:
            kept = book.address_for(item.path)
            if item.address != (kept or format_address("l", number)):
                raise PlanStale("addresses were given since the plan was made; nothing was written", hint="make the plan again")
            number += 0 if kept else 1
            try:
                changes.append(addressed(writer, item.path, item.address, planned_on=plan.digests[item.path]))
            except PageBroken as error:
                skipped.append(Skipped(item.path, error.message))
                continue
            manifest.address_map[item.path] = item.address
            done.append(item)
        if changes:
            writer.commit("address backfill", changes + state_changes(writer, manifest, {"l": number}))
    return Assignment(items=done, skipped=skipped, next=format_address("l", number))


def rebuild_counters(vault: Vault, *, now: int) -> list[Rebuilt]:
    """Set the counters from pages and manifest. Raises `CounterBackwards` when that would lower one."""
    with writing(vault, now=now) as writer:
        snapshot = load(vault)
        manifest = read_manifest(vault)
        done: list[Rebuilt] = []
        changes: list[Change] = []
        for kind in ("c", "l"):
            try:
                before = read_counter(vault, kind)
            except VaultDamaged:
                before = None
            derived = derived_book(snapshot, manifest).next_number(kind)
            if before is None and kind == "l" and derived == 1:
                continue
            if before is not None and derived < before:
                raise CounterBackwards(
                    f"{counter_file(kind)} says {before}, the pages and the manifest only know up to {derived - 1}",
                    hint="numbers of deleted pages are never given again, so the counter stays as it is",
                )
            changes.append(writer.change(counter_file(kind), f"{derived}\n".encode()))
            done.append(Rebuilt(kind, before, derived))
        writer.commit("address rebuild", changes)
    return done


def derived_book(snapshot: Snapshot, manifest: Manifest) -> Book:
    """The book without its counters: what pages and manifest alone know."""
    pages: dict[str, list[str]] = {}
    for path, facts in snapshot.pages.items():
        if facts.address:
            pages.setdefault(facts.plain_address, []).append(path)
    return Book(counters={}, pages=pages, mapped={path: text.partition(":")[0] for path, text in manifest.address_map.items()})
