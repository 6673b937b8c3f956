"""What of a Markdown text is not prose: code, HTML, comments and math, as byte ranges; and its headings and Markdown links.

A CommonMark parser finds the ranges. Two habits of vaults are added: four-space indentation is not code, and `%% … %%` is a comment.
Only `page` calls it. Wikilinks are not its business.
"""

import re
from bisect import bisect_right
from typing import Any

import msgspec

from lith.wiki.extras import markdown_events

Range = tuple[int, int]

_LEAD = re.compile(rb"[ \t>]*")
_SETEXT = re.compile(r"\n[ \t>]*[=-]+[ \t]*$")


class Heading(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A heading: its level, its text without marks, and where it begins (byte offset)."""

    level: int
    text: str
    start: int


class Target(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A Markdown link or image to somewhere: its destination as written, and its byte range."""

    destination: str
    image: bool
    start: int
    end: int


class Markup(msgspec.Struct, frozen=True):
    """The parts of a body that a link parser must know; offsets count bytes of the body."""

    opaque: list[Range]
    headings: list[Heading]
    targets: list[Target]

    def covers(self, start: int, end: int) -> bool:
        """Whether any byte of `start:end` lies in code, HTML, a comment or math."""
        at = bisect_right(self.opaque, (start, 1 << 62)) - 1
        if at >= 0 and self.opaque[at][1] > start:
            return True
        return at + 1 < len(self.opaque) and self.opaque[at + 1][0] < end


def read_markup(body: bytes) -> Markup:
    """Find code, HTML, comments, math, headings and Markdown links in a body (UTF-8)."""
    found = _Found([], [], [])
    indented = _collect(body, found)
    for start, end in indented:
        _collect_indented(body, start, end, found)
    code = _merge(found.opaque)
    opaque = _merge(code + _comments(body, code))
    found.targets.sort(key=lambda target: target.start)
    found.headings.sort(key=lambda heading: heading.start)
    return Markup(opaque=opaque, headings=found.headings, targets=found.targets)


class _Found(msgspec.Struct):
    opaque: list[Range]
    headings: list[Heading]
    targets: list[Target]


def _collect(body: bytes, found: _Found) -> list[Range]:
    """Add what the parser sees in `body`; returns the ranges of its indented code blocks, which are none here."""
    indented: list[Range] = []
    for event, span in markdown_events(body.decode("utf-8")):
        if not isinstance(event, dict):
            continue
        if "Text" in event:
            continue
        start, end = span["start"], span["end"]
        if "Start" in event:
            _take_start(event["Start"], start, end, body, found, indented)
        elif "Code" in event or "InlineHtml" in event or "DisplayMath" in event:
            found.opaque.append((start, end))
        elif "InlineMath" in event and not body[end : end + 1].isdigit():
            # "$5 … $10" is money, not math: a closing dollar is never followed by a digit.
            found.opaque.append((start, end))
    return indented


def _take_start(tag: Any, start: int, end: int, body: bytes, found: _Found, indented: list[Range]) -> None:
    if tag == "HtmlBlock":
        # What follows a closed comment on its line is text to the people who write vaults; `_comments` takes the comment.
        if not body[start:end].lstrip().startswith(b"<!--") or b"-->" not in body[start:end]:
            found.opaque.append((start, end))
    elif isinstance(tag, dict):
        if "CodeBlock" in tag:
            (indented if tag["CodeBlock"] == "Indented" else found.opaque).append((start, end))
        elif "Link" in tag or "Image" in tag:
            link = tag.get("Link") or tag["Image"]
            if "Autolink" not in str(link["link_type"]) and "Email" not in str(link["link_type"]):
                found.targets.append(Target(link["dest_url"], "Image" in tag, start, end))
        elif "Heading" in tag:
            level = int(str(tag["Heading"]["level"]).lstrip("Hh"))
            found.headings.append(Heading(level, _heading_text(body[start:end].decode("utf-8")), start))


def _heading_text(raw: str) -> str:
    text = raw.strip()
    if text.startswith("#"):
        words = text.lstrip("#").strip()
        closed = words.rstrip("#")
        return closed.rstrip() if not closed or closed[-1] in " \t" else words
    return _SETEXT.sub("", text).strip()


def _collect_indented(body: bytes, start: int, end: int, found: _Found) -> None:
    """Read an indented block as the text it is in a vault: its lines without their indentation."""
    pieces: list[bytes] = []
    new_starts: list[int] = []
    shifts: list[int] = []
    length, at = 0, start
    for line in body[start:end].splitlines(keepends=True):
        lead = _LEAD.match(line)
        skip = lead.end() if lead else 0
        new_starts.append(length)
        shifts.append(at + skip - length)
        pieces.append(line[skip:])
        length += len(line) - skip
        at += len(line)

    def back(offset: int) -> int:
        return offset + shifts[bisect_right(new_starts, offset) - 1]

    inner = _Found([], [], [])
    _collect(b"".join(pieces), inner)
    found.opaque += [(back(a), back(b - 1) + 1) for a, b in inner.opaque if b > a]
    found.headings += [Heading(h.level, h.text, back(h.start)) for h in inner.headings]
    found.targets += [Target(t.destination, t.image, back(t.start), back(t.end - 1) + 1) for t in inner.targets]


def _comments(body: bytes, code: list[Range]) -> list[Range]:
    """The closed comments outside code: `%% … %%` and `<!-- … -->`, on one line or over several."""
    if b"%%" not in body and b"<!--" not in body:
        return []
    outside = Markup(opaque=code, headings=[], targets=[])
    marks = [
        (match.start(), match.group())
        for match in re.finditer(rb"%%|<!--|-->", body)
        if not outside.covers(match.start(), match.end())
    ]
    closers = {b"%%": [at for at, mark in marks if mark == b"%%"], b"<!--": [at for at, mark in marks if mark == b"-->"]}
    ranges: list[Range] = []
    reached = 0
    for at, mark in marks:
        if at < reached or mark == b"-->":
            continue
        ends = closers[mark]
        next_one = bisect_right(ends, at + len(mark) - 1)
        if next_one < len(ends):
            reached = ends[next_one] + (2 if mark == b"%%" else 3)
            ranges.append((at, reached))
    return ranges


def _merge(ranges: list[Range]) -> list[Range]:
    merged: list[Range] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            if end > merged[-1][1]:
                merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged
