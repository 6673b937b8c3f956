"""What one line says: the facts that become a record, and the pieces that both forms of a text give.

Only `sources.codex` uses it. Events and response items come through the same functions, so that the two forms of one text are equal.
"""

from functools import lru_cache

import msgspec

from lith.records.record import Flag, Kind, Label, Piece, Role, Usage
from lith.sources.codex.classification import answer_texts, is_injected, prompt_text
from lith.sources.codex.structs import TokenUsage

META, TURN, BOUNDARY, CONVERSATION, ROLLBACK, HEADER, ERROR = (
    int(flag) for flag in (Flag.META, Flag.TURN, Flag.BOUNDARY, Flag.CONVERSATION, Flag.ROLLBACK, Flag.HEADER, Flag.ERROR)
)

LARGEST_COUNT = 1 << 53
_LONGEST_TYPE = 64


class Facts(msgspec.Struct, gc=False):
    """What a line says, before it gets its identity."""

    type: str
    flags: int = 0
    pieces: tuple[Piece, ...] = ()
    attributes: tuple[tuple[str, str], ...] = ()
    usage: Usage | None = None
    tool_use_id: str | None = None
    target: str | None = None


def prompt_facts(name: str, parts: list[str]) -> Facts:
    """A prompt that the client itself calls one, even if nothing of it is text."""
    text = prompt_text([part for part in parts if not is_injected(part)])
    if not text and any(part.strip() for part in parts):
        return Facts(name, META)
    return Facts(name, CONVERSATION | TURN, (Piece(Kind.MESSAGE, text, Role.USER),) if text else ())


def answer_facts(name: str, parts: list[str]) -> Facts:
    """An answer in the form that a person sees."""
    pieces = answer_pieces(parts, native=True)
    return Facts(name, CONVERSATION if pieces or not any(parts) else META, pieces)


def answer_pieces(parts: list[str], *, native: bool) -> tuple[Piece, ...]:
    """The messages in the text blocks of an answer."""
    texts = [text for part in parts for text in answer_texts(part)]
    return tuple(Piece(Kind.MESSAGE, text, Role.ASSISTANT, order=index, native=native) for index, text in enumerate(texts))


def reasoning_pieces(parts: list[str], *, native: bool) -> tuple[Piece, ...]:
    """The readable summaries of a model's reasoning."""
    return tuple(
        Piece(Kind.PROFILE, part.strip(), None, Label.REASONING, order=index, native=native)
        for index, part in enumerate(parts)
        if part.strip()
    )


def read_usage(counts: TokenUsage | None) -> Usage | None:
    """The counters of a session so far; the client counts cached tokens as input."""
    if counts is None:
        return None
    read, written = _count(counts.cached_input_tokens), _count(counts.cache_write_input_tokens)
    fresh = _count(_count(counts.input_tokens) - read - written)
    return Usage(fresh, _count(counts.output_tokens), read, written, cumulative=True)


def _count(number: int) -> int:
    return min(max(number, 0), LARGEST_COUNT)


@lru_cache(maxsize=1024)
def type_name(prefix: str, name: str | None) -> str:
    """A type as it goes into the map: short, and of one line, whatever a file says."""
    if not name:
        return f"{prefix}unknown"
    if len(name) > _LONGEST_TYPE or not name.isprintable():
        name = repr(name[:_LONGEST_TYPE])[1:-1][:_LONGEST_TYPE]
    return prefix + name
