"""What of a message becomes text: words, calls, summaries; and what kind of record that makes it.

Only `gemini.parse` calls it. A message gives one text at most, so that two tellings of one message can be compared.
"""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from lith.records.record import Flag, Kind, Label, Piece, Role
from lith.sources.gemini.lines import Arguments, Message, Part, parts_of
from lith.sources.gemini.vocabulary import MODEL, USER
from lith.sources.gemini.words import CONTEXT_ID, Sort, classify, is_acknowledgement

SHELL_TOOL = "run_shell_command"

_META, _TURN, _BOUNDARY, _CONVERSATION, _ERROR = (
    int(flag) for flag in (Flag.META, Flag.TURN, Flag.BOUNDARY, Flag.CONVERSATION, Flag.ERROR)
)

# The searchable arguments of a call under lith's names, in the order of `Arguments`; of a prompt only the addresses in it. Contents of
# edits and writes, prompts of sub-agents (their sessions begin with them) and everything else stay out.
_FIELD_NAMES = (
    *("command", "path", "path", "path", "path", "path", "pattern", "query", "url", "description"),
    None,
)
_FETCH_TOOL = "web_fetch"
_ADDRESS = re.compile(r"https?://[^\s<>\"'`]+")


class Said(msgspec.Struct, gc=False):
    """What a message says. `paths` are the paths that its calls name."""

    flags: int = 0
    pieces: tuple[Piece, ...] = ()
    tool_use_id: str | None = None
    paths: tuple[str, ...] = ()


def read_message(message: Message, key: str | None = None) -> Said:
    """What a message says; its pieces belong to the message `key` where they are not alone in their record."""
    if message.type == USER:
        return _read_prompt(message, key)
    if message.type == MODEL:
        return _read_answer(message, key)
    return Said(_ERROR if message.type == "error" else 0)


def _read_prompt(message: Message, key: str | None) -> Said:
    if message.id == CONTEXT_ID:
        return Said(_META)
    parts = parts_of(message.content)
    answers = [part.function_response for part in parts if part.function_response is not None]
    if answers:
        failed = any(answer.response is not None and answer.response.error is not None for answer in answers)
        return Said(_CONVERSATION | (_ERROR if failed else 0), tool_use_id=answers[0].id)
    texts = _texts(parts_of(message.display_content)) or _texts(parts)
    if not texts:  # a prompt without a word, such as a picture
        return Said(_CONVERSATION | _TURN)
    words = classify(texts)
    if words.sort == Sort.COMPACTION:
        piece = Piece(Kind.PROFILE, words.text, None, Label.COMPACTION, message_id=key)
        return Said(_META | _BOUNDARY, (piece,))
    if words.sort == Sort.SHELL:
        return Said(_CONVERSATION, (_call(Role.USER, SHELL_TOOL, (("command", words.text),), 0, key),))
    if words.sort == Sort.HUMAN:
        return Said(_CONVERSATION | _TURN, (Piece(Kind.MESSAGE, words.text, Role.USER, message_id=key),))
    return Said(_META)


def _read_answer(message: Message, key: str | None) -> Said:
    parts = parts_of(message.content)
    text = "".join(_texts(parts)).strip()
    if is_acknowledgement(text):
        return Said(_META)
    pieces = [Piece(Kind.MESSAGE, text, Role.ASSISTANT, message_id=key)] if text else []
    calls = message.tool_calls or [p.function_call for p in parts if p.function_call is not None]
    paths: list[str] = []
    for order, call in enumerate(calls, 1):
        if call.name:
            fields = tuple(dict.fromkeys(_iter_fields(call.name, call.args)))
            pieces.append(_call(Role.ASSISTANT, call.name, fields, order, key))
            paths += [value for name, value in fields if name == "path"]
    failed = any(call.status == "error" for call in message.tool_calls or ())
    return Said(_CONVERSATION | (_ERROR if failed else 0), tuple(pieces), next((c.id for c in calls if c.id), None), tuple(paths))


def _texts(parts: list[Part]) -> list[str]:
    """What is said in the parts; not what was thought."""
    return [part.text for part in parts if part.text and not part.thought]


def _call(role: Role, tool: str, fields: tuple[tuple[str, str], ...], order: int, key: str | None) -> Piece:
    """The piece of one call; its text is the values of its fields, one a line."""
    return Piece(Kind.CALL, "\n".join([value for _, value in fields]), role, None, tool, fields, order, message_id=key)


def _iter_fields(tool: str, arguments: Arguments | None) -> Iterator[tuple[str, str]]:
    """The searchable arguments of a call."""
    if arguments is None:
        return
    for name, value in zip(_FIELD_NAMES, msgspec.structs.astuple(arguments), strict=True):
        if name is not None:
            yield from ((name, text) for text in _strings(value))
        elif tool == _FETCH_TOOL and isinstance(value, str):
            yield from (("url", address) for address in _ADDRESS.findall(value))


def _strings(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [text for text in values if isinstance(text, str) and text]
