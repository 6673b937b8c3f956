"""The wiki's log: its entries with stable ids, and where a new entry goes.

An entry is `## [YYYY-MM-DD] op | Title` with bullets. Neither the order of the file nor its dates' order is trusted. Pure, over
bytes; `log` and `fold` write.
"""

import hashlib
import re
import unicodedata
from collections.abc import Sequence

import msgspec

from lith.wiki.page import Facts, read_page

_HEAD = re.compile(r"\[(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?)\s*(?:Z|UTC)?)?\]\s*([^|]*?)\s*(?:\|\s*(.*?)\s*)?$")
_TIME = re.compile(r"^\s*[-*]\s*Time:\s*(?:\d{4}-\d\d-\d\d[T ])?(\d\d:\d\d(?::\d\d)?)", re.MULTILINE)
_ANCHOR = re.compile(r"[\[\]|#^:%\\<>]+")
FOLD_OP = "fold"
_MAX_HEADING = 500


class Entry(msgspec.Struct, frozen=True):
    """One log entry. `id` is its date, a hash of its heading, a hash of its body, and an ordinal for exact twins.

    `start:end` are byte offsets in the log; `body` is the text under the heading with plain newlines.
    """

    id: str
    date: str
    time: str
    op: str
    title: str
    body: str
    start: int
    end: int

    @property
    def heading_key(self) -> str:
        """The part of the id that survives an edit of the entry's body."""
        return self.id[:19]

    @property
    def text(self) -> str:
        """Heading and body as one text."""
        return f"[{self.date}] {self.op} | {self.title}\n{self.body}"

    @property
    def anchor(self) -> str:
        """The entry's heading as the fragment of a link."""
        return " ".join(_ANCHOR.sub(" ", f"{self.date} {self.op} {self.title}").split())

    @property
    def order(self) -> tuple[str, str, str]:
        """Where the entry belongs among others, whatever the order of the file."""
        return (self.date, self.time, self.id)


def parse_log(data: bytes, facts: Facts | None = None) -> list[Entry]:
    """The entries of a log's bytes, in file order."""
    read = facts or read_page(data, "log")
    marks = [heading for heading in read.headings if heading.level <= 2 and begins_line(data, heading.start)]
    entries: list[Entry] = []
    twins: dict[str, int] = {}
    for number, heading in enumerate(marks):
        match = _HEAD.match(" ".join(heading.text.split())[:_MAX_HEADING]) if heading.level == 2 else None
        if match is None:
            continue
        end = marks[number + 1].start if number + 1 < len(marks) else len(data)
        line_end = data.find(b"\n", heading.start, end)
        body = "" if line_end < 0 else _plain(data[line_end + 1 : end].decode("utf-8", "replace"))
        day, time, op, title = match[1], match[2] or "", match[3], match[4] or ""
        if not time and (stamp := _TIME.search(body)):
            time = stamp[1]
        base = f"{day}-{_short(f'{op}|{title}')}-{_short(body)}"
        twins[base] = twins.get(base, 0) + 1
        id = base if twins[base] == 1 else f"{base}-{twins[base]}"
        entries.append(Entry(id, day, time, op, title, body, heading.start, end))
    return entries


def begins_line(data: bytes, at: int) -> bool:
    """Whether a line begins at `at`: a heading in a list item or a quote does not structure a page."""
    return at == 0 or data[at - 1 : at] == b"\n"


def _plain(text: str) -> str:
    lines = [line.rstrip() for line in unicodedata.normalize("NFC", text).splitlines()]
    return "\n".join(lines).strip("\n")


def _short(text: str) -> str:
    return hashlib.sha256(unicodedata.normalize("NFC", text).encode("utf-8", "surrogatepass")).hexdigest()[:8]


def newest_first(data: bytes, entries: Sequence[Entry]) -> bool:
    """Whether a log grows at its top: its dates fall, or its preamble says so."""
    if len(entries) >= 2 and entries[0].date != entries[-1].date:
        return entries[0].date > entries[-1].date
    preamble = data[: entries[0].start if entries else len(data)].lower()
    return any(
        word in preamble for word in (b"newest entries at the top", b"newest first", b"newest on top", b"newest at the top")
    )


def newline_of(data: bytes) -> bytes:
    """The line ending a file uses."""
    first = data.find(b"\n")
    return b"\r\n" if first > 0 and data[first - 1 : first] == b"\r" else b"\n"


def insert_entries(data: bytes, entries: Sequence[str], facts: Facts | None = None) -> tuple[bytes, list[bytes]]:
    """The log with more entries (each with plain newlines, no blank lines around), and the exact bytes that each put in."""
    present = parse_log(data, facts)
    eol = newline_of(data)
    puts: list[bytes] = []
    if present and newest_first(data, present):
        at = min(item.start for item in present)
        puts = [_block(entry, eol) + eol + eol for entry in entries]
        return data[:at] + b"".join(reversed(puts)) + data[at:], puts
    for entry in entries:
        lead = b"" if not data or data.endswith((b"\n\n", b"\n\r\n")) else eol if data.endswith(b"\n") else eol + eol
        puts.append(lead + _block(entry, eol) + eol)
        data += puts[-1]
    return data, puts


def _block(entry: str, eol: bytes) -> bytes:
    return eol.join(line.encode() for line in entry.split("\n"))
