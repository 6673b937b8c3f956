"""The record types that Pi is known to write, over all versions of its sessions.

Only the adapter uses it. A message is `message/<role>`; everything else goes by its own name.
"""

from functools import lru_cache

MESSAGE = "message"

_ROLES = "user assistant toolResult bashExecution system custom hookMessage branchSummary compactionSummary"
_ENTRIES = (
    "session model_change thinking_level_change compaction branch_summary custom custom_message context_edit context_transform "
    "ephemeral label session_info usage"
)

KNOWN_TYPES = frozenset({*_ENTRIES.split(), *(f"{MESSAGE}/{role}" for role in _ROLES.split())})
"""The record types this adapter was written for."""

TEXT_TYPES = frozenset({f"{MESSAGE}/user", f"{MESSAGE}/assistant"})
"""The record types that are expected to give messages."""

_LONGEST = 64


@lru_cache(maxsize=1024)
def type_name(type_: str, role: str | None) -> str:
    """A type as it goes into the map: short, and of one line, whatever a file says."""
    name = f"{type_}/{role}" if type_ == MESSAGE and role else type_
    if len(name) <= _LONGEST and name.isprintable():
        return name
    return repr(name[:_LONGEST])[1:-1][:_LONGEST]
