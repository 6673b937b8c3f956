"""Cursors: where the next page begins, in a word that belongs to one search or list only.

Called by the modules of this room that page. A cursor is opaque to callers; for the same map it always names the same place.
"""

import re

import msgspec

from lith.errors import UsageError
from lith.kernel.ids import small_hash
from lith.records.scope import Scope

_CURSOR = re.compile(r"(\d{1,18})-(\d{1,18})-([0-9a-f]{6})\Z")


def write_cursor(first: int, second: int, purpose: str) -> str:
    """The cursor of a place that two numbers name, for one purpose (what was asked, as a text)."""
    return f"{first}-{second}-{_mark(purpose)}"


def purpose_of(*parts: object, scope: Scope) -> str:
    """What was asked, as a text. The times of a scope are left out: `--since 2h` is another moment on every page."""
    return "\n".join(str(part) for part in (*parts, msgspec.structs.replace(scope, since=None, until=None)))


def read_cursor(cursor: str, purpose: str) -> tuple[int, int]:
    """The two numbers of a cursor. Raises `UsageError` for what is none, or is one of another purpose."""
    match = _CURSOR.match(cursor)
    if match is None:
        raise UsageError(f"{cursor!r} is not a cursor", hint="give the next_cursor of the page before")
    if match[3] != _mark(purpose):
        raise UsageError("the cursor belongs to another question", hint="repeat the command that gave it, with --cursor added")
    return int(match[1]), int(match[2])


def _mark(purpose: str) -> str:
    return f"{small_hash(purpose) & 0xFFFFFF:06x}"
