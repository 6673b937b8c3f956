"""From the bytes of one rollout line to a `Record`.

The hot path of a cold sync. Only the adapter calls it. It sees one line at a time; what is said twice (as an event and as a response
item) gives pieces in both places, the preferred form marked native, and `arrange` hides one of them.
"""

from datetime import UTC, datetime

from lith.kernel import ids
from lith.records.record import Kind, Label, Piece, Problem, Record
from lith.sources.base import FileContext
from lith.sources.codex import session
from lith.sources.codex.classification import BARE_ITEMS, summary_text
from lith.sources.codex.events import read_event
from lith.sources.codex.facts import BOUNDARY, HEADER, META, TURN, Facts, read_usage, type_name
from lith.sources.codex.lines import decode_bare, decode_line
from lith.sources.codex.response_items import read_response_item
from lith.sources.codex.structs import Line, Payload

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def parse(data: bytes | memoryview, context: FileContext, content_hash: bytes) -> Record | Problem:
    """The record of one whole JSON object; see `sources.base.Source.parse`."""
    decoded = decode_line(data)
    if isinstance(decoded, str):
        return Problem(reason=decoded, offset=0, length=0)
    line, dropped = decoded
    payload = line.payload
    if payload is None or not line.type:
        found = _read_bare(data, line, dropped)
        if isinstance(found, Problem):
            return found
        line, payload, dropped = found
    facts = _read(line, payload, context)
    attributes, usage, flags = facts.attributes, facts.usage, facts.flags
    if (context.head or line.metadata is not None) and session.is_inherited(line, context):
        attributes, usage = (*attributes, session.INHERITED), None
    if flags & TURN and session.is_agent(context):
        flags ^= TURN  # what a model wrote to its agent begins no person's turn
    passthrough = payload.internal_chat_message_metadata_passthrough
    return Record(
        transcript=context.transcript,
        record_id=ids.derive(context.transcript, content_hash),
        type=facts.type,
        timestamp=None if line.timestamp is None else _to_ms(line.timestamp),
        prompt_id=payload.turn_id or (passthrough.turn_id if passthrough is not None else None) or None,
        tool_use_id=facts.tool_use_id or None,
        target=facts.target or None,
        flags=flags,
        usage=usage,
        attributes=attributes,
        pieces=facts.pieces,
        dropped=dropped,
    )


def _read(line: Line, payload: Payload, context: FileContext) -> Facts:
    kind = line.type
    if kind == "response_item":
        return read_response_item(payload, line)
    if kind == "event_msg":
        return read_event(payload, context)
    if kind == "session_meta":
        own = session.is_own(payload, context)
        return Facts(kind, HEADER, (), session.meta_attributes(payload)) if own else Facts(kind, META)
    if kind == "turn_context":
        return Facts(kind, 0, (), session.turn_attributes(payload, context))
    if kind == "token_usage_record":
        return Facts(kind, usage=read_usage(payload.thread_token_usage))
    if kind == "compacted":
        text = summary_text(payload.message or "")
        pieces = (Piece(Kind.PROFILE, text, None, Label.COMPACTION),) if text else ()
        return Facts(kind, BOUNDARY, pieces)
    return Facts(type_name("", kind))


def _read_bare(data: bytes | memoryview, line: Line, dropped: tuple[str, ...]) -> tuple[Line, Payload, tuple[str, ...]] | Problem:
    """A line without a payload: of the oldest files, which have no envelope, or of a type that is not known."""
    if line.type in BARE_ITEMS:
        return Line(timestamp=line.timestamp, type="response_item", metadata=line.metadata), *decode_bare(data)
    if line.type:
        return line, Payload(), dropped
    if line.record_type is not None:
        return Line(timestamp=line.timestamp, type=line.record_type), Payload(), dropped
    if line.id is not None and line.timestamp is not None and line.payload is None:
        return Line(timestamp=line.timestamp, type="session_meta"), *decode_bare(data)
    return Problem(reason="wrong_type" if "type" in dropped else "no_type", offset=0, length=0)


def _to_ms(moment: datetime) -> int:
    delta = (moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)) - _EPOCH
    return delta.days * 86_400_000 + delta.seconds * 1_000 + delta.microseconds // 1_000
