"""`<private>` spans: what a user marked as not to be kept goes, whatever it is.

Called by `text.py` before any rule runs. A span without an end goes to the end of the text; a mention in backticks is no span.
"""

import re

from lith.scrub.regex import Regex

MARK = "[masked:private]"

_HINT = Regex("<[pP][rR][iI][vV]")
_OPEN = Regex(r"<private(?:\s[^<>]{0,200})?>(?!`)", re.IGNORECASE)
_TAG = Regex(r"<(?P<close>/)?private(?:\s[^<>]{0,200})?>", re.IGNORECASE)


def mask_private(text: str) -> tuple[str, int]:
    """Replaces every `<private>…</private>` span by a mark; returns the text and how many spans went."""
    if not _HINT.search(text):
        return text, 0
    kept: list[str] = []
    count = at = 0
    while opening := _OPEN.search(text, at):
        kept += (text[at : opening.start()], MARK)
        count += 1
        at = _end_of_span(text, opening.end())
    kept.append(text[at:])
    return "".join(kept), count


def _end_of_span(text: str, at: int) -> int:
    depth = 1
    for tag in _TAG.finditer(text, at):
        depth += -1 if tag["close"] else 1
        if depth == 0:
            return tag.end()
    return len(text)
