"""New pages with address and provenance, in one transaction with counter, manifest and log.

`ingest` uses it, and so does every operation outside this room that adds pages (`capture`). It changes an existing page only where a draft
names it with the digest that it must have.
"""

import re
from collections.abc import Sequence
from datetime import tzinfo

import msgspec

from lith.errors import UsageError
from lith.wiki.address import Assigned, Assignment, Skipped, state_changes
from lith.wiki.addresses import format_address, read_book
from lith.wiki.dates import local_day
from lith.wiki.fold.plan import log_path
from lith.wiki.frontmatter import quote
from lith.wiki.journal import NEW_LOG, entry_text
from lith.wiki.logbook import insert_entries
from lith.wiki.manifest import read_manifest
from lith.wiki.snapshot import load
from lith.wiki.transaction import Change, digest_of, writing
from lith.wiki.vault import Vault, confine, fold_name, safe_name

Field = str | list[str]

_HARMLESS = (
    (re.compile(r"\[{2,}"), "["),
    (re.compile(r"\]{2,}"), "]"),
    (re.compile(r"`"), "'"),
    (re.compile(r"<(?=[A-Za-z/!?])"), "&lt;"),
    (re.compile(r"%(?=%)"), r"%\\"),
    (re.compile(r"!\["), r"!\\["),
    (re.compile(r"\]\("), "] ("),
)


class Draft(msgspec.Struct, frozen=True):
    """A page to be made: title, type, body without frontmatter, the folder under the wiki, and more frontmatter fields.

    With `before`, the page at `page` is written anew if it still has that digest; its address and its day of creation stay.
    """

    title: str
    body: str
    type: str = "concept"
    folder: str = "concepts"
    fields: dict[str, Field] = {}
    page: str = ""
    before: str | None = None


def plain(text: str) -> str:
    """Foreign text on one line, without anything that would be a link, an image, code, HTML or a comment on a page."""
    flat = " ".join(text.split())
    for mark, harmless in _HARMLESS:
        flat = mark.sub(harmless, flat)
    return flat.strip()


def page_text(draft: Draft, *, address: str, day: str, created: str | None = None) -> bytes:
    """The bytes of a drafted page: frontmatter that any YAML loader reads back as given, then the body."""
    head: dict[str, Field] = {
        "type": draft.type, "title": draft.title, "created": created or day, "updated": day, "address": address, **draft.fields,
    }  # fmt: skip
    plain = {"created", "updated", "address"}
    lines = ["---"]
    for key, value in head.items():
        if not key.replace("_", "").replace("-", "").isalnum():
            raise UsageError(f"{key!r} cannot be a frontmatter key")
        if isinstance(value, list):
            lines += [f"{key}:" + (" []" if not value else ""), *(f"  - {quote(item)}" for item in value)]
        else:
            lines.append(f"{key}: {value if key in plain else quote(value)}")
    return ("\n".join([*lines, "---", ""]) + "\n" + draft.body.strip("\n") + "\n").encode("utf-8", "replace")


def draft_path(vault: Vault, draft: Draft) -> str:
    """Where a drafted page goes. Raises `OutsideVault` for a folder that leaves the vault."""
    folder = confine(vault, draft.folder).strip("/") if draft.folder.strip("/") else ""
    parts = [part for part in f"{vault.base}{folder}".split("/") if part and part != "."]
    if any(part.startswith(".") for part in parts):
        raise UsageError(f"{draft.folder} is a hidden folder, which holds no pages")
    return "/".join([*parts, f"{safe_name(draft.title)}.md"])


def add_pages(
    vault: Vault,
    drafts: Sequence[Draft],
    *,
    op: str,
    title: str,
    now: int,
    zone: tzinfo | None = None,
    bullets: Sequence[str] = (),
) -> Assignment:
    """Make pages with addresses and one log entry, all or none. A new page whose place is taken is skipped, so a second run adds nothing.

    Raises `PlanStale` for a page to be written anew that is not what it was.
    """
    with writing(vault, now=now) as writer:
        snapshot = load(vault)
        manifest = read_manifest(vault)
        book = read_book(snapshot, manifest)
        number = book.next_number("c")
        taken = {fold_name(path) for path in snapshot.pages}
        day = local_day(now, zone).isoformat()
        items: list[Assigned] = []
        skipped: list[Skipped] = []
        changes: list[Change] = []
        for draft in drafts:
            path = draft.page if draft.before is not None else draft_path(vault, draft)
            if draft.before is None and fold_name(path) in taken:
                skipped.append(Skipped(path, "a page is there already"))
                continue
            taken.add(fold_name(path))
            old = snapshot.pages.get(path) if draft.before is not None else None
            kept = (old.plain_address if old is not None else "") or book.address_for(path)
            address = kept or format_address("c", number)
            number += 0 if kept else 1
            created = None if old is None else old.created
            changes.append(Change(path, draft.before, page_text(draft, address=address, day=day, created=created)))
            manifest.address_map[path] = address
            items.append(Assigned(path, address, draft.before is None))
        if changes:
            said = [*_page_bullets(items), *bullets]
            changes.append(log_change(vault, writer.read(log_path(vault)), entry_text(op, title, said, now=now, zone=zone)))
            changes += state_changes(writer, manifest, {"c": number})
            writer.commit(op, changes)
    return Assignment(items=items, skipped=skipped, next=format_address("c", number))


def _page_bullets(items: Sequence[Assigned]) -> list[str]:
    """The lines of a log entry that link what was made and what was written anew."""
    lines = []
    for name, new in (("Pages created", True), ("Pages updated", False)):
        links = [f"[[{item.path[:-3]}]]" for item in items if item.new is new]
        lines += [f"{name}: {', '.join(links)}"] if links else []
    return lines


def log_change(vault: Vault, old: bytes | None, text: str) -> Change:
    """The change that adds one entry to the log."""
    data, _ = insert_entries(NEW_LOG if old is None else old, [text])
    return Change(log_path(vault), None if old is None else digest_of(old), data)
