"""What a file says of its session: which one it is, where it ran, and who started it.

Only `sources.dsh` uses it.
"""

import re
from functools import lru_cache
from pathlib import PurePosixPath

import msgspec

from lith.records.record import SessionKind
from lith.sources.base import FileContext
from lith.sources.dsh.lines import Line, decode_line
from lith.sources.dsh.vocabulary import HEADER

_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z._-]{0,127}\Z")
_NOT_IN_IDS = re.compile(r"[^0-9A-Za-z._-]+")
_AGENT = ("kind", SessionKind.SUBAGENT.value)
_CREATED = "created"
_FOREIGN = ("foreign", "pi")
_LONGEST = 4_096
_LARGEST_TIME = 253_402_300_800_000  # the year 10000


def file_context(relative: str, first_object: bytes) -> FileContext:
    """The context of a file: the session of its header, or the folder that it stands in. Never raises."""
    header = _first_header(first_object)
    if header is None:
        return FileContext(_id_of_place(relative))
    if header.created_at is None and header.delegation_depth is None:
        return FileContext(_id_of_place(relative), (), (_FOREIGN,))
    created = to_ms(header.created_at)
    head = () if created is None else ((_CREATED, str(created)),)
    return FileContext(session_id(header.id) or _id_of_place(relative), header_attributes(header), head)


def _first_header(first_object: bytes) -> Line | None:
    try:
        decoded = decode_line(first_object)
    except (msgspec.DecodeError, RecursionError):
        return None
    return None if isinstance(decoded, str) or decoded[0].type != HEADER else decoded[0]


def session_id(value: str | None) -> str | None:
    """A session's id, if `value` can be one."""
    return value if value and _ID.match(value) else None


def _id_of_place(relative: str) -> str:
    """Every log has the same name; what tells them apart is the folder."""
    path = PurePosixPath(relative)
    return _NOT_IN_IDS.sub("_", path.parent.name or path.name).lstrip("._-")[:128] or "unknown"


def is_foreign(context: FileContext) -> bool:
    """Whether a file is another client's, whose header has the same type: its records are kept, and nothing of them is understood."""
    return _FOREIGN in context.head


def is_agent(context: FileContext) -> bool:
    """Whether a file holds the session of a sub-agent."""
    return _AGENT in context.attributes


def created(context: FileContext) -> int | None:
    """When the session began: events that are older were copied from the session that it was forked from."""
    return next((int(value) for name, value in context.head if name == _CREATED), None)


def header_attributes(line: Line) -> tuple[tuple[str, str], ...]:
    """The facts in a header."""
    is_delegated = line.origin == "subagent" or (line.delegation_depth or 0) > 0
    facts = (
        ("cwd", line.cwd),
        ("parent", session_id(line.parent_session)),
        ("kind", SessionKind.SUBAGENT.value if is_delegated else None),
        ("agent", line.agent_preset if is_delegated else None),
    )
    return tuple((name, value[:_LONGEST]) for name, value in facts if value)


@lru_cache(maxsize=1024)
def model_attributes(model: str | None) -> tuple[tuple[str, str], ...]:
    """The model that an event names."""
    return (("model", model[:_LONGEST]),) if model else ()


def to_ms(time: float | None) -> int | None:
    """A time, where it can be one."""
    return int(time) if time is not None and 0 < time < _LARGEST_TIME else None
