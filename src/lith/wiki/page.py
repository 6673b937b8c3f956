"""What one page says: its frontmatter facts, headings, links and problems, from its bytes alone.

`snapshot` calls it for pages that changed and keeps the result in the cache. It never reads other files and never fails: whatever is
wrong with a page is a problem on that page.
"""

import hashlib
import re

import msgspec

from lith.wiki.frontmatter import Front, Problem, Value, read_front
from lith.wiki.links import Link, find_field_links, find_links
from lith.wiki.markup import Heading, Markup, read_markup

MAX_PAGE = 32 * 1024 * 1024
HASH_CHARS = 5

_CITED = re.compile(rb"\b([cl]-\d{6,}):h([0-9a-f]{5})\b")
_WORD = re.compile(rb"\S+")


class Facts(msgspec.Struct, frozen=True, array_like=True):
    """Everything the commands need to know of a page without reading it again.

    `digest` is the SHA-256 of the file, `body_hash` that of its body; `body` is the byte offset after the frontmatter; dates are
    text as written. `cites` lists addresses with content hashes that occur in the body, `children` a fold's children.
    """

    digest: str
    body_hash: str
    body: int
    words: int
    title: str
    types: list[str]
    aliases: list[str]
    created: str
    updated: str
    address: str
    generator: str
    fold: str
    headings: list[Heading]
    links: list[Link]
    cites: list[str]
    children: list[str]
    problems: list[Problem]
    has_front: bool
    broken: bool

    @property
    def plain_address(self) -> str:
        """The address without its optional content hash."""
        return self.address.partition(":")[0]


def read_page(data: bytes, stem: str) -> Facts:
    """Read a page's bytes; `stem` is its title when it names none."""
    front = read_front(data)
    problems = list(front.problems)
    broken = front.broken
    markup = Markup(opaque=[], headings=[], targets=[])
    links: list[Link] = []
    if len(data) > MAX_PAGE:
        problems.append(Problem("page-too-large", f"the page has {len(data)} bytes; its links are not read", 1))
        broken = True
    else:
        try:
            data[front.body :].decode("utf-8")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, front.body + error.start) + 1
            problems.append(Problem("not-utf8", "the page is not UTF-8; its links are not read", line))
            broken = True
        else:
            markup = read_markup(data[front.body :])
            links = find_links(data, front.body, markup)
    return _facts(data, stem, front, problems, markup, links, broken)


def _facts(
    data: bytes, stem: str, front: Front, problems: list[Problem], markup: Markup, links: list[Link], broken: bool
) -> Facts:
    values = front.values
    body = data[front.body :]
    headings = [Heading(h.level, h.text, h.start + front.body) for h in markup.headings]
    return Facts(
        digest=hashlib.sha256(data).hexdigest(),
        body_hash=hashlib.sha256(body).hexdigest(),
        body=front.body,
        words=len(_WORD.findall(body)),
        title=first_text(values.get("title")) or stem,
        types=[text.strip() for text in texts(values.get("type"))],
        aliases=[text.strip() for key in ("aliases", "alias") for text in texts(values.get(key)) if text.strip()],
        created=first_text(values.get("created")),
        updated=first_text(values.get("updated")),
        address=first_text(values.get("address")),
        generator=first_text(values.get("generator")),
        fold=first_text(values.get("fold")),
        headings=headings,
        links=links + _field_links(data, front),
        cites=sorted({f"{a.decode()}:h{h.decode()}" for a, h in _CITED.findall(body)}),
        children=texts(values.get("children")),
        problems=problems,
        has_front=front.block is not None,
        broken=broken,
    )


def _field_links(data: bytes, front: Front) -> list[Link]:
    """The links of the frontmatter, each on the line where its target is written."""
    if front.block is None:
        return []
    found: list[Link] = []
    for link in find_field_links(front.values):
        at = data.find(f"[[{link.target}".encode(), front.block.start, front.block.end)
        line = data.count(b"\n", 0, at) + 1 if at >= 0 else 1
        found.append(Link(link.kind, link.target, link.fragment, link.text, 0, 0, line, link.field))
    return found


def texts(value: Value) -> list[str]:
    """The strings of a value that may be one string or a list of them."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, list):
        return [item for item in value if isinstance(item, str)]
    return []


def first_text(value: Value) -> str:
    """The string that a value is, or the first of its list; empty when there is none."""
    found = texts(value)
    return found[0].strip() if found else ""
