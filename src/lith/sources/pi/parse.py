"""From the bytes of one entry to a `Record`.

The hot path of a cold sync. Only the adapter calls it. It sees one entry at a time. An entry's id is short and unique in its session only,
and a fork copies entries with their ids, so a record's id is made of the session's and the entry's.
"""

from lith.kernel import ids
from lith.records.record import Problem, Record, Usage
from lith.sources.base import FileContext
from lith.sources.pi import session
from lith.sources.pi.entries import Facts, read_entry
from lith.sources.pi.lines import Line, Tokens, decode_line
from lith.sources.pi.vocabulary import type_name

_LARGEST_COUNT = 1 << 53
_LARGEST_TIME = 253_402_300_800_000  # the year 10000
_NO_USAGE = Usage()


def parse(data: bytes | memoryview, context: FileContext, content_hash: bytes) -> Record | Problem:
    """The record of one whole JSON object; see `sources.base.Source.parse`."""
    decoded = decode_line(data)
    if isinstance(decoded, str):
        return Problem(reason=decoded, offset=0, length=0)
    line, dropped = decoded
    if not line.type:
        return Problem(reason="wrong_type" if "type" in dropped else "no_type", offset=0, length=0)
    foreign = session.is_foreign(context)
    facts = Facts() if foreign else read_entry(line, context)
    transcript = context.transcript
    timestamp = _timestamp(line)
    return Record(
        transcript=transcript,
        record_id=_record_id(line, transcript, content_hash),
        type=type_name(line.type, None if line.message is None else line.message.role),
        timestamp=timestamp,
        parent=ids.derive(transcript, line.parent_id.encode()) if line.parent_id else None,
        tool_use_id=facts.tool_use_id,
        flags=facts.flags,
        usage=None if foreign else _usage(line, context, timestamp),
        attributes=facts.attributes,
        pieces=facts.pieces,
        dropped=dropped,
    )


def _record_id(line: Line, transcript: str, content_hash: bytes) -> str:
    if line.type == session.HEADER:
        return ids.derive(transcript, f"{session.HEADER} {line.id or ''}".encode())
    return ids.derive(transcript, line.id.encode() if line.id else content_hash)


def _timestamp(line: Line) -> int | None:
    if line.timestamp is not None:
        return session.to_ms(line.timestamp)
    inner = None if line.message is None else line.message.timestamp
    return int(inner) if inner is not None and 0 < inner < _LARGEST_TIME else None


def _usage(line: Line, context: FileContext, timestamp: int | None) -> Usage | None:
    """The tokens of a model call; None where there was none, and for a call of the session that this one was forked from."""
    tokens = line.usage if line.message is None else line.message.usage
    if tokens is None:
        return None
    started = session.forked_at(context) if context.head else None
    if started is not None and timestamp is not None and timestamp < started:
        return None
    usage = _counts(tokens)
    return None if usage == _NO_USAGE else usage


def _counts(tokens: Tokens) -> Usage:
    return Usage(_count(tokens.input), _count(tokens.output), _count(tokens.cache_read), _count(tokens.cache_write))


def _count(tokens: int | None) -> int:
    return tokens if tokens and 0 < tokens < _LARGEST_COUNT else 0
