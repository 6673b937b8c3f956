"""From the bytes of one record to a `Record`.

The hot path of a cold sync. Only the adapter calls it. It looks at one record at a time and keeps nothing between two of them but
caches of equal strings.
"""

from datetime import UTC, datetime, timedelta

from lith.kernel import ids
from lith.records.record import Flag, Problem, Record, Usage
from lith.sources.base import FileContext
from lith.sources.claude_code.lines import Line, Tokens, decode_line
from lith.sources.claude_code.pieces import NOT_A_MODEL, read_assistant, read_other, read_user
from lith.sources.claude_code.places import attributes_of, place

_SIDECHAIN = int(Flag.SIDECHAIN)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MS = timedelta(milliseconds=1)
_LARGEST_COUNT = 1 << 53
_NO_USAGE = Usage()
_MOST_DROPPED = 16  # names per record; they are for counting, not for repair


def parse(data: bytes | memoryview, context: FileContext, content_hash: bytes) -> Record | Problem:
    """The record of one whole JSON object; see `sources.base.Source.parse`."""
    decoded = decode_line(data)
    if isinstance(decoded, str):
        return Problem(reason=decoded, offset=0, length=0)
    line, dropped = decoded
    type_ = line.type
    if not type_:
        return Problem(reason="wrong_type" if "type" in dropped else "no_type", offset=0, length=0)
    message = line.message
    own = context.transcript
    transcript = place(line.session_id, line.agent_id, own)
    in_agent = "/" in transcript
    usage = None
    if type_ == "assistant":
        pieces, flags, tool_use_id = read_assistant(line)
        if message is not None and message.usage is not None:
            usage = _read_usage(message.model, message.usage)
    elif type_ == "user":
        pieces, flags, tool_use_id = read_user(line, in_agent or line.is_sidechain is True)
    else:
        pieces, flags, tool_use_id = read_other(line)
    if line.is_sidechain and not in_agent:
        flags |= _SIDECHAIN
    return Record(
        transcript=transcript,
        record_id=line.uuid or ids.derive(transcript, content_hash),
        type=_name_type(line, type_),
        timestamp=None if line.timestamp is None else _to_ms(line.timestamp),
        parent=line.parent_uuid,
        logical_parent=line.logical_parent_uuid or line.source_tool_assistant_uuid,
        prompt_id=line.prompt_id,
        message_id=None if message is None else message.id,
        tool_use_id=tool_use_id,
        target=_find_target(line, own),
        flags=flags,
        usage=usage,
        attributes=attributes_of(line.cwd, line.git_branch, line.version, None if message is None else message.model, transcript),
        pieces=pieces,
        dropped=dropped[:_MOST_DROPPED],
    )


def _name_type(line: Line, type_: str) -> str:
    """The client's name of the type, with the subtype where the type has them."""
    subtype = None
    if type_ == "system":
        subtype = line.subtype
    elif type_ == "attachment":
        subtype = None if line.attachment is None else line.attachment.type
    elif type_ == "progress":
        subtype = None if line.data is None else line.data.type
    return f"{type_}/{subtype}" if subtype else type_


def _find_target(line: Line, own: str) -> str | None:
    """The session of the sub-agent that the answered call started, or the leaf of the conversation that a summary titles."""
    if line.tool_use_result is None:
        return line.leaf_uuid if line.type == "summary" else None
    agent = getattr(line.tool_use_result, "agent_id", None)
    return place(line.session_id, agent, own) if isinstance(agent, str) and agent else None


def _to_ms(moment: datetime) -> int:
    """Milliseconds since the epoch; the client's times without a zone are UTC."""
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - _EPOCH) // _MS


def _read_usage(model: str | None, tokens: Tokens) -> Usage | None:
    """The tokens of a model call; None where there was none."""
    usage = Usage(
        input=_count(tokens.input_tokens),
        output=_count(tokens.output_tokens),
        cache_read=_count(tokens.cache_read_input_tokens),
        cache_write=_count(tokens.cache_creation_input_tokens),
    )
    return None if model == NOT_A_MODEL or usage == _NO_USAGE else usage


def _count(tokens: int | None) -> int:
    return tokens if tokens and 0 < tokens < _LARGEST_COUNT else 0
