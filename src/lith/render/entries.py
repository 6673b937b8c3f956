"""The entries of a thread: messages whole, calls and results as one line each. Pure."""

from collections.abc import Mapping

import msgspec

LINE = 160
"""Characters of the line of a call or a result."""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was said or done.

    `head` is its line, `text` what stands under it (a message's words). `record` is the address of the record that it is from. `said` is
    true for messages. `cut` says that the line does not hold everything.
    """

    head: str
    record: str
    text: str = ""
    said: bool = False
    cut: bool = False


def call_line(tool: str | None, fields: Mapping[str, str]) -> tuple[str, bool]:
    """The line of a call, what it ran or touched if that is known, and whether the line had to be cut."""
    known = fields.get("command") or fields.get("path") or fields.get("url")
    line, cut = _one_line(known or " ".join(value for value in fields.values() if value))
    return f"→ {tool or 'call'}{': ' if line else ''}{line}", cut


def result_line(text: str, *, size: int, failed: bool) -> tuple[str, bool]:
    """The line of what came back, of which `text` is the beginning: its first words, and its size where that is not all.

    Also says whether something is missing.
    """
    line, cut = _one_line(text)
    cut = cut or size > 4 * LINE
    length = f" ({size:,} characters)" if cut else ""
    return f"← {'failed: ' if failed else ''}{line or 'nothing'}{length}", cut


def _one_line(text: str) -> tuple[str, bool]:
    words = " ".join(text[: 4 * LINE].split())
    if len(words) <= LINE and len(text) <= 4 * LINE:
        return words, False
    return words[: LINE - 1].rstrip() + "…", True
