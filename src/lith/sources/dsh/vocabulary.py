"""The record types that dsh is known to write.

Only the adapter uses it. Extensions of the client write types of their own, which are kept and counted like any other.
"""

from functools import lru_cache

HEADER = "session"
PROMPT = "user/message"
ANSWER = "assistant/message"
CALL = "tool/call"
RESULT = "tool/result"
TITLE = "session/title"
SUMMARY = "compaction/summary"
REQUEST = "request/header"
ROUTE = "request/context"

KNOWN_TYPES = frozenset(
    f"""
    {HEADER} {PROMPT} {ANSWER} {CALL} {RESULT} {TITLE} {SUMMARY} {REQUEST} {ROUTE}
    turn/start turn/end step/start step/end system/message assistant/attempt assistant/chunk todo/write
    text-chunks reasoning-chunks tool-call-chunks session/end-seed session/title-llm-request compaction/start compaction/end
    agent/inbox/spliced approval/policy permission/preset sandbox/mode subagent/descriptor command/run command/done
    llm/retry llm/retry-started
    """.split()
)
"""The record types this adapter was written for."""

TEXT_TYPES = frozenset({PROMPT, ANSWER})
"""The record types that are expected to give messages."""

_LONGEST = 64


@lru_cache(maxsize=1024)
def type_name(type_: str) -> str:
    """A type as it goes into the map: short, and of one line, whatever a file says."""
    if len(type_) <= _LONGEST and type_.isprintable():
        return type_
    return repr(type_[:_LONGEST])[1:-1][:_LONGEST]
