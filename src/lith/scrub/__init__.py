"""Text that may be shown: secrets masked, lith's own words taken out, orders flagged, terminals kept safe.

This is the door. Any room above may call it; `scrub` is the one maker of a `Scrubbed`, and a parameter of that type is proof that a text
went through it. Knows no database, no file and no client; raw bytes are never changed.
"""

from lith.scrub.injection import Flag, find_injections
from lith.scrub.sentinel import strip_sentinels, wrap_sentinel
from lith.scrub.structured import scrub_json
from lith.scrub.terminal import clean_terminal
from lith.scrub.text import Scrubbed, scrub

__all__ = [
    "Flag",
    "Scrubbed",
    "clean_terminal",
    "find_injections",
    "scrub",
    "scrub_json",
    "strip_sentinels",
    "wrap_sentinel",
]
