"""SQLite connections: the only place that opens one.

`open_writer` and `open_reader` differ in more than a flag: a reader creates nothing (no database, no journal, no shared memory),
works on a read-only file in a read-only directory, and turns SQLite's words into lith's errors. Which database it is (its name,
its schema) is the caller's business.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import apsw

from lith.errors import LithError, Locked, MapDamaged, MapNeedsSync, StorageError

BUSY_MS = 5_000
READ_BUSY_MS = 2_000


def _uri(path: Path, query: str) -> str:
    return f"file:{quote(str(path.absolute()))}?{query}"


def open_writer(path: Path, *, journal: str = "delete", cache_mb: int = 32) -> apsw.Connection:
    """A connection that may create and write `path`, with full durability and foreign keys on. Raises `LithError`."""
    with translate(path):
        connection = apsw.Connection(
            _uri(path, "mode=rwc"), flags=apsw.SQLITE_OPEN_URI | apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
        )
        connection.set_busy_timeout(BUSY_MS)
        with contextlib.suppress(OSError):
            path.chmod(0o600)
        for pragma in (
            f"journal_mode={journal}",
            "synchronous=FULL",
            "foreign_keys=ON",
            f"cache_size=-{cache_mb * 1024}",
            "temp_store=MEMORY",
            "secure_delete=OFF",
        ):
            connection.execute(f"PRAGMA {pragma}").fetchall()
    return connection


def open_reader(path: Path, *, cache_mb: int = 16) -> apsw.Connection:
    """A connection that can only read an existing database and leaves no file beside it. Raises `LithError`."""
    with translate(path):
        connection = apsw.Connection(_uri(path, "mode=ro"), flags=apsw.SQLITE_OPEN_URI | apsw.SQLITE_OPEN_READONLY)
        connection.set_busy_timeout(READ_BUSY_MS)
        connection.execute(f"PRAGMA query_only=ON; PRAGMA cache_size=-{cache_mb * 1024}; PRAGMA temp_store=MEMORY")
        connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall()
    return connection


def fetch(connection: apsw.Connection, query: str, bindings: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """All rows of a query. What types they have is for the schema to say, and so for the caller."""
    return connection.execute(query, bindings).fetchall()


@contextlib.contextmanager
def translate(path: Path) -> Iterator[None]:
    """Turn what SQLite raises into lith's errors, naming the file."""
    try:
        yield
    except apsw.Error as error:
        known = find_lith_error(error, path)
        if known is None:
            raise
        raise known from error


def find_lith_error(error: apsw.Error, path: Path) -> LithError | None:
    """The lith error of an SQLite error: locked, needs a sync, damaged, or the disk. None for a mistake of ours, such as bad SQL."""
    extended = getattr(error, "extendedresult", 0)
    if extended in {
        apsw.SQLITE_READONLY_ROLLBACK,
        apsw.SQLITE_READONLY_RECOVERY,
        apsw.SQLITE_READONLY_CANTINIT,
        apsw.SQLITE_BUSY_RECOVERY,
    }:
        return MapNeedsSync(
            f"a process died while writing {path}",
            hint="run a sync: it rolls the unfinished change back",
            next=[["lith", "sync"]],
        )
    if isinstance(error, apsw.BusyError | apsw.LockedError):
        return Locked(f"{path} is locked by another process", hint="wait for the other command to end, then run it again")
    if isinstance(error, apsw.NotADBError | apsw.CorruptError):
        return MapDamaged(f"{path} is not a readable database", hint="the map can be rebuilt from the transcripts")
    if isinstance(error, apsw.FullError | apsw.IOError | apsw.CantOpenError | apsw.ReadOnlyError | apsw.PermissionsError):
        return StorageError(f"could not use {path}: {error}", hint="check free space and permissions, then run it again")
    return None


@contextlib.contextmanager
def transaction(connection: apsw.Connection, *, immediate: bool = True) -> Iterator[None]:
    """One transaction: committed when the block ends well, rolled back when it does not."""
    connection.execute("BEGIN IMMEDIATE" if immediate else "BEGIN")
    try:
        yield
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    try:
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
