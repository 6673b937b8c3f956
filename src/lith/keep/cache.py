"""What a prune costs at the provider: whether its prompt cache for the session can still be warm, and what filling it anew takes."""

from pathlib import Path

import msgspec

WARM_MS = 3_600_000
"""The longest time that a provider keeps a prompt."""


class CacheNote(msgspec.Struct, frozen=True):
    """`state` is `cold` (a resume has to write the cache anyway) or `maybe_warm`; `tokens` is about what has to be written anew."""

    state: str
    tokens: int
    says: str


def note_cache(path: Path, *, now: int, modified: int, tokens: int) -> CacheNote:
    """What to say of the prompt cache of a session that was last written at `modified` (milliseconds)."""
    if now - modified >= WARM_MS:
        return CacheNote("cold", tokens, f"the prompt cache of {path.stem} is cold: a resume writes it anew, pruned or not")
    return CacheNote(
        "maybe_warm",
        tokens,
        f"the session was used within the hour: its prompt cache may be warm, and pruning means writing about {tokens} tokens anew",
    )
