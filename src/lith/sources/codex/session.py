"""What a rollout says of its session: which thread it is, where it ran, and who started it.

Only `sources.codex` uses it.
"""

import re
from pathlib import PurePosixPath
from typing import Any

import msgspec

from lith.records.record import SessionKind
from lith.sources.base import FileContext
from lith.sources.codex.calls import local_path
from lith.sources.codex.lines import decode_bare, decode_line
from lith.sources.codex.structs import Line, Payload

Attributes = tuple[tuple[str, str], ...]

INHERITED = ("inherited", "true")
"""The attribute of a record that the client copied from the parent thread, where the client says so."""

REVIEW_MODEL = "codex-auto-review"
_AGENT, _REVIEW = ("kind", SessionKind.SUBAGENT.value), ("kind", SessionKind.REVIEW.value)
_FIRST_OWN = "first_own_ordinal"
_THREAD_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z._-]{0,127}\Z")
_FILE_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_LONGEST = 4_096


def file_context(relative: str, first_object: bytes) -> FileContext:
    """The context of a file: the thread of its first `session_meta`, or the id in its name. Never raises."""
    meta = _first_meta(first_object)
    thread = thread_id(meta.id) if meta is not None else None
    if meta is None or thread is None:
        return FileContext(thread or _id_of_name(relative))
    start = meta.subagent_history_start_ordinal
    head = ((_FIRST_OWN, str(start)),) if start is not None and 0 < start < 1 << 53 else ()
    return FileContext(thread, meta_attributes(meta), head)


def _first_meta(first_object: bytes) -> Payload | None:
    try:
        decoded = decode_line(first_object)
        if isinstance(decoded, str):
            return None
        line = decoded[0]
        if line.payload is not None:
            return line.payload if line.type == "session_meta" else None
        return decode_bare(first_object)[0] if line.type is None and line.id is not None else None
    except (msgspec.DecodeError, RecursionError):
        return None


def _id_of_name(relative: str) -> str:
    name = PurePosixPath(relative).name
    if match := _FILE_ID.search(name):
        return match[0]
    return name.removesuffix(".zst").removesuffix(".jsonl") or "unknown"


def thread_id(value: str | None) -> str | None:
    """A thread's id, if `value` can be one."""
    return value if value and _THREAD_ID.match(value) else None


def is_own(meta: Payload, context: FileContext) -> bool:
    """Whether a `session_meta` describes the file's own thread, not the one that it was forked from."""
    return thread_id(meta.id) in {None, context.transcript}


def is_inherited(line: Line, context: FileContext) -> bool:
    """Whether the client marks a line as copied from the parent thread (0.15x and later; older copies carry no mark)."""
    if line.metadata is not None and line.metadata.inherited_user_message:
        return True
    if line.ordinal is None or not context.head or line.ordinal == 0:
        return False
    first = dict(context.head).get(_FIRST_OWN)
    return first is not None and line.ordinal < int(first)


def is_agent(context: FileContext) -> bool:
    """Whether a file holds the thread of a sub-agent or a reviewer."""
    return _AGENT in context.attributes or _REVIEW in context.attributes


def meta_attributes(meta: Payload) -> Attributes:
    """The facts in a `session_meta`."""
    kind, parent, agent = _origin(meta)
    git = meta.git
    facts = (
        ("cwd", local_path(meta.cwd) if meta.cwd else None),
        ("branch", git.branch if git is not None else None),
        ("repository", git.repository_url if git is not None else None),
        ("version", meta.cli_version),
        ("kind", kind.value if kind is not SessionKind.MAIN else None),
        ("parent", parent),
        ("agent", agent),
    )
    return tuple((name, value[:_LONGEST]) for name, value in facts if value)


def turn_attributes(turn: Payload, context: FileContext) -> Attributes:
    """The facts in a `turn_context`; a working directory only where it is not the session's."""
    model = (("model", turn.model[:_LONGEST]),) if turn.model else ()
    return (*cwd_attributes(turn.cwd, context), *model)


def cwd_attributes(cwd: str | None, context: FileContext) -> Attributes:
    """The working directory of a record, where it is not the session's."""
    if not cwd:
        return ()
    fact = ("cwd", local_path(cwd)[:_LONGEST])
    return () if fact in context.attributes else (fact,)


def _origin(meta: Payload) -> tuple[SessionKind, str | None, str | None]:
    """What started a session: its kind, the parent thread, the name of the agent."""
    subagent: Any = meta.source.get("subagent") if isinstance(meta.source, dict) else None
    spawn = subagent.get("thread_spawn") if isinstance(subagent, dict) else None
    spawn = spawn if isinstance(spawn, dict) else {}
    parent = thread_id(meta.parent_thread_id) or thread_id(_string(spawn, "parent_thread_id")) or thread_id(meta.forked_from_id)
    agent = meta.agent_nickname or _string(spawn, "agent_nickname") or meta.agent_role or _string(spawn, "agent_role")
    if _is_guardian(subagent) or (meta.thread_source or "").startswith("guardian"):
        return SessionKind.REVIEW, parent, agent or "guardian"
    if subagent or meta.thread_source == "subagent":
        named = subagent if isinstance(subagent, str) else next(iter(subagent), None) if isinstance(subagent, dict) else None
        return SessionKind.SUBAGENT, parent, agent or (named if isinstance(named, str) else None)
    return SessionKind.MAIN, parent, agent


def _is_guardian(subagent: Any) -> bool:
    other = subagent.get("other") if isinstance(subagent, dict) else subagent
    return isinstance(other, str) and other.startswith("guardian")


def _string(fields: dict[str, Any], name: str) -> str | None:
    value = fields.get(name)
    return value if isinstance(value, str) else None
