"""The frontier: pages that point at much, are pointed at by little, and were touched lately.

    out(p)     = distinct stem wikilinks in the body of p that resolve to scoreable pages, p itself excluded
    in(p)      = distinct scoreable pages whose body links to p
    recency(p) = exp(-days since p was updated / 30)
    score(p)   = (out(p) - in(p)) * recency(p)

It is agenda control, no measure of truth: it proposes, the user chooses. Reads only; scores are never stored.
"""

import math
from collections.abc import Sequence
from datetime import date, tzinfo
from pathlib import Path

import msgspec

from lith.errors import UsageError
from lith.wiki.address import find_page
from lith.wiki.dates import local_day
from lith.wiki.links import EMBED, WIKI, looks_like_name
from lith.wiki.resolve import DEAD, PAGE
from lith.wiki.snapshot import Snapshot, load, many_values
from lith.wiki.vault import Vault

DECAY_DAYS = 30
TOP = 5


class Scored(msgspec.Struct, frozen=True):
    """A page with its score and everything that makes it: degrees, age in days, weight, and names it links that nothing answers to."""

    path: str
    title: str
    address: str | None
    score: float
    out: int
    into: int = msgspec.field(name="in")
    days: int
    updated: str
    recency: float
    links: list[str]
    linked_by: list[str]
    unresolved: list[str]


class Frontier(msgspec.Struct, frozen=True):
    """The best pages of a vault, best first, out of `total` scoreable ones."""

    items: list[Scored]
    total: int


class Topic(msgspec.Struct, frozen=True):
    """What a research prompt needs of a chosen page; a free topic has no path."""

    title: str
    path: str | None = None
    address: str | None = None
    score: float | None = None
    links: list[str] = []
    linked_by: list[str] = []
    unresolved: list[str] = []
    headings: list[str] = []


def rank_frontier(
    vault: Vault,
    *,
    now: int,
    zone: tzinfo | None = None,
    top: int = TOP,
    page: str | Path | None = None,
    aliases: bool = False,
) -> Frontier:
    """Score the vault's pages; `aliases` also counts links that resolve by an alias. Raises `UsageError`, `PageNotFound`."""
    if top < 1:
        raise UsageError(f"the number of pages is {top}, but must be at least 1")
    with many_values():
        snapshot = load(vault)
        out, unresolved = _degrees(snapshot, aliases=aliases)
    into: dict[str, list[str]] = {path: [] for path in out}
    for path, targets in out.items():
        for target in targets:
            into[target].append(path)
    today = local_day(now, zone)
    if page is not None:
        path = find_page(snapshot, page)
        if path not in out:
            raise UsageError(f"{path} is about the wiki itself, so it has no score")
        wanted: Sequence[str] = [path]
    else:
        scores = {path: _score(snapshot, path, len(out[path]), len(into[path]), today, zone)[0] for path in out}
        wanted = sorted(out, key=lambda path: (-scores[path], path))[:top]
    items = [_scored(snapshot, path, out[path], into[path], unresolved[path], today, zone) for path in wanted]
    return Frontier(items=items, total=len(out))


def _degrees(snapshot: Snapshot, *, aliases: bool) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """For every scoreable page: the scoreable pages its body links (each once), and its unresolved names."""
    out: dict[str, list[str]] = {path: [] for path in snapshot.content}
    unresolved: dict[str, list[str]] = {}
    hows = {"path", "stem", "alias"} if aliases else {"path", "stem"}
    resolve = snapshot.resolver.resolve
    for path in out:
        found: dict[str, None] = {}
        missing: dict[str, None] = {}
        for link in snapshot.pages[path].links:
            if link.field or link.kind not in {WIKI, EMBED}:
                continue
            meaning = resolve(link, path)
            if meaning.kind == PAGE:
                if meaning.how in hows and meaning.path != path and meaning.path in out:
                    found[meaning.path] = None
            elif meaning.kind == DEAD and looks_like_name(link.target):
                missing[link.target] = None
        out[path] = list(found)
        unresolved[path] = list(missing)
    return out, unresolved


def _score(
    snapshot: Snapshot, path: str, out: int, into: int, today: date, zone: tzinfo | None
) -> tuple[float, int, float, date]:
    updated = snapshot.updated(path, zone)
    days = max(0, (today - updated).days)
    recency = math.exp(-days / DECAY_DAYS)
    return (out - into) * recency, days, recency, updated


def _scored(
    snapshot: Snapshot, path: str, out: list[str], into: list[str], unresolved: list[str], today: date, zone: tzinfo | None
) -> Scored:
    score, days, recency, updated = _score(snapshot, path, len(out), len(into), today, zone)
    facts = snapshot.pages[path]
    return Scored(
        path,
        facts.title,
        facts.plain_address or None,
        score,
        len(out),
        len(into),
        days,
        updated.isoformat(),
        recency,
        out,
        into,
        unresolved,
    )


def choose_topic(
    vault: Vault, choice: str, *, now: int, zone: tzinfo | None = None, top: int = TOP, aliases: bool = False
) -> Topic:
    """The topic behind a choice: a page of the frontier by its number (from 1) or name, else the words as a free topic.

    A number that is not on the list is an error, never a topic. Raises `UsageError`.
    """
    words = choice.strip()
    if not words:
        raise UsageError("no topic was chosen", hint="give a number of the list, a page, or a topic in words")
    if words.isdigit():
        listed = rank_frontier(vault, now=now, zone=zone, top=top, aliases=aliases).items
        if not 1 <= int(words) <= len(listed):
            raise UsageError(f"{words} is not on the list", hint=f"the list has {len(listed)} topics")
        return _topic(load(vault), listed[int(words) - 1])
    snapshot = load(vault)
    found = snapshot.resolver.resolve_name(words)
    if found.kind == PAGE and not snapshot.is_meta(found.path):
        return _topic(snapshot, rank_frontier(vault, now=now, zone=zone, page=found.path, aliases=aliases).items[0])
    return Topic(title=words)


def _topic(snapshot: Snapshot, scored: Scored) -> Topic:
    facts = snapshot.pages[scored.path]
    return Topic(
        title=scored.title,
        path=scored.path,
        address=scored.address,
        score=scored.score,
        links=[snapshot.pages[path].title for path in scored.links],
        linked_by=[snapshot.pages[path].title for path in scored.linked_by],
        unresolved=scored.unresolved,
        headings=[heading.text for heading in facts.headings],
    )
