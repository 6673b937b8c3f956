"""Text that tries to give orders: flags for what is stored, so that whoever recalls it can say so.

A flag is a warning, not a verdict: nothing is removed here, and recalled text is framed as data in any case (`sentinel.py`). Called by
learn and ingest on the output of tools.
"""

from functools import cache

from msgspec import Struct

from lith.scrub.injection_rules import RULES
from lith.scrub.scan import Scanner


class Flag(Struct, frozen=True):
    """A suspicious span of a text and the rule that flagged it."""

    rule: str
    start: int
    end: int


@cache
def _scanner() -> Scanner:
    return Scanner(RULES)


def find_injections(text: str) -> tuple[Flag, ...]:
    """Finds what in a text looks like an attempt to instruct the model that reads it, in order; overlapping finds of a rule are one."""
    rules = _scanner().rules
    flags: list[Flag] = []
    for name, start, end in sorted((rules[hit.rank].name, hit.start, hit.end) for hit in _scanner().find_hits(text)):
        if flags and flags[-1].rule == name and start < flags[-1].end:
            flags[-1] = Flag(name, flags[-1].start, max(flags[-1].end, end))
        else:
            flags.append(Flag(name, start, end))
    return tuple(sorted(flags, key=lambda flag: (flag.start, flag.end, flag.rule)))
