"""Rules about links and names: dead links and headings, ambiguous, orphaned, twins. Reads a snapshot only."""

import re
import unicodedata
from collections.abc import Iterator

from lith.wiki.links import MARKDOWN, Link, looks_like_name
from lith.wiki.lint.closest import Closest, plain_key
from lith.wiki.lint.report import Finding, finding
from lith.wiki.resolve import AMBIGUOUS, DEAD, PAGE
from lith.wiki.snapshot import META_NAMES, Snapshot
from lith.wiki.vault import PAGE_SUFFIX, fold_name

_PUNCTUATION = re.compile(r"[\W_]+")
_UNREAD = frozenset({"not-utf8", "page-too-large"})
_META_STEMS = frozenset(fold_name(name) for name in META_NAMES)


def link_findings(snapshot: Snapshot, closest: Closest) -> Iterator[Finding]:
    """Dead and ambiguous links, and pages that nothing links. Links on generated folds are quotes and are not judged."""
    linked: set[str] = set()
    headings = _Headings(snapshot)
    resolve = snapshot.resolver.resolve
    for path, facts in snapshot.pages.items():
        fold = bool(facts.fold)
        for link in facts.links:
            meaning = resolve(link, path)
            if meaning.kind == PAGE:
                if meaning.path != path and not fold:
                    linked.add(meaning.path)
                if link.fragment.startswith("#") and not fold and (missing := headings.missing(meaning.path, link.fragment)):
                    where = "this page" if meaning.path == path else meaning.path
                    yield finding("dead-heading", path, f"{shown(link)}: {where} has no heading {missing!r}", line=link.line)
            elif fold:
                continue
            elif meaning.kind == AMBIGUOUS:
                names = ", ".join(meaning.candidates)
                yield finding(
                    "ambiguous-link", path, f"{shown(link)} can mean {names}", line=link.line, hint="name the folder in the link"
                )
            elif meaning.kind == DEAD and (link.kind == MARKDOWN or looks_like_name(link.target)):
                near = closest.find_similar(link.target)
                hint = f"the closest page is {near}" if near else ""
                yield finding("dead-link", path, f"{shown(link)} leads nowhere", line=link.line, hint=hint)
    for path in snapshot.content:
        if path not in linked:
            yield finding("orphan", path, "no other page links this page")


class _Headings:
    """The headings of pages, compared without case and punctuation, as editors and Markdown anchors do."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._known: dict[str, set[str]] = {}

    def missing(self, path: str, fragment: str) -> str | None:
        """The first heading of a fragment (`#A`, `#A#B`) that a page does not have; blocks (`#^id`) are not looked for."""
        facts = self._snapshot.pages[path]
        if "^" in fragment or any(problem.rule in _UNREAD for problem in facts.problems):
            return None
        if path not in self._known:
            self._known[path] = {_heading_key(heading.text) for heading in facts.headings}
        for part in fragment.split("#"):
            key = _heading_key(part)
            if key and key not in self._known[path]:
                return part.strip()
        return None


def _heading_key(text: str) -> str:
    return _PUNCTUATION.sub("", unicodedata.normalize("NFKC", text)).casefold()


def shown(link: Link) -> str:
    """A link as a person would write it."""
    where = f" in the field {link.field}" if link.field else ""
    if link.kind == MARKDOWN:
        return f"[…]({link.target}{link.fragment}){where}"
    return f"{'!' if link.kind == 'embed' else ''}[[{link.target}{link.fragment}]]{where}"


def name_findings(snapshot: Snapshot) -> Iterator[Finding]:
    """Names that several pages share, and pages that may be one concept under two names."""
    shared: set[str] = set()
    for stem, paths in snapshot.resolver.twins():
        if stem not in _META_STEMS:
            shared.update(paths)
            for path in paths:
                others = ", ".join(other for other in paths if other != path)
                yield finding("ambiguous-name", path, f"the name {stem!r} is also that of {others}")
    groups: dict[str, set[str]] = {}
    for path in snapshot.content:
        stem = path.rsplit("/", 1)[-1][: -len(PAGE_SUFFIX)]
        for name in {stem, snapshot.pages[path].title}:
            groups.setdefault(plain_key(name), set()).add(path)
    told: set[tuple[str, ...]] = set()
    for pages in groups.values():
        group = tuple(sorted(pages))
        stems = {fold_name(path.rsplit("/", 1)[-1]) for path in group}
        if len(group) < 2 or group in told or len(stems) == 1:
            continue
        told.add(group)
        for path in group:
            others = ", ".join(other for other in group if other != path)
            yield finding("twin-pages", path, f"may be the same concept as {others}", hint="they are never merged by lith")
