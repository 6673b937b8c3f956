"""What a file says of its session: which one it is, whose sub-agent, and where it ran.

Only `sources.gemini` uses it. A chat log does not name its working directory; it names the hash of it. A path that a call names is below
the directory that has this hash, or proves nothing.
"""

import hashlib
import re
from collections.abc import Iterable
from functools import lru_cache

import msgspec

from lith.records.record import SessionKind
from lith.sources.base import FileContext
from lith.sources.gemini.discovery import CHATS
from lith.sources.gemini.lines import Line, decode_line
from lith.sources.walk import TRANSCRIPT_SUFFIXES

_ID = re.compile(r"[^\s#:/]{1,200}\Z")
_NOT_IN_IDS = re.compile(r"[\s#:/]+")
_HASH = re.compile(r"[0-9a-f]{16,64}\Z")
_PROJECT = "project_hash"
_LONGEST = 4_096


def file_context(relative: str, first_object: bytes) -> FileContext:
    """The context of a file: the session of its header, or its name; below its parent where it is a sub-agent's. Never raises."""
    *folders, name = relative.split("/")
    header = _first_header(first_object)
    own = header.session_id if header is not None and _ID.match(header.session_id or "") else None
    transcript = own or _id_of_name(name)
    parent = folders[-1] if folders and folders[-1] != CHATS and not name.startswith("session-") else None
    if parent is not None and _ID.match(parent):
        transcript = f"{parent}/{transcript}"
    if header is None:
        return FileContext(transcript)
    project = header.project_hash
    head = ((_PROJECT, project),) if project and _HASH.match(project) else ()
    return FileContext(transcript, _kind(header), head)


def _first_header(first_object: bytes) -> Line | None:
    try:
        decoded = decode_line(first_object)
    except (msgspec.DecodeError, RecursionError):
        return None
    return None if isinstance(decoded, str) or decoded[0].session_id is None else decoded[0]


def _id_of_name(name: str) -> str:
    for suffix in TRANSCRIPT_SUFFIXES:
        name = name.removesuffix(suffix)
    return _NOT_IN_IDS.sub("_", name)[:200] or "unknown"


def is_agent(context: FileContext) -> bool:
    """Whether a file holds the session of a sub-agent."""
    return "/" in context.transcript or bool(context.attributes)


def header_attributes(line: Line, context: FileContext) -> tuple[tuple[str, str], ...]:
    """The facts in a header."""
    return (*_kind(line), *cwd_attributes(line.directories or (), context))


def _kind(line: Line) -> tuple[tuple[str, str], ...]:
    return (("kind", SessionKind.SUBAGENT.value),) if line.kind == "subagent" else ()


def cwd_attributes(paths: Iterable[str], context: FileContext) -> tuple[tuple[str, str], ...]:
    """The working directory, where one of `paths` is in it, or is it."""
    project = next((value for name, value in context.head if name == _PROJECT), None)
    if project is None:
        return ()
    found = next((root for path in paths if (root := find_root(path, project))), None)
    return () if found is None else (("cwd", found),)


@lru_cache(maxsize=4096)
def find_root(path: str, project: str) -> str | None:
    """The folder with the hash `project` among an absolute path and the folders that it is in."""
    separator = "/" if path.startswith("/") else "\\"
    if len(path) > _LONGEST or not (path.startswith("/") or path[1:3] == ":\\"):
        return None
    folder = path
    while folder:
        if hashlib.sha256(folder.encode("utf-8", "replace")).hexdigest().startswith(project):
            return folder
        folder = folder.rpartition(separator)[0]
    return None


@lru_cache(maxsize=1024)
def model_attributes(model: str | None) -> tuple[tuple[str, str], ...]:
    """The model that a message names."""
    return (("model", model[:_LONGEST]),) if model else ()
