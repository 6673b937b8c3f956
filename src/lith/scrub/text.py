"""Text without secrets: `scrub` is the one maker of a `Scrubbed`.

Whatever is indexed, stored in memory, shown, injected or sent to an LLM goes through here. The raw bytes on disk never do.
"""

from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Never, cast

from msgspec import Struct

from lith.scrub.private import mask_private
from lith.scrub.rules import RULES
from lith.scrub.scan import Hit, Scanner, merge_hits

_PASSES = 8
"""A mask can bring a new match to light (rarely, once); hostile text is not followed further than this."""


class Scrubbed(Struct, frozen=True):
    """A text that went through `scrub`; `masked` counts what was taken out, by rule.

    Type checkers refuse to construct one: a parameter of this type is proof that no secret known to the rules is in the text.
    """

    text: str
    masked: tuple[tuple[str, int], ...] = ()

    if TYPE_CHECKING:

        def __init__(self, only_scrub_makes_one: Never) -> None: ...

    def __str__(self) -> str:
        return self.text


_make = cast("Callable[[str, tuple[tuple[str, int], ...]], Scrubbed]", Scrubbed)


@cache
def _scanner() -> Scanner:
    return Scanner(RULES)


def scrub(text: str) -> Scrubbed:
    """Masks every secret in a text as `[masked:<rule>]` and every `<private>` span; JSON stays JSON.

    Idempotent: scrubbing what was scrubbed changes nothing. The time is linear in the text.
    """
    visible, private = mask_private(text)
    hits = _scanner().find_hits(visible)
    if not hits:
        return _make(visible, (("private", private),) if private else ())
    counts = Counter({"private": private} if private else {})
    for _ in range(_PASSES):
        visible = _mask(visible, hits, counts)
        if not (hits := _scanner().find_hits(visible)):
            break
    return _make(visible, tuple(sorted(counts.items())))


def _mask(text: str, hits: list[Hit], counts: Counter[str]) -> str:
    rules = _scanner().rules
    pieces: list[str] = []
    at = 0
    for hit in merge_hits(hits):
        name = rules[hit.rank].name
        counts[name] += 1
        pieces += (text[at : hit.start], hit.wrap, mask_of(name), hit.wrap)
        at = hit.end
    pieces.append(text[at:])
    return "".join(pieces)


def mask_of(name: str) -> str:
    """Makes the mask that stands where something was taken out."""
    return f"[masked:{name}]"
