"""The turns in which a file was named: the calls that did, and what was said from the user's message before them to the next one.

Called by `narrow`. A path is looked up in the full-text index first, so that the calls of other files are not read.
"""

from collections.abc import Iterator, Sequence

import apsw

from lith.kernel.text import Query, Term, match_expression
from lith.records.record import Kind, Role
from lith.store.map.rows import select, select_one
from lith.store.map.schema import DOCUMENT_SHIFT, OTHER_DOCUMENTS


def find_turns(connection: apsw.Connection, files: Sequence[str]) -> list[int]:
    """The ids of the calls that name one of some files (or a file below it), and of the messages of the same turns."""
    calls = list(_iter_calls(connection, files))
    turns = {_find_turn(connection, doc_id >> DOCUMENT_SHIFT, seq) for doc_id, seq in calls}
    query = "SELECT doc_id FROM documents WHERE doc_id >= ? AND doc_id < ?"
    messages = (row[0] for turn in turns for row in select(connection, query, turn))
    return sorted({*(doc_id for doc_id, _ in calls), *messages})


def _iter_calls(connection: apsw.Connection, files: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The id of each call that names a file, and the number of its message (0: before every one)."""
    for file in files:
        name = file.removeprefix("./").rstrip("/")
        phrase = match_expression(Query(name, (Term(name, quoted=True),)), "all")
        source = "documents d" if phrase is None else "documents_fts CROSS JOIN documents d ON d.doc_id = documents_fts.rowid"
        matches = "1" if phrase is None else "documents_fts MATCH ?"
        query = (
            f"SELECT d.doc_id, coalesce(d.seq, 0) FROM {source} WHERE {matches} AND d.kind = ? AND EXISTS"  # noqa: S608
            " (SELECT 1 FROM (SELECT CASE WHEN json_valid(text) THEN char(10) || json_extract(text, '$.path') || char(10) END AS paths"
            " FROM pieces p WHERE p.piece_id = d.piece_id) WHERE instr(paths, ?) OR instr(paths, ?) OR instr(paths, ?))"
        )
        # A line of the field is the file, lies below it, or ends in it (a relative path).
        tests = (f"\n{name}\n", f"\n{name}/", f"/{name.lstrip('/')}\n")
        yield from select(connection, query, (*(() if phrase is None else (phrase,)), Kind.CALL.value, *tests))


def _find_turn(connection: apsw.Connection, session_id: int, seq: int) -> tuple[int, int]:
    """The turn of a message, as a half-open range of the ids of messages."""
    base = session_id << DOCUMENT_SHIFT
    end = base + OTHER_DOCUMENTS
    before = "SELECT doc_id FROM documents WHERE doc_id >= ? AND doc_id <= ? AND role = ? ORDER BY doc_id DESC LIMIT 1"
    after = "SELECT doc_id FROM documents WHERE doc_id > ? AND doc_id < ? AND role = ? ORDER BY doc_id LIMIT 1"
    first = select_one(connection, before, (base, base + seq, Role.USER.value))
    following = select_one(connection, after, (base + seq, end, Role.USER.value))
    return (base if first is None else first[0], end if following is None else following[0])
