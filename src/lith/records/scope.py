"""What part of the memory a question is about. Pure; faces fill it, retrieval narrows by it, before anything is ranked."""

import msgspec

from lith.records.record import Role


class Scope(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the memory: everything that fits all of the given conditions.

    `project` is a project key or a path in a project, `cwd` a path (sessions started there or below). `since` (inclusive) and `until`
    (exclusive) are milliseconds UTC, compared with a message's time, or with a session's span where sessions are listed.
    `sessions` and `exclude_sessions` are session addresses, already resolved to full ones. `roles`, `tools` and `files` narrow
    documents: who spoke, which tool was called, which path a call names.
    """

    sources: tuple[str, ...] = ()
    project: str | None = None
    cwd: str | None = None
    since: int | None = None
    until: int | None = None
    sessions: tuple[str, ...] = ()
    exclude_sessions: tuple[str, ...] = ()
    subagents: bool = True
    roles: tuple[Role, ...] = ()
    tools: tuple[str, ...] = ()
    files: tuple[str, ...] = ()

    @property
    def narrow(self) -> bool:
        """Whether any condition is set."""
        return self != Scope()
