"""Checks of a fold page by code: nothing is on it that its children do not say, and nothing is cited that is no child.

Run before every write, and by `lint` on every fold page. Pure.
"""

import re
from collections.abc import Mapping, Sequence

from lith.wiki.fold.extract import numbers
from lith.wiki.fold.pages import cited_ids, read_sections
from lith.wiki.frontmatter import read_front
from lith.wiki.page import texts

_ROW = re.compile(r"^\| \[\[[^\[\]]+?\\\|([^\[\]|]+)\]\] \|")
_CONFLICT = re.compile(r"^> - (.*) \((\[\[[^\[\]]+\]\])\)$")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-ZÀ-Þ0-9\[\"'(]|\S)")
_LINKS = re.compile(r"\[\[[^\[\]]+\]\]")


def check_fold(text: str, children: Sequence[str], sources: Mapping[str, str]) -> list[str]:
    """What is wrong with a fold page; empty when it is sound. `sources` maps each child's id to the text it says."""
    problems: list[str] = []
    listed = texts(read_front(text.encode()).values.get("children"))
    rows = [match[1] for line in text.splitlines() if (match := _ROW.match(line))]
    for name, found in (("the frontmatter lists", listed), ("the table has", rows)):
        if sorted(found) != sorted(children):
            missing, extra = set(children) - set(found), set(found) - set(children)
            problems.append(f"{name} {len(found)} children, not {len(children)} ({len(missing)} missing, {len(extra)} unknown)")
    known = set(children)
    for section, lines in read_sections(text).items():
        for quote, ids in lines:
            problems += _check_line(section, quote, ids, known, sources)
    for line in text.splitlines():
        if match := _CONFLICT.match(line):
            problems += _check_line("Conflicts", match[1], cited_ids(match[2]), known, sources)
    return problems


def _check_line(section: str, quote: str, ids: list[str], known: set[str], sources: Mapping[str, str]) -> list[str]:
    if not ids:
        return [f"a line under {section} cites no child: {quote[:60]}"]
    unknown = [id for id in ids if id not in known]
    if unknown:
        return [f"a line under {section} cites {unknown[0]}, which is no child"]
    if section == "Themes":
        return []
    said = set[str]().union(*(numbers(sources.get(id, "")) for id in ids))
    invented = sorted(numbers(_LINKS.sub("", quote)) - said - numbers(" ".join(_LINKS.findall(quote))))
    return [f"a line under {section} has the number {invented[0]}, which no cited child has"] if invented else []


def keep_cited(prose: str, links: Mapping[str, str], sources: Mapping[str, str]) -> list[str]:
    """The sentences of a model's prose that may stand: each links a child and has no number that the child lacks.

    `links` maps child ids to link targets. What links nothing, links a stranger, or invents a number is dropped.
    """
    targets = {target: id for id, target in links.items()} | {id: id for id in links}
    kept: list[str] = []
    for sentence in _sentences(prose):
        ids: list[str] = []
        for link in _LINKS.findall(sentence):
            target = link[2:-2].split("|")[0].replace("\\", "").strip()
            if target in targets:
                ids.append(targets[target])
        words = re.sub(r"\(\s*(?:,\s*)*\)", "", _LINKS.sub("", sentence)).strip(" -*")
        said = set[str]().union(*(numbers(sources.get(id, "")) for id in ids)) if ids else set()
        if ids and words and not numbers(words) - said:
            cites = ", ".join(f"[[{links[id]}|{id}]]" for id in dict.fromkeys(ids))
            kept.append(f"{' '.join(words.split())} ({cites})")
    return kept


def _sentences(prose: str) -> list[str]:
    """Sentences, each with the links that follow its full stop in brackets."""
    found: list[str] = []
    for line in prose.splitlines():
        for part in _SENTENCE.split(line.strip()):
            if found and part.startswith(("(", "[[")) and not _LINKS.sub("", part).strip(" ().,"):
                found[-1] += " " + part
            elif part:
                found.append(part)
    return found
