"""The text of a fold page: written from its children, and read back from a page.

A page depends on its children alone: no date of today, no counter, nothing random. Pure.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence

import msgspec

from lith.wiki.fold.extract import Extract, clip
from lith.wiki.frontmatter import quote
from lith.wiki.logbook import Entry

GENERATOR = "lith wiki fold 1"
MAX_QUOTES = 24
MAX_THEMES = 12
MAX_CITES = 6
_SECTIONS = ("Outcomes", "Decisions", "Open questions", "Themes")
_CITED = re.compile(r"^- (.*) \((\[\[[^\[\]]+\]\](?:, \[\[[^\[\]]+\]\])*(?:, …)?)\)$")


class Child(msgspec.Struct, frozen=True):
    """One child of a fold: a log entry or a lower fold, with its link target and the row it gets in the table."""

    id: str
    link: str
    first: str
    last: str
    op: str
    title: str
    entries: int
    pages: list[str]
    outcomes: list[str]
    decisions: list[str]
    questions: list[str]


class Fold(msgspec.Struct, frozen=True):
    """A fold that is not yet written: its name, place, range and text, and what the ledger will say."""

    id: str
    level: int
    path: str
    first: str
    last: str
    entries: int
    children: list[str]
    addresses: list[str]
    text: str


def entry_child(entry: Entry, taken: Extract, log_target: str) -> Child:
    """A log entry as a child."""
    return Child(
        id=entry.id,
        link=f"{log_target}#{entry.anchor}",
        first=entry.date,
        last=entry.date,
        op=entry.op,
        title=entry.title,
        entries=1,
        pages=taken.pages,
        outcomes=taken.outcomes,
        decisions=taken.decisions,
        questions=taken.questions,
    )


def fold_child(fold: Fold, pages: list[str]) -> Child:
    """A fold as a child of a higher one: what its page says, so that every quote stands on the page it is linked to."""
    said = read_sections(fold.text)
    return Child(
        id=fold.id,
        link=fold.id,
        first=fold.first,
        last=fold.last,
        op="fold",
        title=fold_title(fold.level, fold.first, fold.last, fold.entries),
        entries=fold.entries,
        pages=pages,
        outcomes=[text for text, _ in said["Outcomes"]],
        decisions=[text for text, _ in said["Decisions"]],
        questions=[text for text, _ in said["Open questions"]],
    )


def fold_id(level: int, exponent: int, children: Sequence[Child]) -> str:
    """The fold's name: from its children alone, so that two batches of one day never share it."""
    first, last = span(children)
    mark = hashlib.sha256("\n".join(child.id for child in children).encode()).hexdigest()[:8]
    return f"fold-L{level}-k{exponent}-from-{first}-to-{last}-n{len(children)}-{mark}"


def span(children: Sequence[Child]) -> tuple[str, str]:
    """First and last day of some children."""
    return min(child.first for child in children), max(child.last for child in children)


def fold_title(level: int, first: str, last: str, entries: int) -> str:
    """The title of a fold page."""
    noun = "entry" if entries == 1 else "entries"
    return f"Fold level {level}: {first} to {last}, {entries} {noun}"


def write_fold(
    level: int,
    exponent: int,
    children: Sequence[Child],
    *,
    folder: str,
    names: Mapping[str, str],
    addresses: Mapping[str, str],
    conflicts: Sequence[tuple[str, list[tuple[str, str]]]],
    prose: Sequence[str] = (),
) -> Fold:
    """Compose a fold page. `names` gives the link target of a page path, `addresses` its address; `prose` is checked elsewhere."""
    id = fold_id(level, exponent, children)
    first, last = span(children)
    entries = sum(child.entries for child in children)
    given = sorted({addresses[page] for child in children for page in child.pages if page in addresses})
    title = fold_title(level, first, last, entries)
    parts = [
        _frontmatter(id, title, level, exponent, (first, last), entries, children, given),
        f"# {title}\n",
        "Generated from the children below; each line quotes the child that it links. The children stay where they are.\n",
        _table(children, names),
    ]
    if prose:
        parts.append("## Summary\n\n" + "\n".join(f"- {line}" for line in prose) + "\n")
    links = {child.id: child.link for child in children}
    parts += [
        _quotes("Outcomes", [(_outcome(child), child) for child in children]),
        _quotes("Decisions", [(text, child) for child in children for text in child.decisions]),
        _quotes("Open questions", [(text, child) for child in children for text in child.questions]),
        _themes(children, names),
        _conflicts(conflicts, links),
    ]
    text = "\n".join(part for part in parts if part)
    return Fold(id, level, f"{folder}{id}.md", first, last, entries, [child.id for child in children], given, text)


def _frontmatter(
    id: str,
    title: str,
    level: int,
    exponent: int,
    days: tuple[str, str],
    entries: int,
    children: Sequence[Child],
    given: Sequence[str],
) -> str:
    first, last = days
    lines = ["---", "type: fold", f"title: {quote(title)}", f"fold: {id}", f"level: {level}", f"batch_exponent: {exponent}"]
    lines += [f"range_from: {first}", f"range_to: {last}", f"entries: {entries}", f"created: {last}", f"updated: {last}"]
    lines += ["children:", *(f"  - {quote(child.id)}" for child in children)]
    lines += ["addresses:" + (" []" if not given else ""), *(f"  - {address}" for address in given)]
    lines += [f"generator: {GENERATOR}", "---\n"]
    return "\n".join(lines)


def _table(children: Sequence[Child], names: Mapping[str, str]) -> str:
    rows = ["## Children\n", "| child | from | to | op | title | pages |", "|---|---|---|---|---|---|"]
    for child in children:
        pages = ", ".join(f"[[{names[page]}]]" for page in child.pages[:MAX_CITES] if page in names)
        rows.append(
            f"| [[{child.link}\\|{child.id}]] | {child.first} | {child.last} | {_cell(child.op)} | {_cell(child.title)} | {pages} |"
        )
    return "\n".join(rows) + "\n"


def _cell(text: str) -> str:
    """Text for a table cell: on one line, without live links or marks that would end the cell."""
    flat = clip(text).replace("[[", "").replace("]]", "")
    for mark, plain in (("\\|", "|"), ("|", "\\|"), ("`", "'"), ("$", "\\$")):
        flat = flat.replace(mark, plain)
    return flat


def _outcome(child: Child) -> str:
    lead = clip(child.title).replace("[[", "").replace("]]", "").replace("`", "'") or child.op
    return f"{lead}: {child.outcomes[0]}" if child.outcomes and child.op != "fold" else (child.outcomes or [lead])[0]


def _quotes(section: str, quotes: Sequence[tuple[str, Child]]) -> str:
    if not quotes:
        return ""
    lines = [f"## {section}\n"]
    lines += [f"- {text} ([[{child.link}|{child.id}]])" for text, child in quotes[:MAX_QUOTES]]
    return "\n".join(lines) + "\n"


def _themes(children: Sequence[Child], names: Mapping[str, str]) -> str:
    """Pages that several children touch, most shared first, each with the children that touch it."""
    by_page: dict[str, list[Child]] = {}
    for child in children:
        for page in child.pages:
            by_page.setdefault(page, []).append(child)
    shared = sorted((page for page, of in by_page.items() if len(of) > 1 and page in names), key=lambda p: (-len(by_page[p]), p))
    if not shared:
        return ""
    lines = ["## Themes\n"]
    for page in shared[:MAX_THEMES]:
        of = by_page[page]
        cites = ", ".join(f"[[{child.link}|{child.id}]]" for child in of[:MAX_CITES]) + (", …" if len(of) > MAX_CITES else "")
        lines.append(f"- [[{names[page]}]] ({cites})")
    return "\n".join(lines) + "\n"


def _conflicts(found: Sequence[tuple[str, list[tuple[str, str]]]], links: Mapping[str, str]) -> str:
    if not found:
        return ""
    lines = ["## Conflicts\n"]
    for _, quotes in found:
        lines.append("> [!conflict] These children contradict each other")
        lines += [f"> - {text} ([[{links[id]}|{id}]])" for text, id in quotes]
        lines.append("")
    return "\n".join(lines)


def read_sections(text: str) -> dict[str, list[tuple[str, list[str]]]]:
    """The cited lines of a fold page by section: (quote, ids of the children it cites)."""
    said: dict[str, list[tuple[str, list[str]]]] = {name: [] for name in (*_SECTIONS, "Summary")}
    section = ""
    for line in text.splitlines():
        if line.startswith("## "):
            section = line[3:].strip()
        elif section in said and (match := _CITED.match(line)):
            said[section].append((match[1], cited_ids(match[2])))
        elif section in said and line.startswith("- "):
            said[section].append((line[2:], []))
    return said


def cited_ids(cites: str) -> list[str]:
    """The ids in `[[link|id]], [[link|id]]`."""
    return [part.rpartition("|")[2] for part in re.findall(r"\[\[([^\[\]]+)\]\]", cites)]
