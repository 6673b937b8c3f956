"""The rules of the room: one module per family, one table of all of them.

The order is the order of precedence: where two rules claim overlapping text, the one that stands first names the mask. `scan.py` runs the
table; nobody else needs it.
"""

from lith.scrub.rules import assignments, commands, entropy, headers, keys, urls, vendors

RULES = (
    *vendors.RULES,
    *keys.RULES,
    *urls.RULES,
    *headers.RULES,
    *commands.RULES,
    *assignments.RULES,
    *entropy.RULES,
)
