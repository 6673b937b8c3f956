"""What of an event becomes text: messages, calls, session-level text; and what kind of record that makes it.

Only `dsh.parse` calls it. The log holds what was said and, beside it, what the model was shown instead of it after a compaction or an
edit; only the first is a message.
"""

from typing import Any

import msgspec

from lith.records.record import Flag, Kind, Label, Piece, Role
from lith.sources.base import FileContext
from lith.sources.dsh import session
from lith.sources.dsh.lines import Arguments, Block, Data, Line, Reason, decode_arguments
from lith.sources.dsh.vocabulary import ANSWER, CALL, HEADER, PROMPT, REQUEST, RESULT, ROUTE, SUMMARY, TITLE

_META, _TURN, _BOUNDARY, _CONVERSATION, _HEADER, _ERROR = (
    int(flag) for flag in (Flag.META, Flag.TURN, Flag.BOUNDARY, Flag.CONVERSATION, Flag.HEADER, Flag.ERROR)
)

# The searchable arguments of a call under lith's names, in the order of `Arguments`; everything else stays out.
_FIELD_NAMES = ("command", "command", "path", "path", "pattern", "query", "url", "description")
_NOTHING = Data()


class Facts(msgspec.Struct, gc=False):
    """What an event says, before it gets its identity. `name` is the client's own id of the thing, which a rewritten log keeps."""

    flags: int = 0
    pieces: tuple[Piece, ...] = ()
    attributes: tuple[tuple[str, str], ...] = ()
    tool_use_id: str | None = None
    name: str | None = None


def is_replacement(line: Line) -> bool:
    """Whether an event is shown to the model in place of others."""
    return line.surface_op is not None and line.surface_op != "append"


def read_event(line: Line, context: FileContext) -> Facts:
    """What an event says."""
    data = line.data or _NOTHING
    type_ = line.type
    if type_ == PROMPT:
        return _read_prompt(data, context, replaces=is_replacement(line))
    if type_ == ANSWER:
        return _read_answer(data, replaces=is_replacement(line))
    if type_ == RESULT:
        return _read_result(data, replaces=is_replacement(line))
    if type_ == CALL:
        return Facts(_CONVERSATION, (), (), data.call_id, data.call_id)
    if type_ == HEADER:
        own = session.session_id(line.id) in {None, context.transcript}
        return Facts(_HEADER, (), session.header_attributes(line), None, HEADER) if own else Facts(_META)
    if type_ == TITLE:
        return Facts(0, _profile(data.title, Label.TITLE))
    if type_ == SUMMARY:
        text = "\n".join(block.text for block in _blocks(data.summary) if block.text)
        return Facts(_BOUNDARY, _profile(text, Label.COMPACTION), (), None, data.compaction_id)
    if type_ == REQUEST:
        config = None if data.header is None else data.header.config
        return Facts(0, (), session.model_attributes(None if config is None else config.model))
    if type_ == ROUTE:
        return Facts(0, (), session.model_attributes(data.model))
    failed = type_ == "llm/retry" or (type_ == "turn/end" and isinstance(data.reason, Reason) and data.reason.kind == "error")
    return Facts(_ERROR if failed else 0)


def _read_prompt(data: Data, context: FileContext, *, replaces: bool) -> Facts:
    """What stands in the user's place: a person's words only where the client says that they are."""
    inner = data.message
    source = data.source or (None if inner is None else inner.source)
    if replaces or source is None or source.kind != "user":
        return Facts(_META)
    content = data.content if inner is None else inner.content
    flags = _CONVERSATION if session.is_agent(context) else _CONVERSATION | _TURN
    return Facts(flags, _texts(content, Role.USER), (), None, data.id or (None if inner is None else inner.id))


def _read_answer(data: Data, *, replaces: bool) -> Facts:
    message = data.message
    if message is None or replaces:
        return Facts(_META if replaces else _CONVERSATION)
    calls = []
    tool_use_id = None
    for order, block in enumerate(_blocks(message.content)):
        if block.type == "tool-call":
            tool_use_id = tool_use_id or block.id
            if block.name:
                calls.append(_call(block.name, _fields(decode_arguments(block.arguments)), order))
    model = message.source.model if message.source is not None else None
    return Facts(
        _CONVERSATION,
        (*_texts(message.content, Role.ASSISTANT), *calls),
        session.model_attributes(model or message.model),
        tool_use_id,
        message.id,
    )


def _read_result(data: Data, *, replaces: bool) -> Facts:
    blocks = _blocks(None if data.message is None else data.message.content)
    failed = data.error is not None or any(block.is_error for block in blocks)
    call = next((block.tool_call_id for block in blocks if block.tool_call_id), data.call_id)
    if replaces:
        return Facts(_META, (), (), call)
    return Facts(_CONVERSATION | (_ERROR if failed else 0), (), (), call, call)


def _blocks(content: str | list[Block] | None) -> list[Block]:
    return [Block(type="text", text=content)] if isinstance(content, str) else content or []


def _texts(content: str | list[Block] | None, role: Role) -> tuple[Piece, ...]:
    return tuple(
        Piece(Kind.MESSAGE, block.text, role, None, None, (), order)
        for order, block in enumerate(_blocks(content))
        if block.type == "text" and block.text and not block.text.isspace()
    )


def _profile(text: str | None, label: Label) -> tuple[Piece, ...]:
    return (Piece(Kind.PROFILE, text.strip(), None, label),) if text and not text.isspace() else ()


def _call(tool: str, fields: tuple[tuple[str, str], ...], order: int) -> Piece:
    """The piece of one call; its text is the values of its fields, one a line."""
    return Piece(Kind.CALL, "\n".join([value for _, value in fields]), Role.ASSISTANT, None, tool, fields, order)


def _fields(arguments: Arguments | None) -> tuple[tuple[str, str], ...]:
    """The searchable arguments of a call, each of lith's names once."""
    if arguments is None:
        return ()
    fields: dict[str, Any] = {}
    for name, value in zip(_FIELD_NAMES, msgspec.structs.astuple(arguments), strict=True):
        if isinstance(value, str) and value:
            fields.setdefault(name, value)
    return tuple(fields.items())
