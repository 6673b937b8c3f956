"""Which transcript a record and a file belong to, and what that says about the session.

Only the adapter uses it. A session is what its records say, not its file: a file lends its name only to records that name no session.
"""

import re
from functools import lru_cache

import msgspec

from lith.records.record import SessionKind
from lith.sources.base import FileContext
from lith.sources.claude_code.lines import decode_line
from lith.sources.walk import TRANSCRIPT_SUFFIXES

AGENT_PREFIX = "agent-"
SUBAGENTS = "subagents"
_ID = re.compile(r"[^\s#:/]{1,200}")
_NOT_IN_IDS = re.compile(r"[\s#:/]+")


def file_context(relative: str, first_object: bytes) -> FileContext:
    """The context of a file; see `sources.base.Source.file_context`."""
    *folders, name = relative.split("/")
    stem = _NOT_IN_IDS.sub("_", find_stem(name) or name) or "_"
    if not stem.startswith(AGENT_PREFIX):
        return FileContext(transcript=stem)
    session, agent = None, None
    if SUBAGENTS in folders[1:]:
        session = folders[folders.index(SUBAGENTS, 1) - 1]
    elif first_object:
        session, agent = _peek(first_object)
    return FileContext(transcript=place(session, agent or stem.removeprefix(AGENT_PREFIX) or stem, stem))


def find_stem(name: str) -> str | None:
    """The name of a transcript file without its suffix; None for any other file."""
    for suffix in TRANSCRIPT_SUFFIXES:
        if name.endswith(suffix):
            return name.removesuffix(suffix)
    return None


def _peek(first_object: bytes) -> tuple[str | None, str | None]:
    """The session and the agent that the first record of a file names."""
    try:
        decoded = decode_line(first_object)
    except msgspec.DecodeError:
        return None, None
    return (None, None) if isinstance(decoded, str) else (decoded[0].session_id, decoded[0].agent_id)


@lru_cache(maxsize=4096)
def place(session: str | None, agent: str | None, own: str) -> str:
    """The transcript of a record that names `session` and `agent`, in a file whose own transcript is `own`.

    An id that could not be part of an address counts as none.
    """
    own_session, _, own_agent = own.partition("/")
    named = session if session and _ID.fullmatch(session) else own_session
    helper = agent if agent and _ID.fullmatch(agent) else own_agent
    return f"{named}/{helper}" if helper else named


@lru_cache(maxsize=4096)
def attributes_of(
    cwd: str | None, branch: str | None, version: str | None, model: str | None, transcript: str
) -> tuple[tuple[str, str], ...]:
    """The facts about its session that a record tells, as in `Record.attributes`."""
    facts = [("cwd", cwd), ("branch", branch), ("version", version), ("model", None if model == "<synthetic>" else model)]
    parent, slash, agent = transcript.partition("/")
    if slash:
        facts += [("parent", parent), ("agent", agent), ("kind", SessionKind.SUBAGENT.value)]
    return tuple((name, value) for name, value in facts if value)
