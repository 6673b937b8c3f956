"""What a rule is: one shape of text that must not be shown, with the samples that prove it.

Rule modules build tables of these; `scan.py` runs them. Nothing here reads text.
"""

import re
from collections.abc import Callable, Iterable

from msgspec import Struct

from lith.scrub.regex import Regex

Span = tuple[int, int, str]
"""Start and end of what is masked, and the quote to put around the mask where the value stood bare in JSON."""

Judge = Callable[[re.Match[str]], Iterable[Span]]
"""Looks at a match of the rule's pattern and says which spans to mask; none, where it is no secret after all."""

BOUNDARY = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf])|(?<=\\u[0-9A-Fa-f]{4})|(?<=%[0-9A-Fa-f]{2}))"
"""The left edge of a token: no letter before it, but an escaped character of JSON (`\\n`, `\\u3002`) or of a URL (`%3D`) is an edge."""

_ESCAPE = Regex(r"[nrtbf]|u[0-9A-Fa-f]{4}")


def skip_escape(text: str, at: int) -> int:
    """Moves past the letters of an escape (`n` of `\\n`) if a backslash stands before `at`, so that no mask begins inside of one."""
    if at == 0 or text[at - 1] != "\\":
        return at
    escape = _ESCAPE.match(text, at)
    return escape.end() if escape else at


def judge_match(match: re.Match[str]) -> Iterable[Span]:
    """Masks the group `s` of a match, or the whole match if the pattern has no such group."""
    group = "s" if "s" in match.re.groupindex else 0
    return ((match.start(group), match.end(group), ""),)


class Rule(Struct, frozen=True):
    """One shape: where to look (`triggers`), what it looks like (`pattern`), what of it goes (`judge`).

    `pattern` is matched *at* a trigger, never searched, so text without the trigger costs nothing. With `fold` the triggers
    are lower case and case is ignored. In `positives` every secret stands between « and »; `negatives` must come out unchanged.
    """

    name: str
    triggers: tuple[str, ...]
    pattern: str
    judge: Judge = judge_match
    fold: bool = False
    positives: tuple[str, ...] = ()
    negatives: tuple[str, ...] = ()
