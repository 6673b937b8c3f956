"""The index page as text: a line put under a section, and taken out again without a trace. Pure, over bytes."""

import re
from collections.abc import Sequence

from lith.wiki.logbook import begins_line, newline_of
from lith.wiki.page import read_page


def add_lines(data: bytes, section: str, lines: Sequence[str]) -> tuple[bytes, list[str], str]:
    """The page with lines at the end of the list under `## section`, the exact text of each, and the section's text if it was made."""
    eol = newline_of(data)
    place, made, lead = _place(data, section, eol)
    puts = [line.encode() + eol for line in lines]
    if puts and lead:
        puts = [eol + line.encode() for line in lines]
    block = made + b"".join(puts)
    return data[:place] + block + data[place:], [put.decode() for put in puts], made.decode()


def _place(data: bytes, section: str, eol: bytes) -> tuple[int, bytes, bool]:
    """Where lines go, the section heading to put before them, and whether the text there lacks its newline."""
    headings = [heading for heading in read_page(data, "index").headings if begins_line(data, heading.start)]
    at = next((number for number, heading in enumerate(headings) if heading.level == 2 and heading.text == section), None)
    if at is None:
        lead = b"" if not data else eol if data.endswith(b"\n") else eol + eol
        return len(data), lead + f"## {section}".encode() + eol + eol, False
    begin = headings[at].start
    end = headings[at + 1].start if at + 1 < len(headings) else len(data)
    items = list(re.finditer(rb"^[-*] [^\n]*(?:\n|\Z)", data[begin:end], re.MULTILINE))
    head_end = data.find(b"\n", begin, end)
    place = begin + items[-1].end() if items else end if head_end < 0 else head_end + 1
    return place, b"", not data[:place].endswith(b"\n")


def remove_line(data: bytes, text: str) -> bytes:
    """The page without a line that `add_lines` put in; a line that somebody removed already is fine."""
    return data.replace(text.encode(), b"", 1)
