"""The tables of the map, its version axes, and how to open it.

`docs/format.md` describes the tables for other programs. Ids that are allocated by arithmetic, so that a range of rowids is a file, a
record or a session, and neither an index nor a join is needed to find them:

    copy_id  = file_id  << COPY_SHIFT     | number of the copy in its file
    piece_id = copy_id  << PIECE_SHIFT    | number of the piece in its record
    doc_id   = session  << DOCUMENT_SHIFT | seq for a message, else OTHER_DOCUMENTS + a number
"""

from pathlib import Path

import apsw

from lith.errors import MapNeedsSync, MapTooNew, NoMap
from lith.kernel import sqlite

FILE_NAME = "map.sqlite"

SCHEMA_VERSION = 1
ANALYZER_VERSION = 1
COVERAGE_VERSION = 1
PROJECTION_VERSION = 1

COPY_SHIFT = 28
PIECE_SHIFT = 12
DOCUMENT_SHIFT = 22
OTHER_DOCUMENTS = 1 << (DOCUMENT_SHIFT - 1)
FTS_HASH_BYTES = 16 << 20
"""How much of the full-text index is gathered in memory before it is written; the default of 1 MB makes a cold sync much slower."""
MAX_PIECES = 1 << PIECE_SHIFT

TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE source_files (
    file_id INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    root TEXT NOT NULL,
    path TEXT NOT NULL,
    role TEXT NOT NULL DEFAULT 'transcript',
    state TEXT NOT NULL,
    reason TEXT,
    dev INTEGER NOT NULL, inode INTEGER NOT NULL, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, ctime_ns INTEGER NOT NULL,
    head_length INTEGER NOT NULL DEFAULT 0, head_digest BLOB,
    tail_length INTEGER NOT NULL DEFAULT 0, tail_digest BLOB,
    cursor INTEGER NOT NULL DEFAULT 0, line INTEGER NOT NULL DEFAULT 1, at INTEGER NOT NULL DEFAULT 0,
    copies INTEGER NOT NULL DEFAULT 0,
    pending INTEGER NOT NULL DEFAULT 0,
    context TEXT,
    problems INTEGER NOT NULL DEFAULT 0, damage INTEGER NOT NULL DEFAULT 0,
    unknown TEXT,
    expected INTEGER NOT NULL DEFAULT 0,
    origin TEXT,
    UNIQUE (source, root, path)
);

CREATE TABLE transcripts (
    transcript_id INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    native_id TEXT NOT NULL,
    UNIQUE (source, native_id)
);

CREATE TABLE transcript_files (
    transcript_id INTEGER NOT NULL REFERENCES transcripts,
    file_id INTEGER NOT NULL REFERENCES source_files,
    PRIMARY KEY (transcript_id, file_id)
) WITHOUT ROWID;
CREATE INDEX transcript_files_file ON transcript_files (file_id);

CREATE TABLE attribute_sets (set_id INTEGER PRIMARY KEY, attributes TEXT NOT NULL UNIQUE);

CREATE TABLE copies (
    copy_id INTEGER PRIMARY KEY,
    transcript_id INTEGER NOT NULL,
    record_id BLOB NOT NULL,
    line INTEGER NOT NULL, offset INTEGER NOT NULL, length INTEGER NOT NULL,
    hash BLOB NOT NULL,
    type TEXT NOT NULL,
    at INTEGER NOT NULL, timestamp INTEGER,
    parent BLOB, logical_parent BLOB,
    prompt_id BLOB, message INTEGER, tool_use_id TEXT, target BLOB,
    flags INTEGER NOT NULL,
    usage TEXT,
    set_id INTEGER
);
CREATE INDEX copies_transcript ON copies (transcript_id);
CREATE INDEX copies_target ON copies (target) WHERE target IS NOT NULL;

CREATE TABLE originals (
    receipt TEXT NOT NULL,
    pruned BLOB NOT NULL,
    original BLOB NOT NULL,
    PRIMARY KEY (receipt, pruned)
) WITHOUT ROWID;

CREATE TABLE pieces (
    piece_id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL, role TEXT, label TEXT, tool TEXT,
    position INTEGER NOT NULL, native INTEGER NOT NULL, message INTEGER,
    hash INTEGER NOT NULL, length INTEGER NOT NULL,
    text TEXT NOT NULL
);

CREATE TABLE records (
    record_id BLOB NOT NULL,
    transcript_id INTEGER NOT NULL REFERENCES transcripts,
    copy_id INTEGER NOT NULL,
    session_id INTEGER,
    seq INTEGER,
    abandoned INTEGER NOT NULL DEFAULT 0,
    thread INTEGER,
    PRIMARY KEY (record_id, transcript_id)
) WITHOUT ROWID;

CREATE TABLE projects (
    project_id INTEGER PRIMARY KEY,
    cwd TEXT NOT NULL UNIQUE,
    key TEXT NOT NULL,
    worktree TEXT
);

CREATE TABLE sessions (
    session_id INTEGER PRIMARY KEY,
    transcript_id INTEGER NOT NULL REFERENCES transcripts,
    ref TEXT NOT NULL UNIQUE,
    source TEXT NOT NULL,
    native_id TEXT NOT NULL,
    parent_ref TEXT,
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    cwd TEXT, branch TEXT, version TEXT, model TEXT, agent TEXT, spawned_by TEXT,
    title TEXT, title_source TEXT,
    started_at INTEGER, ended_at INTEGER,
    messages INTEGER NOT NULL, user_messages INTEGER NOT NULL, calls INTEGER NOT NULL, records INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL, cache_write_tokens INTEGER NOT NULL
);
CREATE INDEX sessions_transcript ON sessions (transcript_id);
CREATE INDEX sessions_ended ON sessions (ended_at);

CREATE TABLE documents (
    doc_id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL, role TEXT, label TEXT, tool TEXT,
    seq INTEGER, timestamp INTEGER,
    record_id BLOB NOT NULL,
    piece_id INTEGER NOT NULL,
    more TEXT,
    hash INTEGER NOT NULL, twin INTEGER NOT NULL, length INTEGER NOT NULL,
    abandoned INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE threads (
    thread INTEGER PRIMARY KEY,
    thread_id BLOB NOT NULL UNIQUE,
    transcript_id INTEGER NOT NULL REFERENCES transcripts,
    session_id INTEGER,
    kind TEXT NOT NULL,
    title TEXT,
    first_at INTEGER, last_at INTEGER,
    records INTEGER NOT NULL, turns INTEGER NOT NULL, tokens INTEGER NOT NULL,
    first_record BLOB NOT NULL, leaf_record BLOB NOT NULL,
    fingerprint INTEGER NOT NULL
);
CREATE INDEX threads_transcript ON threads (transcript_id);
CREATE INDEX threads_session ON threads (session_id);

CREATE TABLE terms (
    thread INTEGER NOT NULL REFERENCES threads,
    kind TEXT NOT NULL,
    term TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (thread, kind, term)
) WITHOUT ROWID;

CREATE TABLE recalls (copy_id INTEGER PRIMARY KEY, arcs TEXT NOT NULL);

CREATE TABLE citations (
    thread INTEGER NOT NULL REFERENCES threads,
    arc TEXT NOT NULL,
    record_id BLOB NOT NULL,
    seq INTEGER,
    timestamp INTEGER,
    PRIMARY KEY (thread, arc)
) WITHOUT ROWID;

CREATE TABLE common_terms (term TEXT PRIMARY KEY, documents INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE problems (
    file_id INTEGER NOT NULL REFERENCES source_files,
    offset INTEGER NOT NULL, length INTEGER NOT NULL, line INTEGER NOT NULL,
    reason TEXT NOT NULL, detail TEXT NOT NULL,
    PRIMARY KEY (file_id, offset, reason)
) WITHOUT ROWID;

CREATE TABLE coverage (
    selector TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    synced_at INTEGER NOT NULL,
    files INTEGER NOT NULL, pending INTEGER NOT NULL, failed INTEGER NOT NULL,
    detail TEXT
) WITHOUT ROWID;

CREATE VIRTUAL TABLE documents_fts USING fts5(
    body, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2'
);

CREATE VIEW sessions_v AS
    SELECT s.ref, s.source, s.native_id, s.parent_ref, s.kind, s.state, p.key AS project, p.worktree, s.cwd, s.branch,
           s.version, s.model, s.agent, s.title, s.started_at, s.ended_at, s.messages, s.user_messages, s.calls, s.records,
           s.input_tokens, s.output_tokens, s.cache_read_tokens, s.cache_write_tokens
    FROM sessions s LEFT JOIN projects p ON p.cwd = s.cwd;
"""


def create(path: Path, *, projection: str) -> apsw.Connection:
    """Create an empty map at `path`, which must not hold one, and return the writer. Raises `LithError`."""
    connection = sqlite.open_writer(path)
    with sqlite.translate(path), sqlite.transaction(connection):
        connection.execute(TABLES)
        connection.execute("INSERT INTO documents_fts (documents_fts, rank) VALUES ('hashsize', ?)", (FTS_HASH_BYTES,))
        connection.executemany("INSERT INTO meta VALUES (?, ?)", stamp(projection).items())
    return connection


def stamp(projection: str) -> dict[str, str]:
    """The rules that a map is written by, one axis each; a map with another stamp is made anew."""
    return {
        "schema": str(SCHEMA_VERSION),
        "analyzer": str(ANALYZER_VERSION),
        "coverage": str(COVERAGE_VERSION),
        "projection": f"{projection}/{PROJECTION_VERSION}",
    }


def open_for_reading(path: Path) -> apsw.Connection:
    """Open an existing map read-only; nothing is created beside it. Raises `NoMap`, `MapTooNew`, `MapNeedsSync` and the like."""
    if not path.exists():
        raise NoMap(
            f"there is no map at {path}", hint="sync reads the sessions on this machine and makes it", next=[["lith", "sync"]]
        )
    connection = sqlite.open_reader(path)
    try:
        _check_version(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _check_version(connection: apsw.Connection, path: Path) -> None:
    with sqlite.translate(path):
        version = schema_version(connection)
    if version > SCHEMA_VERSION:
        raise MapTooNew(
            f"the map at {path} has schema {version}; this lith reads {SCHEMA_VERSION}",
            hint="update lith, or use another data directory",
        )
    if version < SCHEMA_VERSION:
        raise MapNeedsSync(f"the map at {path} has the older schema {version}", hint="sync rebuilds it", next=[["lith", "sync"]])


def schema_version(connection: apsw.Connection) -> int:
    """The schema version of an open map; 0 for a database without one."""
    try:
        row = connection.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
    except apsw.SQLError:
        return 0
    return int(row[0]) if row and str(row[0]).isdigit() else 0
