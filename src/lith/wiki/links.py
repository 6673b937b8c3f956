"""The one parser of links: wikilinks and embeds in a body, Markdown links to files, and link fields of the frontmatter.

Every command reads links through `page`, which calls this; nobody else decides what a link is. It never looks at other pages.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from urllib.parse import unquote

import msgspec

from lith.wiki.frontmatter import Value
from lith.wiki.markup import Markup

WIKI = "wiki"
EMBED = "embed"
MARKDOWN = "markdown"

# The target ends at a bracket, a pipe, a heading mark, a block mark or the line; the text after a pipe ends at `]]`.
_WIKILINK = re.compile(rb"(!?)\[\[([^\[\]|#^\n\r]*)((?:#|\^)[^\[\]|\n\r]*?)?(\\?\|(?:(?!\]\]|\[\[)[^\n\r])*)?\]\]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_NOT_A_NAME = re.compile(
    r"^[-!$<>=*~&;:,]|^\.(?![./\w])|\s(?:==?|!=|=~|-[a-z]{1,2}|&&|\|\||<|>)\s|[$`<>\"=]|^\d{1,3}$|^\d+(?:[\s,;]+\d+)+$"
)
_FIELD = re.compile(r"!?\[\[([^\[\]|#^\n\r]*)((?:#|\^)[^\[\]|\n\r]*)?(?:\\?\|[^\n\r]*)?\]\]$")


class Link(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One link as it stands in a file.

    `target` is the name or path as written (trimmed; empty means this page), `fragment` the heading or block after it, `text`
    the shown text if one is written. `start:end` are byte offsets in the file (0 for a frontmatter field, named by `field`).
    """

    kind: str
    target: str
    fragment: str
    text: str | None
    start: int
    end: int
    line: int
    field: str = ""


def find_links(data: bytes, body: int, markup: Markup) -> list[Link]:
    """All links of the body that begins at byte `body` of `data`, in order."""
    found: list[Link] = []
    text = data[body:]
    for match in _WIKILINK.finditer(text):
        link = _wikilink(match, text, markup)
        if link is not None:
            found.append(link)
    wikilinks = list(found)
    starts = [link.start for link in wikilinks]
    for target in markup.targets:
        parts = split_destination(target.destination)
        before = bisect_right(starts, target.start) - 1
        inside = before >= 0 and target.start < wikilinks[before].end
        if parts is not None and not inside and not markup.covers(target.start, target.start + 1):
            found.append(Link(MARKDOWN, parts[0], parts[1], None, target.start, target.end, 0))
    found.sort(key=lambda link: link.start)
    return _placed(found, data, body)


def _wikilink(match: "re.Match[bytes]", text: bytes, markup: Markup) -> Link | None:
    name_end = match.end(3) if match.group(3) else match.end(2)
    brackets = match.end(1)
    if markup.covers(match.start(), name_end) or _escaped(text, match.start()):
        return None
    target = match.group(2).decode("utf-8").strip()
    fragment = (match.group(3) or b"").decode("utf-8").strip().removesuffix("\\").strip()
    shown = None
    if match.group(4) is not None:
        shown = match.group(4).decode("utf-8").removeprefix("\\").removeprefix("|").strip()
        target = target.removesuffix("\\").strip()
    elif target.endswith("\\"):
        return None
    if (not target and not fragment.lstrip("#^").strip()) or target == "None":
        return None
    kind = EMBED if match.start() < brackets else WIKI
    return Link(kind, target, fragment, shown, match.start(), match.end(), 0)


def _escaped(text: bytes, at: int) -> bool:
    slashes = 0
    while at - slashes > 0 and text[at - slashes - 1 : at - slashes] == b"\\":
        slashes += 1
    return slashes % 2 == 1


def _placed(links: list[Link], data: bytes, body: int) -> list[Link]:
    """The links with offsets and line numbers of the file."""
    placed: list[Link] = []
    line, counted = data.count(b"\n", 0, body) + 1, body
    for link in links:
        start = link.start + body
        line += data.count(b"\n", counted, start)
        counted = start
        placed.append(Link(link.kind, link.target, link.fragment, link.text, start, link.end + body, line))
    return placed


def split_destination(destination: str) -> tuple[str, str] | None:
    """Path and fragment of a Markdown link's destination; None when it leads out of the vault (a URL)."""
    if _SCHEME.match(destination) or destination.startswith(("//", "www.")):
        return None
    path, mark, fragment = destination.partition("#")
    path = unquote(path.partition("?")[0])
    if not path and not mark:
        return None
    if any(char in path for char in "\0\n\r"):
        return None
    return path, mark + unquote(fragment)


def find_field_links(values: dict[str, Value]) -> list[Link]:
    """The links of the frontmatter: values that are, as a whole, one wikilink (also in lists, also without quotes)."""
    return [
        Link(WIKI, match.group(1).strip(), (match.group(2) or "").strip(), None, 0, 0, 1, key)
        for key, value in values.items()
        for text in _texts(value, 0)
        if (match := _FIELD.match(text)) and match.group(1).strip() not in {"", "None"}
    ]


def _texts(value: Value, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        if value.startswith(("[[", "![[")):
            yield value.strip()
    elif isinstance(value, list) and depth < 4:
        bare = value[0] if len(value) == 1 else None
        if depth >= 1 and isinstance(bare, str) and not bare.startswith("["):
            yield f"[[{bare}]]"  # `- [[Page]]` without quotes is a list in a list
        elif depth == 0 and isinstance(bare, list) and len(bare) == 1 and isinstance(bare[0], str):
            yield f"[[{bare[0]}]]"  # `key: [[Page]]` without quotes
        else:
            for item in value:
                yield from _texts(item, depth + 1)


def looks_like_name(target: str) -> bool:
    """Whether an unresolved target may be meant as a page.

    `[[ -f x ]]` and `[[ $a == b ]]` in prose are shell tests, `[[0]]` and `[[1, 2]]` are data: a name neither begins with such
    punctuation, nor is a small number or a row of numbers, nor holds an operator, a dollar, a backtick, a double quote or an
    angle bracket. `[[2026]]` is a name.
    """
    return bool(target) and not _NOT_A_NAME.search(target)
