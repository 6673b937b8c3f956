"""What a text in the user's place is: a person's words, the summary of a compaction, or something the client put there.

Only `sources.gemini` uses it. Pure, and linear in the length of the text.
"""

import re
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

CONTEXT_ID = "d04923d38bb0f6017037e74183378ef4"
"""The id of the message in which the client describes the surroundings: it is derived from a constant."""

_SNAPSHOT = "<state_snapshot>"
_INJECTED = (
    "<session_context>",
    "This is the Gemini CLI. We are setting up the context for our chat.",
    "Here is the user's editor context as a JSON object",
    "Here is a summary of changes in the user's editor context",
    "System: Please continue.",
)
_ACKNOWLEDGED = frozenset({"Got it. Thanks for the context!", "Got it. Thanks for the additional context!"})
_HOOK_BEFORE = re.compile(r"\s*<hook_context>.*?</hook_context>\s*", re.DOTALL)
_HOOK_OPEN, _HOOK_CLOSE = "<hook_context>", "</hook_context>"
_REFERENCED = re.compile(r"^--- Content from referenced files ---$.*?(?:^--- End of content ---$|\Z)", re.DOTALL | re.MULTILINE)
_SHELL = re.compile(r"I ran the following shell command:\n```sh\n(.*?)\n```\n", re.DOTALL)


class Sort(IntEnum):
    """The sorts of text in the user's place."""

    HUMAN = 1
    SHELL = 2  # a command typed by a person, told to the model
    COMPACTION = 3  # the summary that replaces a conversation
    INJECTED = 4


class Words(NamedTuple):
    """A text in the user's place: a person's words, a command, or a summary."""

    sort: Sort
    text: str = ""


def classify(parts: Sequence[str]) -> Words:
    """What the text parts of a message are, and what of them a person wrote."""
    kept = [text for part in parts if not (text := _without_hooks(part)).lstrip().startswith(_INJECTED)]
    text = "".join(kept)
    if "--- Content from" in text:
        text = _REFERENCED.sub("", text)
    text = text.strip()
    if not text:
        return Words(Sort.INJECTED)
    if text[0] == "<" and _SNAPSHOT in text:
        return Words(Sort.COMPACTION, text[text.index(_SNAPSHOT) :])
    if match := _SHELL.match(text):
        return Words(Sort.SHELL, match[1])
    return Words(Sort.HUMAN, text)


def is_acknowledgement(text: str) -> bool:
    """Whether a text in the model's place is one that the client put there."""
    return text in _ACKNOWLEDGED


def _without_hooks(text: str) -> str:
    """A text without what hooks added before and behind it; elsewhere, and unclosed, the tag is somebody's word."""
    if _HOOK_CLOSE not in text:
        return text
    at = 0
    while match := _HOOK_BEFORE.match(text, at):
        at = match.end()
    text = text[at:]
    while text.rstrip().endswith(_HOOK_CLOSE) and (start := text.rfind(_HOOK_OPEN)) >= 0:
        text = text[:start].rstrip()
    return text
