"""What a file says of its session: which one it is, where it ran, and which one it was forked from.

Only `sources.pi` uses it.
"""

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import PurePosixPath

import msgspec

from lith.sources.base import FileContext
from lith.sources.pi.lines import Line, decode_line
from lith.sources.walk import TRANSCRIPT_SUFFIXES

HEADER = "session"

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MS = timedelta(milliseconds=1)
_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z._-]{0,127}\Z")
_NOT_IN_IDS = re.compile(r"[^0-9A-Za-z._-]+")
_LONGEST = 4_096
_FOREIGN = ("foreign", "dsh")
_FORKED_AT = "forked_at"


def file_context(relative: str, first_object: bytes) -> FileContext:
    """The context of a file: the session of its header, or the id in its name. Never raises."""
    header = _first_header(first_object)
    if header is None:
        return FileContext(_id_of_name(relative))
    if is_foreign_header(header):
        return FileContext(_id_of_name(relative), (), (_FOREIGN,))
    attributes = header_attributes(header)
    forked = header.timestamp is not None and any(name == "parent" for name, _ in attributes)
    head = ((_FORKED_AT, str(to_ms(header.timestamp))),) if forked and header.timestamp is not None else ()
    return FileContext(_session_id(header.id) or _id_of_name(relative), attributes, head)


def _first_header(first_object: bytes) -> Line | None:
    try:
        decoded = decode_line(first_object)
    except (msgspec.DecodeError, RecursionError):
        return None
    return None if isinstance(decoded, str) or decoded[0].type != HEADER else decoded[0]


def is_foreign_header(line: Line) -> bool:
    """Whether a header is that of another client, whose first line has the same type."""
    return line.created_at is not None or line.delegation_depth is not None


def is_foreign(context: FileContext) -> bool:
    """Whether a file is another client's: its records are kept, and nothing of them is understood."""
    return _FOREIGN in context.head


def is_own_header(line: Line, context: FileContext) -> bool:
    """Whether a header describes the file's own session."""
    return not is_foreign_header(line) and _session_id(line.id) in {None, context.transcript}


def forked_at(context: FileContext) -> int | None:
    """When a forked session began: what is older was copied from its parent."""
    return next((int(value) for name, value in context.head if name == _FORKED_AT), None)


def header_attributes(line: Line) -> tuple[tuple[str, str], ...]:
    """The facts in a header."""
    origin = line.parent_session or line.branched_from
    facts = (("cwd", line.cwd), ("parent", _id_of_path(origin) if origin else None))
    return tuple((name, value[:_LONGEST]) for name, value in facts if value)


def _session_id(value: str | None) -> str | None:
    return value if value and _ID.match(value) else None


def _id_of_path(path: str) -> str | None:
    """The session in a file that a header names; the path may be of another system."""
    return _session_id(_stem(path.replace("\\", "/")))


def _id_of_name(relative: str) -> str:
    return _NOT_IN_IDS.sub("_", _stem(relative)).lstrip("._-")[:128] or "unknown"


def _stem(path: str) -> str:
    """A file's name without its suffix and without the time before the id."""
    name = PurePosixPath(path).name
    for suffix in TRANSCRIPT_SUFFIXES:
        name = name.removesuffix(suffix)
    return name.rpartition("_")[2] or name


@lru_cache(maxsize=1024)
def model_attributes(model: str | None) -> tuple[tuple[str, str], ...]:
    """The model that an entry names."""
    return (("model", model[:_LONGEST]),) if model else ()


def to_ms(moment: datetime) -> int:
    """Milliseconds since the epoch; times without a zone are UTC."""
    return ((moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)) - _EPOCH) // _MS
