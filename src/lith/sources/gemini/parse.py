"""From the bytes of one line to a `Record`.

The hot path of a cold sync. Only the adapter calls it. It sees one line at a time. The client writes a message again, longer, when its
calls have been answered: both lines are copies of one record, named after the message, and the longer one counts. A patch may repeat any
number of messages; its pieces say which, and `arrange` hides what was said before.
"""

from collections.abc import Sequence

from lith.kernel import ids
from lith.records.record import Flag, Kind, Label, Piece, Problem, Record, Usage
from lith.sources.base import FileContext
from lith.sources.gemini import session, vocabulary
from lith.sources.gemini.lines import Line, Message, Tokens, decode_line, to_ms
from lith.sources.gemini.pieces import read_message

_META, _TURN, _CONVERSATION, _ROLLBACK, _HEADER, _BOUNDARY = (
    int(flag) for flag in (Flag.META, Flag.TURN, Flag.CONVERSATION, Flag.ROLLBACK, Flag.HEADER, Flag.BOUNDARY)
)
_LARGEST_COUNT = 1 << 53
_NO_USAGE = Usage()


def parse(data: bytes | memoryview, context: FileContext, content_hash: bytes) -> Record | Problem:
    """The record of one whole JSON object; see `sources.base.Source.parse`."""
    decoded = decode_line(data)
    if isinstance(decoded, str):
        return Problem(reason=decoded, offset=0, length=0)
    line, dropped = decoded
    if line.rewind_to is not None:
        return _rewind(line.rewind_to, context, content_hash, dropped)
    if line.type:
        return _message(line, line.type, context, content_hash, dropped)
    if line.patch is not None or line.session_id is not None:
        return _whole(line, context, content_hash, dropped)
    return Problem(reason="wrong_type" if "type" in dropped else "no_type", offset=0, length=0)


def _message(line: Line, type_: str, context: FileContext, content_hash: bytes, dropped: tuple[str, ...]) -> Record:
    transcript = context.transcript
    said = read_message(line)
    flags = said.flags
    if flags & _TURN and session.is_agent(context):
        flags ^= _TURN  # what a model wrote to its agent begins no person's turn
    return Record(
        transcript=transcript,
        record_id=ids.derive(transcript, _key(type_, line.id).encode() if line.id else content_hash),
        type=vocabulary.type_name(type_),
        timestamp=None if line.timestamp is None else to_ms(line.timestamp),
        message_id=_key(type_, line.id) if line.id else None,
        tool_use_id=said.tool_use_id,
        flags=flags,
        usage=None if line.tokens is None else _usage(line.tokens),
        attributes=(*session.model_attributes(line.model), *session.cwd_attributes(said.paths, context)),
        pieces=said.pieces,
        dropped=dropped,
    )


def _whole(line: Line, context: FileContext, content_hash: bytes, dropped: tuple[str, ...]) -> Record:
    """A line about the whole conversation: its header, or a patch of it. Either may hold all messages again."""
    patch = line.patch
    messages = line.messages if patch is None else patch.messages
    flags, pieces, paths = _read_messages(messages or ())
    if patch is None:
        type_ = vocabulary.HEADER
        flags |= _HEADER
        moment, summary = line.start_time or line.last_updated, line.summary
        attributes = session.header_attributes(line, context)
    else:
        type_ = vocabulary.PATCH if messages is None else vocabulary.PATCH_MESSAGES
        moment, summary = patch.last_updated, patch.summary
        attributes = session.cwd_attributes(patch.directories or (), context)
    if moment is None:
        moment = max((m.timestamp for m in messages or () if m.timestamp is not None), key=to_ms, default=None)
    title = (Piece(Kind.PROFILE, summary.strip(), None, Label.AI_TITLE),) if summary and not summary.isspace() else ()
    return Record(
        transcript=context.transcript,
        record_id=ids.derive(context.transcript, content_hash),
        type=type_,
        timestamp=None if moment is None else to_ms(moment),
        flags=flags,
        attributes=attributes or session.cwd_attributes(paths, context),
        pieces=(*title, *pieces),
        dropped=dropped,
    )


def _read_messages(messages: Sequence[Message]) -> tuple[int, list[Piece], list[str]]:
    """What the messages in one line say together."""
    flags = 0
    pieces: list[Piece] = []
    paths: list[str] = []
    for number, message in enumerate(messages):
        said = read_message(message, _key(message.type or "", message.id or f"#{number}"))
        flags |= said.flags & _BOUNDARY
        pieces += said.pieces
        paths += said.paths
    if any(piece.kind is Kind.MESSAGE for piece in pieces):
        flags |= _CONVERSATION
    return flags or (_META if messages else 0), pieces, paths


def _rewind(target: str, context: FileContext, content_hash: bytes, dropped: tuple[str, ...]) -> Record:
    """A step back: the message that it names and all that followed are taken back."""
    transcript = context.transcript
    return Record(
        transcript=transcript,
        record_id=ids.derive(transcript, content_hash),
        type=vocabulary.REWIND,
        target=ids.derive(transcript, _key(vocabulary.USER, target).encode()),
        flags=_ROLLBACK,
        dropped=dropped,
    )


def _key(type_: str, id_: str) -> str:
    """What tells one message from the others of its session: answers of tools can have the id of the message that called them."""
    return f"{type_} {id_}"


def _usage(tokens: Tokens) -> Usage | None:
    """The tokens of a model call; None where there was none. The client counts cached tokens as input, and thoughts apart."""
    cached = _count(tokens.cached)
    usage = Usage(
        input=max(_count(tokens.input) - cached, 0) + _count(tokens.tool),
        output=_count(tokens.output) + _count(tokens.thoughts),
        cache_read=cached,
    )
    return None if usage == _NO_USAGE else usage


def _count(tokens: int | None) -> int:
    return tokens if tokens and 0 < tokens < _LARGEST_COUNT else 0
