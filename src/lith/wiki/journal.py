"""Entries in the wiki's log, and the hot page: what happened, when, and to which pages."""

import re
from collections.abc import Sequence
from datetime import tzinfo
from pathlib import Path

import msgspec

from lith.errors import UsageError
from lith.kernel.clock import format_iso
from lith.wiki.address import find_page
from lith.wiki.dates import local_day
from lith.wiki.errors import PlanStale
from lith.wiki.fold.extract import clip, extract
from lith.wiki.fold.plan import foldable_entries, log_path
from lith.wiki.frontmatter import read_front
from lith.wiki.logbook import FOLD_OP, Entry, insert_entries, parse_log
from lith.wiki.snapshot import Snapshot, load
from lith.wiki.transaction import Change, Written, current_digest, digest_of, writing
from lith.wiki.vault import PAGE_SUFFIX, Vault

HOT_WORDS = 500
GENERATOR = "lith wiki hot 1"
NEW_LOG = b'---\ntype: meta\ntitle: "Log"\n---\n\n# Log\n\nNewest entries at the top.\n'
_RECENT = 12


class Logged(msgspec.Struct, frozen=True):
    """The entry that was added: its id, the log's path, and its text."""

    id: str
    path: str
    text: str


class HotPlan(msgspec.Struct, frozen=True):
    """The hot page as it would be: its text, its number of words, and the digest of the page it replaces."""

    path: str
    text: str
    words: int
    before: str | None


def entry_text(op: str, title: str, bullets: Sequence[str], *, now: int, zone: tzinfo | None = None) -> str:
    """A log entry in the log's form, with the moment it was made. Raises `UsageError` for words that would break the form."""
    op, title = " ".join(op.split()), " ".join(title.split())
    if not op or not re.fullmatch(r"[\w .+-]{1,40}", op):
        raise UsageError(f"{op!r} cannot name an operation", hint="use a word such as ingest, save or note")
    if op.lower() == FOLD_OP:
        raise UsageError("entries of the operation 'fold' are written by folds only")
    if not title:
        raise UsageError("a log entry needs a title")
    stamp = format_iso(now)[:19] + "Z"
    lines = [f"## [{local_day(now, zone)}] {op} | {title}", f"- Time: {stamp}"]
    lines += [f"- {' '.join(bullet.split())}" for bullet in bullets if bullet.strip()]
    return "\n".join(lines)


def add_log(
    vault: Vault,
    op: str,
    title: str,
    bullets: Sequence[str] = (),
    pages: Sequence[str | Path] = (),
    *,
    now: int,
    zone: tzinfo | None = None,
) -> Logged:
    """Add one entry to the log, with the pages it touches as links. Writes at once."""
    with writing(vault, now=now) as writer:
        path = log_path(vault)
        links = []
        if pages:
            snapshot = load(vault)
            links = [f"Pages: {', '.join(f'[[{link_name(snapshot, find_page(snapshot, page))}]]' for page in pages)}"]
        text = entry_text(op, title, [*links, *bullets], now=now, zone=zone)
        old = writer.read(path)
        data, puts = insert_entries(NEW_LOG if old is None else old, [text])
        before = None if old is None else digest_of(old)
        writer.commit("log", [Change(path, before, data)])
    added = parse_log(puts[0].strip() + b"\n")
    return Logged(id=added[0].id, path=path, text=text)


def link_name(snapshot: Snapshot, path: str) -> str:
    """The shortest link target that means this page."""
    stem = path.rsplit("/", 1)[-1][: -len(PAGE_SUFFIX)]
    return stem if snapshot.resolver.resolve_name(stem).path == path else path[: -len(PAGE_SUFFIX)]


def plan_hot(vault: Vault) -> HotPlan:
    """The hot page rebuilt from log and pages: the same vault gives the same page, whatever the day is."""
    snapshot = load(vault)
    path = f"{vault.base}hot.md"
    place = vault.at(path)
    old = place.read_bytes() if place.is_file() else None
    front = read_front(old) if old is not None else None
    if old is not None and front is not None and front.block is not None:
        head = old[: front.body].decode("utf-8", "replace").replace("\r\n", "\n")
    else:
        head = f'---\ntype: meta\ntitle: "Hot"\ngenerator: {GENERATOR}\n---\n'
    lines = _hot_lines(snapshot)
    budget = HOT_WORDS - len(head.split())
    kept: list[str] = []
    for line in lines:
        cost = len(line.split())
        if cost <= budget:
            kept.append(line)
            budget -= cost
    text = head + "\n" + "\n".join(_without_empty_sections(kept)) + "\n"
    return HotPlan(path=path, text=text, words=len(text.split()), before=current_digest(place))


def apply_hot(vault: Vault, plan: HotPlan, *, now: int) -> Written:
    """Write a planned hot page. Raises `PlanStale` when the page changed since."""
    with writing(vault, now=now) as writer:
        if current_digest(vault.at(plan.path)) != plan.before:
            raise PlanStale(f"{plan.path} changed since the plan was made; nothing was written", hint="make the plan again")
        return writer.commit("hot", [Change(plan.path, plan.before, plan.text.encode())])


def _hot_lines(snapshot: Snapshot) -> list[str]:
    entries = list(reversed(foldable_entries(snapshot)))
    recent = entries[:_RECENT]
    lines = ["# Hot", "", f"As of {recent[0].date}." if recent else "The log is empty.", "", "## Recent"]
    questions: list[str] = []
    touched: dict[str, None] = {}
    for entry in recent:
        taken = extract(entry, snapshot.resolver, log_path(snapshot.vault))
        lines.append(_entry_line(snapshot, entry, taken.pages))
        questions += [f"- {text}" for text in taken.questions]
        touched.update(dict.fromkeys(taken.pages))
    lines += ["", "## Open questions", *dict.fromkeys(questions)]
    named = [path for path in snapshot.content if snapshot.pages[path].updated or snapshot.pages[path].created]
    latest = sorted(named, key=lambda path: (-snapshot.updated(path).toordinal(), path))[:_RECENT]
    lines += ["", "## Recently updated pages"]
    lines += [f"- [[{link_name(snapshot, path)}]] ({snapshot.updated(path)})" for path in latest if path not in touched]
    return lines


def _entry_line(snapshot: Snapshot, entry: Entry, pages: Sequence[str]) -> str:
    links = ", ".join(f"[[{link_name(snapshot, path)}]]" for path in pages[:4])
    return f"- {entry.date} {entry.op}: {clip(entry.title)}" + (f" ({links})" if links else "")


def _without_empty_sections(lines: Sequence[str]) -> list[str]:
    kept: list[str] = []
    for number, line in enumerate(lines):
        following = next((other for other in lines[number + 1 :] if other), "## ")
        if not (line.startswith("## ") and following.startswith("## ")):
            kept.append(line)
    while kept and not kept[-1]:
        kept.pop()
    return [line for number, line in enumerate(kept) if line or (number and kept[number - 1])]
