"""A scope as SQL: which sessions and which documents a question is about.

Called by the reading modules of this folder. A session condition speaks of `sessions AS s`, a document condition of `documents AS d`;
values travel as parameters. What SQL cannot say well in a condition is looked up at once and becomes a list of ids in it: the keys of a
project, the few sessions that a search is about or leaves out, the turns in which a file was named.
"""

from collections.abc import Iterable, Sequence

import apsw
import msgspec

from lith.records.record import Kind, SessionKind
from lith.records.scope import Scope
from lith.store.map.rows import select
from lith.store.map.schema import DOCUMENT_SHIFT
from lith.store.map.touching import find_turns

SEARCHED_KINDS = (SessionKind.MAIN, SessionKind.SUBAGENT)
"""The kinds of sessions whose text search sees."""


class Condition(msgspec.Struct, frozen=True):
    """A piece of a WHERE clause (empty: no condition) and its parameters."""

    sql: str = ""
    values: tuple[object, ...] = ()

    def __and__(self, other: "Condition") -> "Condition":
        if not self.sql or not other.sql:
            return self if self.sql else other
        return Condition(f"{self.sql} AND {other.sql}", self.values + other.values)


def session_condition(connection: apsw.Connection, scope: Scope, kinds: Iterable[SessionKind]) -> Condition:
    """The sessions of some kinds that a scope admits, by what is known of a session; a date admits every session that touches it."""
    wanted = [kind for kind in kinds if scope.subagents or kind is not SessionKind.SUBAGENT]
    condition = _one_of("s.kind", [kind.value for kind in wanted])
    if scope.sources:
        condition &= _one_of("s.source", scope.sources)
    if scope.sessions:
        condition &= _one_of("s.ref", scope.sessions)
    if scope.exclude_sessions:
        refs = _marks(scope.exclude_sessions)
        condition &= Condition(
            f"s.ref NOT IN ({refs}) AND (s.parent_ref IS NULL OR s.parent_ref NOT IN ({refs}))", scope.exclude_sessions * 2
        )
    if scope.project is not None:
        keys = find_project_keys(connection, scope.project)
        condition &= Condition(f"s.cwd IN (SELECT cwd FROM projects WHERE key IN ({_marks(keys)}))", tuple(keys))  # noqa: S608
    if scope.cwd is not None:
        condition &= _at_or_below("s.cwd", scope.cwd)
    if scope.since is not None:
        condition &= Condition("coalesce(s.ended_at, s.started_at) >= ?", (scope.since,))
    if scope.until is not None:
        condition &= Condition("coalesce(s.started_at, s.ended_at) < ?", (scope.until,))
    return condition


def listed_condition(connection: apsw.Connection, scope: Scope, kinds: Iterable[SessionKind]) -> Condition:
    """The sessions of some kinds that a scope admits, and that hold a document which its roles, tools and files admit."""
    condition = session_condition(connection, scope, kinds)
    documents = document_condition(connection, msgspec.structs.replace(scope, since=None, until=None))
    if not documents.sql:
        return condition
    holding = f"SELECT d.doc_id >> {DOCUMENT_SHIFT} FROM documents d WHERE {documents.sql}"  # noqa: S608
    return condition & Condition(f"s.session_id IN ({holding})", documents.values)


def document_condition(connection: apsw.Connection, scope: Scope) -> Condition:
    """The documents that a scope admits within its sessions. A document without a time of its own has its session's.

    A file admits the calls that name it and the messages of the same turns, from the user's message before to the next one.
    """
    condition = Condition()
    if scope.since is not None:
        condition &= Condition("(d.timestamp IS NULL OR d.timestamp >= ?)", (scope.since,))
    if scope.until is not None:
        condition &= Condition("(d.timestamp IS NULL OR d.timestamp < ?)", (scope.until,))
    if scope.roles:
        condition &= _one_of("d.role", [role.value for role in scope.roles]) & Condition("d.kind = ?", (Kind.MESSAGE.value,))
    if scope.tools:
        condition &= _one_of("d.tool", scope.tools)
    if scope.files:
        turns = msgspec.json.encode(find_turns(connection, scope.files)).decode()
        condition &= Condition("d.doc_id IN (SELECT value FROM json_each(?))", (turns,))
    return condition


def rowid_condition(connection: apsw.Connection, scope: Scope) -> Condition:
    """The rows of `documents_fts` that belong to searchable sessions of a scope, by arithmetic on the row id."""
    session_of_row = f"(documents_fts.rowid >> {DOCUMENT_SHIFT})"
    if scope == Scope():  # the few sessions to leave out, if any: a check that most maps are spared
        hidden = _session_ids(connection, _one_of("s.kind", [kind.value for kind in SessionKind if kind not in SEARCHED_KINDS]))
        return Condition(f"{session_of_row} NOT IN ({_marks(hidden)})", tuple(hidden)) if hidden else Condition()
    sessions = session_condition(connection, scope, SEARCHED_KINDS)
    if not scope.sessions:
        return Condition(f"{session_of_row} IN (SELECT session_id FROM sessions s WHERE {sessions.sql})", sessions.values)  # noqa: S608
    ids = _session_ids(connection, sessions)
    if len(ids) == 1:  # FTS5 seeks to a range instead of reading everything
        low, high = ids[0] << DOCUMENT_SHIFT, ((ids[0] + 1) << DOCUMENT_SHIFT) - 1
        return Condition("documents_fts.rowid BETWEEN ? AND ?", (low, high))
    return _one_of(session_of_row, ids)


def find_project_keys(connection: apsw.Connection, project: str) -> list[str]:
    """The keys that a project may mean: a key itself, a folder that sessions ran in, a path below one of these, or a project's name."""
    rows = select(connection, "SELECT cwd, key FROM projects")
    wanted = project.rstrip("/\\") or project
    exact = sorted({key for cwd, key in rows if wanted in {key, cwd}})
    if exact:
        return exact
    above = [(len(path), key) for cwd, key in rows for path in (cwd, key) if wanted.startswith(path.rstrip("/") + "/")]
    if above:
        return [max(above)[1]]
    if "/" in wanted:
        return []
    return sorted({key for _, key in rows if key.rstrip("/").rpartition("/")[2] == wanted})


def _session_ids(connection: apsw.Connection, condition: Condition) -> list[int]:
    rows = select(connection, f"SELECT session_id FROM sessions s WHERE {condition.sql}", condition.values)  # noqa: S608
    return [row[0] for row in rows]


def _one_of(column: str, values: Sequence[object]) -> Condition:
    return Condition(f"{column} IN ({_marks(values)})", tuple(values))


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


def _at_or_below(column: str, folder: str) -> Condition:
    base = folder.rstrip("/") + "/"
    return Condition(f"({column} = ? OR substr({column}, 1, ?) = ?)", (folder.rstrip("/") or "/", len(base), base))
