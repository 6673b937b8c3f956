"""What part of the memory a question is about, in the words of whoever asks, and the `Scope` that they mean.

Every face hands over the same words (a date as it was typed, the prefix of a session's id), so that they mean the same everywhere.
"""

import os

import msgspec

from lith.errors import BadSelector, UsageError
from lith.kernel.clock import parse_when
from lith.ops.runtime import Runtime
from lith.records.address import check_source
from lith.records.record import Role
from lith.records.scope import Scope


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the memory as it is asked for. Sessions are addresses or prefixes of them, dates are as typed."""

    sources: tuple[str, ...] = ()
    project: str | None = None
    cwd: str | None = None
    since: str | None = None
    until: str | None = None
    sessions: tuple[str, ...] = ()
    exclude_sessions: tuple[str, ...] = ()
    subagents: bool = True
    roles: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


def to_scope(selection: Selection, runtime: Runtime) -> Scope:
    """The scope that a selection means now and here. Raises `UsageError`, `BadSelector`, `SessionNotFound` and the like."""
    return Scope(
        sources=tuple(check_source(name) for name in selection.sources),
        project=None if selection.project is None else _project(selection.project, runtime),
        cwd=None if selection.cwd is None else _path(selection.cwd, runtime),
        since=_moment(selection.since, "--since", runtime, end=False),
        until=_moment(selection.until, "--until", runtime, end=True),
        sessions=tuple(_session(word, runtime) for word in selection.sessions),
        exclude_sessions=tuple(_session(word, runtime) for word in selection.exclude_sessions),
        subagents=selection.subagents,
        roles=tuple(_role(word) for word in selection.roles),
        tools=selection.tools,
        files=selection.files,
    )


def _session(word: str, runtime: Runtime) -> str:
    from lith.retrieval import resolve_session  # noqa: PLC0415 -- most questions name no session

    with runtime.reading() as connection:
        return resolve_session(connection, word)


def _moment(word: str | None, option: str, runtime: Runtime, *, end: bool) -> int | None:
    if word is None:
        return None
    moment = parse_when(word, runtime.clock(), end=end)
    if moment is None:
        raise BadSelector(
            f"{option}: {word!r} is not a moment",
            hint="write 2026-01-31, 2026-01-31T14:00, today, yesterday, or an age such as 2h, 3d, 1w",
        )
    return moment


def _role(word: str) -> Role:
    try:
        return Role(word)
    except ValueError:
        raise UsageError(f"there is no role {word!r}", hint=f"the roles are {', '.join(Role)}") from None


def _project(word: str, runtime: Runtime) -> str:
    """A path that exists is made absolute; a project key is taken as it is."""
    if word.startswith((".", "~", "/")) or (runtime.cwd / word).is_dir():
        return _path(word, runtime)
    return word


def _path(word: str, runtime: Runtime) -> str:
    """A path as it stands in transcripts: absolute and without symlinks."""
    if word == "~" or word.startswith("~/"):
        word = str(runtime.home / word[2:])
    return os.path.realpath(runtime.cwd / word)
