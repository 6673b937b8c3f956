"""The record types of a chat log, and what they are called.

Only the adapter uses it. Messages name their type themselves; the other lines have none and are told apart by what is in them.
"""

from functools import lru_cache

HEADER = "session"
PATCH = "$set"
PATCH_MESSAGES = "$set/messages"
REWIND = "$rewindTo"
USER = "user"
MODEL = "gemini"

KNOWN_TYPES = frozenset({HEADER, PATCH, PATCH_MESSAGES, REWIND, USER, MODEL, "info", "error", "warning"})
"""The record types this adapter was written for."""

TEXT_TYPES = frozenset({USER, MODEL})
"""The record types that are expected to give messages."""

_LONGEST = 64


@lru_cache(maxsize=1024)
def type_name(type_: str) -> str:
    """A type as it goes into the map: short, and of one line, whatever a file says."""
    if len(type_) <= _LONGEST and type_.isprintable():
        return type_
    return repr(type_[:_LONGEST])[1:-1][:_LONGEST]
