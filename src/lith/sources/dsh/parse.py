"""From the bytes of one line to a `Record`.

The hot path of a cold sync. Only the adapter calls it. It sees one line at a time. When the client changes its format it writes a session
again, into a second file and with other numbers, so that a record is named after the client's id of the thing wherever there is one.
"""

from lith.kernel import ids
from lith.records.record import Problem, Record, Usage
from lith.sources.base import FileContext
from lith.sources.dsh import session
from lith.sources.dsh.events import Facts, read_event
from lith.sources.dsh.lines import Line, Tokens, decode_line
from lith.sources.dsh.vocabulary import ANSWER, SUMMARY, type_name

_COUNTED = frozenset({ANSWER, SUMMARY})
_LARGEST_COUNT = 1 << 53
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
    facts = Facts() if foreign else read_event(line, context)
    timestamp = session.to_ms(line.time if line.created_at is None else line.created_at)
    content = content_hash if facts.name is None else f"{line.type} {facts.name}".encode()
    return Record(
        transcript=context.transcript,
        record_id=ids.derive(context.transcript, content),
        type=type_name(line.type),
        timestamp=timestamp,
        tool_use_id=facts.tool_use_id,
        flags=facts.flags,
        usage=None if foreign else _usage(line, context, timestamp),
        attributes=facts.attributes,
        pieces=facts.pieces,
        dropped=dropped,
    )


def _usage(line: Line, context: FileContext, timestamp: int | None) -> Usage | None:
    """The tokens of a model call that came to its end; None elsewhere, and for a call of the session that this one was forked from."""
    tokens = None if line.data is None else line.data.usage
    if tokens is None or line.type not in _COUNTED:
        return None
    began = session.created(context) if context.head else None
    if began is not None and timestamp is not None and timestamp < began:
        return None
    usage = _counts(tokens)
    return None if usage == _NO_USAGE else usage


def _counts(tokens: Tokens) -> Usage:
    return Usage(
        _count(tokens.input_tokens),
        _count(tokens.output_tokens),
        _count(tokens.cache_read_tokens),
        _count(tokens.cache_write_tokens),
    )


def _count(tokens: int | None) -> int:
    return tokens if tokens and 0 < tokens < _LARGEST_COUNT else 0
