"""Which sessions touched a file: the calls that name it in their path, and the commands that name it in their words.

Called by `retrieval`. A path is looked up in the full-text index first, so that the calls of other files are not read.
"""

from collections.abc import Sequence
from operator import itemgetter
from typing import Any

import apsw
import msgspec

from lith.kernel.text import Query, Term, match_expression
from lith.records.record import Kind
from lith.store.map.narrow import Condition
from lith.store.map.rows import select
from lith.store.map.schema import DOCUMENT_SHIFT

_EDGES = " \t\n'\"`=:;,()<>|&"


class TouchRow(msgspec.Struct):
    """What one session did with a path; `last_at` is milliseconds UTC, `seq` the message of the last call."""

    ref: str
    title: str | None
    project: str | None
    calls: int
    commands: int
    tools: list[str]
    last_at: int | None
    seq: int | None


def find_touches(
    connection: apsw.Connection, paths: Sequence[str], sessions: Condition, *, since: int | None, until: int | None
) -> list[TouchRow]:
    """The sessions of a condition that touched one of these paths, a file below it, or a path that ends in it; the latest first."""
    names = list(dict.fromkeys(name for path in paths if (name := path.removeprefix("./").rstrip("/"))))
    if not names:
        return []
    rows = {row[0]: row for name in names for row in _find_calls(connection, name, sessions)}
    found: dict[int, TouchRow] = {}
    for _, session_id, ref, title, project, tool, seq, at, path, command in sorted(rows.values(), key=itemgetter(0)):
        if (since is not None and (at is None or at < since)) or (until is not None and (at is None or at >= until)):
            continue
        by_path = any(_is_at(line, name) for line in str(path or "").splitlines() for name in names)
        if not by_path and not any(_names(str(command or ""), name) for name in names):
            continue
        row = found.get(session_id)
        if row is None:
            row = found[session_id] = TouchRow(ref, title, project, 0, 0, [], None, None)
        row.calls += by_path
        row.commands += not by_path
        if by_path and tool and tool not in row.tools:
            row.tools.append(tool)
        if row.last_at is None or (at is not None and at >= row.last_at):
            row.last_at, row.seq = at, seq
    return sorted(found.values(), key=lambda row: (-(row.last_at or 0), row.ref))


def _find_calls(connection: apsw.Connection, name: str, sessions: Condition) -> list[tuple[Any, ...]]:
    """The calls whose words hold those of a path, next to each other; every call where it has none."""
    phrase = match_expression(Query(name, (Term(name, quoted=True),)), "all")
    source = "documents d" if phrase is None else "documents_fts CROSS JOIN documents d ON d.doc_id = documents_fts.rowid"
    query = (
        "SELECT d.piece_id, s.session_id, s.ref, s.title, j.key, d.tool, d.seq, coalesce(d.timestamp, s.ended_at),"  # noqa: S608
        f" json_extract(p.text, '$.path'), json_extract(p.text, '$.command') FROM {source}"
        f" JOIN sessions s ON s.session_id = d.doc_id >> {DOCUMENT_SHIFT} LEFT JOIN projects j ON j.cwd = s.cwd"
        " JOIN pieces p ON p.piece_id = d.piece_id"
        f" WHERE {'1' if phrase is None else 'documents_fts MATCH ?'} AND d.kind = ? AND json_valid(p.text) AND {sessions.sql or '1'}"
    )
    return select(connection, query, (*([] if phrase is None else [phrase]), Kind.CALL.value, *sessions.values))


def _is_at(path: str, name: str) -> bool:
    """Whether a path is the named one, lies below it, or ends in it."""
    return path == name or path.startswith(name + "/") or path.endswith("/" + name.lstrip("/"))


def _names(command: str, name: str) -> bool:
    """Whether a command has the name as a word of its own, or as the beginning or the end of a path."""
    at = command.find(name)
    while at >= 0:
        before, after = command[at - 1 : at], command[at + len(name) : at + len(name) + 1]
        if (not before or before in _EDGES or before == "/") and (not after or after in _EDGES or after == "/"):
            return True
        at = command.find(name, at + 1)
    return False
