"""Searching the map: the SQL over the full-text index and, where it has no token for what is asked, over the text itself.

Called by `retrieval` with FTS5 expressions that `kernel.text` made. It finds and counts; what a hit is worth is not its business. A
document's id carries its session, so that scope and caps per session need no join.
"""

from collections.abc import Iterable, Sequence

import apsw
import msgspec

from lith.kernel.text import FTS_TOKENIZER
from lith.records.scope import Scope
from lith.store.map.files import get_meta
from lith.store.map.narrow import SEARCHED_KINDS, Condition, document_condition, rowid_condition, session_condition
from lith.store.map.rows import select, select_one
from lith.store.map.schema import DOCUMENT_SHIFT

MAX_SCANNED = 50_000
"""Documents that a scan of the text itself looks at, the newest sessions first."""


class Narrowing(msgspec.Struct, frozen=True):
    """A scope made ready for the full-text index: conditions on its row ids and on the documents behind them."""

    rows: Condition
    documents: Condition


def narrow(connection: apsw.Connection, scope: Scope) -> Narrowing:
    """Make a scope ready."""
    return Narrowing(rowid_condition(connection, scope), document_condition(connection, scope))


def find_hits(
    connection: apsw.Connection, expression: str, narrowing: Narrowing, *, limit: int | None = None
) -> list[tuple[int, float]]:
    """Documents that match: (doc_id, bm25, the higher the better), by id; with `limit` only that many, the highest ids first."""
    order = "" if limit is None else f" ORDER BY documents_fts.rowid DESC LIMIT {limit}"
    source, condition = _matching(expression, narrowing)
    query = f"SELECT documents_fts.rowid, -bm25(documents_fts) FROM {source} WHERE {condition.sql}{order}"  # noqa: S608
    hits: list[tuple[int, float]] = select(connection, query, condition.values)
    return hits if limit is None else hits[::-1]


def find_matching(connection: apsw.Connection, expression: str, narrowing: Narrowing) -> list[int]:
    """The ids of the documents that match, in order."""
    source, condition = _matching(expression, narrowing)
    query = f"SELECT documents_fts.rowid FROM {source} WHERE {condition.sql}"  # noqa: S608
    return [row[0] for row in select(connection, query, condition.values)]


def count_matching(connection: apsw.Connection, expression: str, narrowing: Narrowing, *, limit: int) -> int:
    """How many documents match; counting stops at `limit`."""
    source, condition = _matching(expression, narrowing)
    query = f"SELECT count(*) FROM (SELECT 1 FROM {source} WHERE {condition.sql} LIMIT ?)"  # noqa: S608
    return int(select(connection, query, (*condition.values, limit))[0][0])


def count_everywhere(connection: apsw.Connection, expression: str, *, limit: int) -> int:
    """How many documents of any kind of session match; counting stops at `limit`. The cheapest of the counts."""
    query = "SELECT count(*) FROM (SELECT 1 FROM documents_fts WHERE documents_fts MATCH ? LIMIT ?)"
    return int(select(connection, query, (expression, limit))[0][0])


def count_documents(connection: apsw.Connection) -> int:
    """About how many documents there are: as counted with the common terms, else as the sessions say."""
    counted = get_meta(connection, "common_terms_documents")
    if counted:
        return int(counted)
    return int(select(connection, "SELECT coalesce(sum(messages + calls), 0) FROM sessions")[0][0])


def find_common_counts(connection: apsw.Connection, words: Iterable[str]) -> dict[str, int]:
    """For those of some words whose stem is a common term: in how many documents it is."""
    if select_one(connection, "SELECT 1 FROM common_terms LIMIT 1") is None:
        return {}
    name, *arguments = FTS_TOKENIZER.split()
    tokenizer = connection.fts5_tokenizer(name, arguments)
    counts = {}
    for word in words:
        encoded = word.encode("utf-8", "replace")
        stems = list(tokenizer(encoded, apsw.FTS5_TOKENIZE_QUERY, None, include_offsets=False, include_colocated=False))
        if len(stems) == 1:
            row = select_one(connection, "SELECT documents FROM common_terms WHERE term = ?", stems)
            if row is not None:
                counts[word] = int(row[0])
    return counts


def has_results(connection: apsw.Connection) -> bool:
    """Whether the map holds what tools printed, which most projections leave out."""
    return str(get_meta(connection, "projection") or "").partition("/")[0] == "work"


def find_vocabulary(connection: apsw.Connection, start: str, *, limit: int) -> dict[str, int]:
    """Terms of the index that begin with `start`, and in how many documents each is; the first `limit` of them in order."""
    query = "SELECT term, doc FROM temp.search_vocabulary WHERE term >= ? AND term < ? LIMIT ?"
    return dict(select(connection, query, (start, start + "\U0010ffff", limit)))


def find_terms(connection: apsw.Connection, terms: Iterable[str]) -> dict[str, int]:
    """Those of some terms that the index has, and in how many documents each is."""
    query = "SELECT v.term, v.doc FROM json_each(?) j CROSS JOIN temp.search_vocabulary v ON v.term = j.value"
    return dict(select(connection, query, (msgspec.json.encode(list(terms)).decode(),)))


def open_vocabulary(connection: apsw.Connection) -> None:
    """Make the terms of the index readable, in memory: a connection that may only read is none the less one afterwards."""
    protected = select(connection, "PRAGMA query_only")[0][0]
    connection.execute("PRAGMA query_only = OFF")
    try:
        connection.execute(
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_vocabulary USING fts5vocab('main', 'documents_fts', 'row')"
        )
    finally:
        connection.execute(f"PRAGMA query_only = {protected}")


def stem(connection: apsw.Connection, word: str) -> str | None:
    """The term that stands for a word in the index; None for what is several."""
    name, *arguments = FTS_TOKENIZER.split()
    tokenizer = connection.fts5_tokenizer(name, arguments)
    encoded = word.encode("utf-8", "replace")
    stems = list(tokenizer(encoded, apsw.FTS5_TOKENIZE_QUERY, None, include_offsets=False, include_colocated=False))
    return str(stems[0]) if len(stems) == 1 else None


def scan_text(connection: apsw.Connection, literals: Sequence[str], scope: Scope, *, limit: int) -> tuple[list[int], bool]:
    """Documents whose text holds all literals (ASCII without case), the newest sessions first, and whether every one was looked at."""
    sessions = session_condition(connection, scope, SEARCHED_KINDS)
    documents = document_condition(connection, scope)
    inner = (
        "SELECT d.doc_id, d.piece_id, d.more FROM sessions s CROSS JOIN documents d"  # noqa: S608
        f" ON d.doc_id >= s.session_id << {DOCUMENT_SHIFT} AND d.doc_id < (s.session_id + 1) << {DOCUMENT_SHIFT}"
        f" WHERE {(sessions & documents).sql} ORDER BY s.ended_at DESC, s.session_id DESC LIMIT ?"
    )
    holds = " AND ".join("instr(lower(p.text), ?)" for _ in literals)
    query = (
        f"SELECT c.doc_id FROM ({inner}) c WHERE EXISTS (SELECT 1 FROM pieces p WHERE {holds} AND (p.piece_id = c.piece_id"  # noqa: S608
        " OR p.piece_id IN (SELECT value FROM json_each(c.more)))) LIMIT ?"
    )
    values = (*sessions.values, *documents.values, MAX_SCANNED, *(one.lower() for one in literals), limit + 1)
    found = [row[0] for row in select(connection, query, values)]
    whole = len(found) <= limit and count_in_scope(connection, scope, limit=MAX_SCANNED + 1) <= MAX_SCANNED
    return found[:limit], whole


def count_in_scope(connection: apsw.Connection, scope: Scope, *, limit: int) -> int:
    """How many documents a scope holds, whatever they say; counting stops at `limit`."""
    sessions = session_condition(connection, scope, SEARCHED_KINDS)
    condition = sessions & document_condition(connection, scope)
    query = (
        "SELECT count(*) FROM (SELECT 1 FROM sessions s CROSS JOIN documents d"  # noqa: S608
        f" ON d.doc_id >= s.session_id << {DOCUMENT_SHIFT} AND d.doc_id < (s.session_id + 1) << {DOCUMENT_SHIFT}"
        f" WHERE {condition.sql} LIMIT ?)"
    )
    return int(select(connection, query, (*condition.values, limit))[0][0])


def _matching(expression: str, narrowing: Narrowing) -> tuple[str, Condition]:
    condition = Condition("documents_fts MATCH ?", (expression,)) & narrowing.rows
    if not narrowing.documents.sql:
        return "documents_fts", condition
    return "documents_fts CROSS JOIN documents d ON d.doc_id = documents_fts.rowid", condition & narrowing.documents
