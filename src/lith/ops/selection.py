"""What part of the memory a question is about, in the words of whoever asks, and the `Scope` that they mean.

Every face hands over the same words (a date as it was typed, the prefix of a session's id), so that they mean the same everywhere.
"""

import os

import msgspec

from lith.errors import BadSelector, UsageError
from lith.kernel.clock import parse_when
from lith.ops.known_clients import check_client, find_near
from lith.ops.runtime import Runtime
from lith.records.record import Role
from lith.records.scope import Scope

_NEAR = 3


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


OPTIONS = {
    "sources": "--source",
    "project": "--project",
    "cwd": "--cwd",
    "since": "--since",
    "until": "--until",
    "sessions": "--session",
    "exclude_sessions": "--exclude-session",
    "subagents": "--no-subagents",
    "roles": "--role",
    "tools": "--tool",
    "files": "--file",
}
"""The fields of a selection, as options. Those of a scope have the same names."""


def to_options(selection: Selection, *, without: str = "") -> list[str]:
    """A selection as the options of a command, but for one of its fields."""
    words: list[str] = []
    for name, option in OPTIONS.items():
        value = getattr(selection, name)
        if name == without or value == getattr(Selection(), name):
            continue
        if name == "subagents":
            words.append(option)
        else:
            words += [word for one in ((value,) if isinstance(value, str) else value) for word in (option, one)]
    return words


def to_scope(selection: Selection, runtime: Runtime) -> Scope:
    """The scope that a selection means now and here. Raises `UsageError`, `BadSelector`, `SessionNotFound` and the like."""
    return Scope(
        sources=tuple(check_client(name, "--source", next=[runtime.argv("status")]) for name in selection.sources),
        project=None if selection.project is None else _project(selection.project, runtime),
        cwd=None if selection.cwd is None else _path(_given(selection.cwd, "--cwd"), runtime),
        since=_moment(selection.since, "--since", runtime, end=False),
        until=_moment(selection.until, "--until", runtime, end=True),
        sessions=tuple(_session(word, "--session", runtime) for word in selection.sessions),
        exclude_sessions=tuple(_session(word, "--exclude-session", runtime) for word in selection.exclude_sessions),
        subagents=selection.subagents,
        roles=tuple(_role(word) for word in selection.roles),
        tools=_tools(selection.tools, runtime),
        files=selection.files,
    )


def _session(word: str, option: str, runtime: Runtime) -> str:
    from lith.records.address import parse_address  # noqa: PLC0415 -- most questions name no session
    from lith.retrieval import resolve_session  # noqa: PLC0415

    if parse_address(word).seq is not None:
        raise BadSelector(
            f"{option}: {word!r} is a message; {option} takes a session",
            hint=f"leave out the #, or read round the message: lith read {word}",
            next=[runtime.argv("read", word)],
        )
    with runtime.reading() as connection:
        return resolve_session(connection, word)


def _tools(words: tuple[str, ...], runtime: Runtime) -> tuple[str, ...]:
    """The tools that some words name, whatever their case. Raises `BadSelector` for one that was never called, naming those near it."""
    if not words:
        return ()
    from lith.store.map.tools import find_tools  # noqa: PLC0415 -- most questions name no tool

    with runtime.reading() as connection:
        known = find_tools(connection)
    found: list[str] = []
    for word in words:
        named = [tool for tool in known if tool.casefold() == word.casefold()]
        if not named:
            near = find_near(word, known, count=_NEAR)
            some = f"the tools called most are {', '.join(known[:_NEAR])}" if known else "the map holds no call of a tool"
            raise BadSelector(
                f"--tool: no session has a call of {word!r}",
                hint=f"did you mean {' or '.join(near)}?" if near else some,
                next=[runtime.argv("stats")] if known else [runtime.argv("sync")],
            )
        found += named
    return tuple(dict.fromkeys(found))


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
    here = runtime.near
    if _given(word, "--project").startswith((".", "~", "/")) or (here is not None and (here / word).is_dir()):
        return _path(word, runtime)
    return word


def _path(word: str, runtime: Runtime) -> str:
    """A path as it stands in transcripts: absolute and without symlinks."""
    return os.path.realpath(runtime.path(word))


def _given(word: str, option: str) -> str:
    if not word.strip():
        raise BadSelector(f"{option}: nothing was named", hint="name a path, such as . for the working directory")
    return word
