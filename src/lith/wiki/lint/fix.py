"""`lint --fix`: repairs that have exactly one right answer, planned first.

A dead wikilink whose name is, but for case, spaces and punctuation, that of exactly one page; a counter that is behind; a manifest
entry of a page that moved; an address that a page lost. The text that a reader sees never changes.
"""

import msgspec

from lith.wiki.address import derived_book
from lith.wiki.address_checks import check_addresses
from lith.wiki.addresses import counter_file
from lith.wiki.errors import PageBroken, PlanStale
from lith.wiki.frontmatter import add_line
from lith.wiki.journal import link_name
from lith.wiki.links import EMBED, MARKDOWN, Link, looks_like_name
from lith.wiki.lint.closest import Closest
from lith.wiki.manifest import MANIFEST, Manifest, read_manifest
from lith.wiki.resolve import DEAD
from lith.wiki.snapshot import Snapshot, load, read_bytes
from lith.wiki.transaction import Change, Written, current_digest, digest_of, writing
from lith.wiki.vault import Vault


class Repair(msgspec.Struct, frozen=True):
    """One repair: the rule it answers, where, and what it changes."""

    rule: str
    path: str
    line: int
    before: str
    after: str


class FixPlan(msgspec.Struct, frozen=True):
    """All repairs, and every file as it would be, with the digest it was planned on."""

    items: list[Repair]
    files: dict[str, bytes]
    state: dict[str, str | None]


def plan_fix(vault: Vault) -> FixPlan:
    """What `apply_fix` would change. Raises `VaultDamaged` for state files that must be repaired by hand first."""
    snapshot = load(vault)
    manifest = read_manifest(vault)
    items: list[Repair] = []
    files: dict[str, bytes] = {}
    closest = Closest(snapshot)
    for path in snapshot.pages:
        repairs, data = _link_repairs(snapshot, closest, path)
        if repairs and data is not None:
            items += repairs
            files[path] = data
    _address_repairs(snapshot, manifest, items, files)
    state = {path: current_digest(vault.at(path)) for path in files}
    return FixPlan(items=items, files=files, state=state)


def apply_fix(vault: Vault, plan: FixPlan, *, now: int) -> Written:
    """Make the planned repairs, all or none. Raises `PlanStale` when a file changed since."""
    with writing(vault, now=now) as writer:
        return writer.commit("lint --fix", [Change(path, plan.state[path], data) for path, data in plan.files.items()])


def _link_repairs(snapshot: Snapshot, closest: Closest, path: str) -> tuple[list[Repair], bytes | None]:
    facts = snapshot.pages[path]
    if facts.fold:
        return [], None
    wanted: list[tuple[Link, str]] = []
    for link in facts.links:
        if link.field or link.kind == MARKDOWN or not looks_like_name(link.target):
            continue
        if snapshot.resolve(link, path).kind == DEAD and (page := closest.find_same(link.target)):
            wanted.append((link, page))
    if not wanted:
        return [], None
    data = read_bytes(snapshot.vault, path)
    if digest_of(data) != facts.digest:
        raise PlanStale(f"{path} changed while the plan was made", hint="run it again")
    repairs: list[Repair] = []
    for link, page in reversed(wanted):
        before = data[link.start : link.end].decode("utf-8")
        after = _rewritten(link, before, link_name(snapshot, page), data)
        data = data[: link.start] + after.encode() + data[link.end :]
        repairs.append(Repair("dead-link", path, link.line, before, after))
    return repairs[::-1], data


def _rewritten(link: Link, before: str, name: str, data: bytes) -> str:
    """The link to the right page, showing what it showed before."""
    line_start = data.rfind(b"\n", 0, link.start) + 1
    pipe = "\\|" if "\\|" in before or data[line_start : link.start].lstrip().startswith(b"|") else "|"
    if link.kind == EMBED:
        return f"![[{name}{link.fragment}]]" if link.text is None else f"![[{name}{link.fragment}{pipe}{link.text}]]"
    return f"[[{name}{link.fragment}{pipe}{link.text or link.target}]]"


def _address_repairs(snapshot: Snapshot, manifest: Manifest, items: list[Repair], files: dict[str, bytes]) -> None:
    vault = snapshot.vault
    book = derived_book(snapshot, manifest)
    before = manifest.encode()
    for issue in check_addresses(snapshot, manifest):
        if issue.repair == "counter":
            kind = "c" if issue.path == counter_file("c") else "l"
            number = book.next_number(kind)
            files[issue.path] = f"{number}\n".encode()
            items.append(Repair(issue.rule, issue.path, 1, issue.message, f"the counter says {number}"))
        elif issue.repair == "moved":
            for old in [
                path for path, given in manifest.address_map.items() if given == issue.address and path not in snapshot.pages
            ]:
                del manifest.address_map[old]
            manifest.address_map[issue.path] = issue.address
            items.append(Repair(issue.rule, issue.path, 1, issue.message, f"the manifest says {issue.path}"))
        elif issue.repair == "lost" and not book.pages.get(issue.address):
            try:
                data = add_line(files.get(issue.path) or read_bytes(vault, issue.path), "address", issue.address)
            except PageBroken:
                continue
            files[issue.path] = data
            items.append(Repair(issue.rule, issue.path, 1, issue.message, f"address: {issue.address}"))
    if manifest.encode() != before:
        files[MANIFEST] = manifest.encode()
