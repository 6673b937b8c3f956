"""What of a record becomes text: messages, calls, session-level text; and what kind of record that makes it.

Only `claude_code.parse` calls it.
"""

from typing import Any

import msgspec

from lith.records.record import Flag, Kind, Label, Piece, Role
from lith.sources.claude_code.lines import Attachment, Block, Input, Line, Origin
from lith.sources.claude_code.words import Sort, Words, classify, without_spans

Content = tuple[tuple[Piece, ...], int, str | None]
"""What a record holds: its pieces, its flags, the id of its tool call."""

NOT_A_MODEL = "<synthetic>"

_MESSAGE, _CALL, _PROFILE = Kind.MESSAGE, Kind.CALL, Kind.PROFILE
_USER, _ASSISTANT = Role.USER, Role.ASSISTANT
_META, _TURN, _BOUNDARY, _CONVERSATION, _ERROR = (
    int(flag) for flag in (Flag.META, Flag.TURN, Flag.BOUNDARY, Flag.CONVERSATION, Flag.ERROR)
)
_NOTHING: Content = ((), 0, None)
_NO_TEXT = "(no content)"  # what the client writes where a model said nothing
_CALL_BLOCKS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
_RECAP_HINT = "(disable recaps in /config)"
_LARGEST_INDEX = 1 << 20

# The searchable arguments of a call under lith's names, in the order of `Input`. Contents of edits and writes, prompts of sub-agents
# (their sessions begin with them) and everything else stay out.
_FIELD_NAMES = ("command", "command", "path", "path", "pattern", "path", "query", "url", "args", "description")

# Origins of prompts that no person typed at that moment. One that is not listed counts as a person's: rather a machine's words
# among the messages than a person's words missing.
_MACHINES = frozenset(
    {
        "auto-continuation",
        "coordinator",
        "harness",
        "observer",
        "observer-activity",
        "peer",
        "peer-send-message",
        "scheduled-trigger",
        "task-notification",
    }
)

_FLAGS_OF = {
    Sort.HUMAN: _CONVERSATION | _TURN,
    Sort.PROMPT_COMMAND: _CONVERSATION | _TURN,
    Sort.SHELL: _CONVERSATION,
    Sort.LOCAL_COMMAND: _META,
    Sort.COMPACTION: _META,
    Sort.INJECTED: _META,
}

_TITLES = {
    "ai-title": ("ai_title", Label.AI_TITLE),
    "custom-title": ("custom_title", Label.TITLE),
    "agent-name": ("agent_name", Label.TITLE),
}


def read_assistant(line: Line) -> Content:
    """What a model said and did, or what the client said in its place."""
    message = line.message
    if message is None or message.content is None:
        return (), _CONVERSATION, None
    if line.is_api_error_message:
        return (), _META | _ERROR, None
    if message.model == NOT_A_MODEL:
        return (), _META, None
    blocks = _blocks(message.content)
    if line.is_compact_summary:
        return _compaction(blocks), _META, None
    first = line.api_block_index or 0
    if not 0 <= first <= _LARGEST_INDEX:
        first = 0
    pieces = []
    tool_use_id = None
    for order, block in enumerate(blocks, first):
        if block.type == "text":
            text = block.text
            if text and text != _NO_TEXT and not text.isspace():
                pieces.append(Piece(_MESSAGE, text, _ASSISTANT, None, None, (), order))
        elif block.type in _CALL_BLOCKS:
            tool_use_id = tool_use_id or block.id
            if block.name:
                pieces.append(_call(_ASSISTANT, block.name, _fields(block.input), order))
    return tuple(pieces), _CONVERSATION, tool_use_id


def read_user(line: Line, in_agent: bool) -> Content:
    """What stands in the user's place: a person's words, results of calls, or the client's own words.

    Inside a sub-agent (`in_agent`) the words are those of the model that started it, and no person's turn begins.
    """
    message = line.message
    if message is None or message.content is None:
        return (), _CONVERSATION, None
    blocks = _blocks(message.content)
    if line.is_compact_summary:
        return _compaction(blocks), _META, None
    machine = line.is_meta or line.is_visible_in_transcript_only or (not in_agent and _is_machine(line))
    pieces: list[Piece] = []
    flags = 0
    tool_use_id = None
    for order, block in enumerate(blocks):
        if block.type == "tool_result":
            flags |= _CONVERSATION | _ERROR if block.is_error else _CONVERSATION
            tool_use_id = tool_use_id or block.tool_use_id
        elif machine:
            flags |= _META
        elif block.type == "text":
            words = classify(block.text or "")
            flags |= _FLAGS_OF[words.sort]
            pieces.extend(_pieces_of(words, order))
        else:  # an image or a document: a prompt, even without a word
            flags |= _CONVERSATION | _TURN
    if flags & _CONVERSATION or not flags:
        flags = (flags | _CONVERSATION) & ~_META
    if in_agent:
        flags &= ~_TURN
    return tuple(pieces), flags, tool_use_id


def read_other(line: Line) -> Content:
    """What a record holds that is no turn of the conversation."""
    type_ = line.type
    if type_ == "attachment":
        return _read_queued(line.attachment) if line.attachment is not None else _NOTHING
    if type_ == "system":
        return _read_system(line)
    if type_ == "summary":
        return _profile(_plain_title(line.summary), Label.SUMMARY)
    if type_ in _TITLES:
        field, label = _TITLES[type_]
        return _profile(getattr(line, field), label)
    return _NOTHING


def _read_system(line: Line) -> Content:
    if line.subtype == "compact_boundary":
        return (), _BOUNDARY, None
    if line.subtype == "api_error":
        return (), _ERROR, None
    if line.subtype == "away_summary":
        return _profile((line.content or "").removesuffix(_RECAP_HINT).rstrip(), Label.RECAP)
    if line.subtype == "local_command":
        words = classify(line.content or "")
        if words.sort in {Sort.LOCAL_COMMAND, Sort.PROMPT_COMMAND, Sort.SHELL}:
            return _pieces_of(words, 0), _META, None
    return _NOTHING


def _read_queued(attachment: Attachment) -> Content:
    """A prompt typed while the model was busy; it steers the turn that runs and begins none."""
    if attachment.type != "queued_command" or attachment.command_mode == "task-notification":
        return _NOTHING
    if attachment.origin is not None and attachment.origin.kind in _MACHINES:
        return _NOTHING
    pieces: list[Piece] = []
    for order, text in enumerate(_prompt_texts(attachment.prompt)):
        words = Words(Sort.SHELL, text.strip()) if attachment.command_mode == "bash" else classify(text)
        if words.sort in {Sort.HUMAN, Sort.SHELL, Sort.PROMPT_COMMAND}:
            pieces.extend(_pieces_of(words, order))
    return (tuple(pieces), _CONVERSATION, None) if pieces else _NOTHING


def _prompt_texts(prompt: Any) -> list[str]:
    """The texts of a queued prompt: one string, or content blocks."""
    if isinstance(prompt, str):
        return [prompt]
    blocks = prompt if isinstance(prompt, list) else []
    texts = [block.get("text") for block in blocks if isinstance(block, dict) and block.get("type") == "text"]
    return [text for text in texts if isinstance(text, str)]


def _is_machine(line: Line) -> bool:
    """Whether the client says that a prompt came from no person."""
    origin: Origin | None = line.origin
    if origin is not None and origin.kind in _MACHINES:
        return True
    return line.prompt_source == "system" or line.source_tool_use_id is not None


def _blocks(content: str | list[Block]) -> list[Block]:
    return [Block(type="text", text=content)] if isinstance(content, str) else content


def _pieces_of(words: Words, order: int) -> tuple[Piece, ...]:
    if words.sort == Sort.HUMAN:
        return (Piece(_MESSAGE, words.text, _USER, None, None, (), order),)
    if words.sort in {Sort.PROMPT_COMMAND, Sort.LOCAL_COMMAND}:
        return (_call(_USER, words.tool, (("args", words.text),) if words.text else (), order),)
    if words.sort == Sort.SHELL and words.text:
        return (_call(_USER, "Bash", (("command", words.text),), order),)
    if words.sort == Sort.COMPACTION:
        return (Piece(_PROFILE, words.text, None, Label.COMPACTION, None, (), order),)
    return ()


def _call(role: Role, tool: str, fields: tuple[tuple[str, str], ...], order: int) -> Piece:
    """The piece of one call; its text is the values of its fields, one a line."""
    return Piece(_CALL, "\n".join([value for _, value in fields]), role, None, tool, fields, order)


def _compaction(blocks: list[Block]) -> tuple[Piece, ...]:
    text = "\n".join(without_spans(block.text) for block in blocks if block.type == "text" and block.text)
    return _profile(text, Label.COMPACTION)[0]


def _profile(text: str | None, label: Label) -> Content:
    return ((Piece(_PROFILE, text, None, label),), 0, None) if text and not text.isspace() else _NOTHING


def _plain_title(summary: str | None) -> str | None:
    """A title as text: some versions store the model's JSON answer as it came."""
    if not summary or not summary.startswith("{"):
        return summary
    try:
        answer = msgspec.json.decode(summary)
    except (msgspec.DecodeError, RecursionError):
        return summary
    title = answer.get("title") if isinstance(answer, dict) else None
    return title if isinstance(title, str) else summary


def _fields(arguments: Input | None) -> tuple[tuple[str, str], ...]:
    """The searchable arguments of a call, each of lith's names once."""
    if arguments is None:
        return ()
    fields: dict[str, str] = {}
    for name, value in zip(_FIELD_NAMES, msgspec.structs.astuple(arguments), strict=True):
        if value.__class__ is str and value:
            fields.setdefault(name, value)
    return tuple(fields.items())
