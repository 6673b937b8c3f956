"""What of an entry becomes text: messages, calls, session-level text; and what kind of record that makes it.

Only `pi.parse` calls it.
"""

import msgspec

from lith.records.record import Flag, Kind, Label, Piece, Role
from lith.sources.base import FileContext
from lith.sources.pi import session
from lith.sources.pi.lines import Arguments, Block, Line, Message
from lith.sources.pi.words import person_words

SHELL_TOOL = "bash"

_META, _TURN, _BOUNDARY, _CONVERSATION, _HEADER, _ERROR = (
    int(flag) for flag in (Flag.META, Flag.TURN, Flag.BOUNDARY, Flag.CONVERSATION, Flag.HEADER, Flag.ERROR)
)

# The searchable arguments of a call under lith's names, in the order of `Arguments`. Contents of edits and writes and everything else
# stay out.
_FIELD_NAMES = ("command", "command", "path", "path", "pattern", "query", "url", "description")


class Facts(msgspec.Struct, gc=False):
    """What an entry says, before it gets its identity."""

    flags: int = 0
    pieces: tuple[Piece, ...] = ()
    attributes: tuple[tuple[str, str], ...] = ()
    tool_use_id: str | None = None


def read_entry(line: Line, context: FileContext) -> Facts:
    """What an entry says."""
    type_ = line.type
    if type_ == "message":
        return _read_message(line.message) if line.message is not None else Facts(_CONVERSATION)
    if type_ == session.HEADER:
        own = session.is_own_header(line, context)
        return Facts(_HEADER, (), session.header_attributes(line)) if own else Facts(_META)
    if type_ == "compaction":
        return Facts(_BOUNDARY, _profile(line.summary, Label.COMPACTION))
    if type_ == "branch_summary":
        return Facts(0, _profile(line.summary, Label.RECAP))
    if type_ == "session_info":
        return Facts(0, _profile(line.name, Label.TITLE))
    if type_ == "model_change":
        return Facts(0, (), session.model_attributes(line.model_id))
    if type_ == "custom_message":  # what an extension told the model
        return Facts(_META)
    return Facts()


def _read_message(message: Message) -> Facts:
    role = message.role
    if role == "assistant":
        return _read_answer(message)
    if role == "user":
        return _read_prompt(message)
    if role == "toolResult":
        return Facts(_CONVERSATION | (_ERROR if message.is_error else 0), tool_use_id=message.tool_call_id)
    if role == "bashExecution":  # typed by a person after `!`
        failed = _ERROR if message.exit_code else 0
        fields = (("command", message.command),) if message.command else ()
        return Facts(_CONVERSATION | failed, (_call(Role.USER, SHELL_TOOL, fields, 0),))
    if role == "compactionSummary":
        return Facts(_META, _profile(message.summary, Label.COMPACTION))
    if role == "branchSummary":
        return Facts(_META, _profile(message.summary, Label.RECAP))
    return Facts(_META)


def _read_prompt(message: Message) -> Facts:
    """A person's words. A prompt without a word (an image) is one too; one of nothing but a skill is a call."""
    pieces: list[Piece] = []
    for order, block in enumerate(_blocks(message.content)):
        if block.type != "text" or not block.text:
            continue
        words = person_words(block.text)
        if words.skill:
            pieces.append(_call(Role.USER, f"/skill:{words.skill}", (), order))
        if words.text and not words.text.isspace():
            pieces.append(Piece(Kind.MESSAGE, words.text, Role.USER, None, None, (), order))
    return Facts(_CONVERSATION | _TURN, tuple(pieces))


def _read_answer(message: Message) -> Facts:
    pieces: list[Piece] = []
    tool_use_id = None
    for order, block in enumerate(_blocks(message.content)):
        if block.type == "text":
            if block.text and not block.text.isspace():
                pieces.append(Piece(Kind.MESSAGE, block.text, Role.ASSISTANT, None, None, (), order))
        elif block.type == "toolCall":
            tool_use_id = tool_use_id or block.id
            if block.name:
                pieces.append(_call(Role.ASSISTANT, block.name, _fields(block.arguments), order))
    failed = _ERROR if message.stop_reason == "error" else 0
    return Facts(_CONVERSATION | failed, tuple(pieces), session.model_attributes(message.model), tool_use_id)


def _blocks(content: str | list[Block] | None) -> list[Block]:
    return [Block(type="text", text=content)] if isinstance(content, str) else content or []


def _profile(text: str | None, label: Label) -> tuple[Piece, ...]:
    return (Piece(Kind.PROFILE, text.strip(), None, label),) if text and not text.isspace() else ()


def _call(role: Role, tool: str, fields: tuple[tuple[str, str], ...], order: int) -> Piece:
    """The piece of one call; its text is the values of its fields, one a line."""
    return Piece(Kind.CALL, "\n".join([value for _, value in fields]), role, None, tool, fields, order)


def _fields(arguments: Arguments | None) -> tuple[tuple[str, str], ...]:
    """The searchable arguments of a call, each of lith's names once."""
    if arguments is None:
        return ()
    fields: dict[str, str] = {}
    for name, value in zip(_FIELD_NAMES, msgspec.structs.astuple(arguments), strict=True):
        if value.__class__ is str and value:
            fields.setdefault(name, value)
    return tuple(fields.items())
