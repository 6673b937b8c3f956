"""What a log entry says, taken from it word for word: outcomes, decisions, open questions, pages, facts that may contradict.

Deterministic and without a model. Pure; `fold.pages` puts it on a page.
"""

import re
from collections.abc import Sequence

import msgspec

from lith.wiki.links import looks_like_name
from lith.wiki.logbook import Entry
from lith.wiki.page import read_page
from lith.wiki.resolve import PAGE, Resolver

CLIP = 280
_MAX_CLAIM = 600
_BULLET = re.compile(r"^(?:[-*+]|\d+[.)])\s+(.*)$")
_FENCE = re.compile(r"^\s*(```|~~~)")
_LABEL = re.compile(r"^\*{0,2}([^:*\[\]]{2,40}?)\*{0,2}:\*{0,2}\s+(.+)$")
_BOOK = frozenset({
    "location", "locations", "time", "page", "pages", "range", "children", "pages created", "pages updated", "created", "updated",
    "files", "source", "sources", "type", "addresses", "links", "address",
})  # fmt: skip
_DECISION = re.compile(r"(?i)^(?:\*\*)?(?:decision|decided|resolved|resolution|chose|collision resolved|we (?:chose|decided))\b")
_QUESTION = re.compile(
    r"(?i)^(?:\*\*)?(?:still open|open(?: questions?)?|questions?|to-?do|pending|follow[- ]?ups?|unresolved)(?:\*\*)?\s*[:(–—-]|\?$"
)
_PATH = re.compile(r"(?<![\w/\[.-])((?:[\w.-]{1,80}/){1,12}[^\n`,;:\[\]|/]{1,120}?\.md)\b")
_STATE = re.compile(r"(?i)\]\]\s+(?:\w+\s+){0,3}?(?:has|have|is|are|holds?|contains?|needs?|counts?|totals?|equals?)\b")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


class Extract(msgspec.Struct, frozen=True):
    """What one entry contributes, each a quote from it; `pages` are the vault pages it touches, in order."""

    outcomes: list[str]
    decisions: list[str]
    questions: list[str]
    pages: list[str]


def extract(entry: Entry, resolver: Resolver, log_path: str) -> Extract:
    """Read one entry."""
    outcomes: list[str] = []
    decisions: list[str] = []
    questions: list[str] = []
    for bullet in bullets(entry.body):
        label = _LABEL.match(bullet)
        if _DECISION.match(bullet):
            decisions.append(clip(bullet))
        elif _QUESTION.search(bullet):
            questions.append(clip(bullet))
        elif label is None or label[1].strip().lower() not in _BOOK:
            outcomes.append(clip(bullet))
    return Extract(outcomes, decisions, questions, touched_pages(entry, resolver, log_path))


def bullets(body: str) -> list[str]:
    """The items of an entry, each on one line; paragraphs count as items, code is left out."""
    items: list[str] = []
    fenced = False
    fresh = True
    for line in body.split("\n"):
        if _FENCE.match(line):
            fenced = not fenced
            fresh = True
            continue
        text = line.strip()
        if fenced or not text or text.startswith(("|", "#", ">", "<!--", "%%")):
            fresh = True
            continue
        match = _BULLET.match(text)
        if match:
            items.append(match[1].strip())
        elif fresh or not items:
            items.append(text)
        else:
            items[-1] += " " + text
        fresh = False
    return [item for item in items if item]


def clip(text: str) -> str:
    """A quote on one line, at most `CLIP` characters, cut between words and never inside a link or code."""
    flat = " ".join(text.split()).replace("<!--", "&lt;!--").replace("%%", "%\\%")
    if len(flat) <= CLIP:
        return flat if flat.count("`") % 2 == 0 else flat.replace("`", "'")
    cut = flat[:CLIP].rsplit(" ", 1)[0]
    if cut.count("[[") > cut.count("]]"):
        cut = cut[: cut.rindex("[[")]
    if cut.count("`") % 2:
        cut = cut[: cut.rindex("`")]
    return cut.rstrip(" ,;:-(") + " …"


def touched_pages(entry: Entry, resolver: Resolver, log_path: str) -> list[str]:
    """The pages that an entry links or names by path, in order, each once."""
    found: dict[str, None] = {}
    for link in read_page(entry.body.encode(), "log").links:
        meaning = resolver.resolve(link, log_path)
        if meaning.kind == PAGE and meaning.how != "self":
            found.setdefault(meaning.path)
    for match in _PATH.finditer(entry.body):
        meaning = resolver.resolve_name(match[1])
        if meaning.kind == PAGE:
            found.setdefault(meaning.path)
    return list(found)


def numbers(text: str) -> set[str]:
    """The numbers in a text."""
    return set(_NUMBER.findall(text))


def conflicts(entries: Sequence[Entry]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Statements of several entries that contradict each other: (subject, [(quote, entry id), …]).

    Two kinds are found: the same labelled fact about the same page with different values (`Status of [[X]]: done` and `: open`), and
    the same sentence about the state of the same page with different numbers (`[[X]] has 3 rows` and `has 4 rows`). What was done
    (`wrote 3 rows to [[X]]`) contradicts nothing.
    """
    claims: dict[str, list[tuple[str, str, str]]] = {}
    for entry in entries:
        for bullet in bullets(entry.body):
            claim = _claim(bullet)
            if claim is not None:
                claims.setdefault(claim[0], []).append((claim[1], clip(bullet), entry.id))
    found = []
    for _, said in sorted(claims.items()):
        if len({value for value, _, _ in said}) > 1 and len({id for _, _, id in said}) > 1:
            quotes = list(dict.fromkeys((quote, id) for _, quote, id in said))
            found.append((said[0][1], quotes))
    return found


def _claim(bullet: str) -> tuple[str, str] | None:
    """What a bullet claims: (what it is about, what it says), or None when that cannot be told."""
    bullet = bullet[:_MAX_CLAIM]
    names = [name for name in re.findall(r"\[\[([^\[\]|#]+)", bullet) if looks_like_name(name.strip())]
    label = _LABEL.match(bullet)
    if label is not None and label[1].strip().lower() in _BOOK:
        return None
    labelled = re.match(r"^([^\[\]:]*\[\[[^\[\]]+\]\][^:\[\]]*):\s+(.+)$", bullet)
    if labelled is not None:
        return "label " + " ".join(labelled[1].lower().split()), " ".join(labelled[2].lower().split()).rstrip(".")
    if names and _NUMBER.search(bullet) and _STATE.search(bullet):
        masked = _NUMBER.sub("0", " ".join(bullet.lower().split())).rstrip(".")
        return "number " + masked, " ".join(_NUMBER.findall(bullet))
    return None
