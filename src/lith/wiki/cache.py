"""The derived cache of a vault: what each page said when it had this time and this size.

Only `snapshot` calls it. It can be deleted at any moment; a cache that is damaged, locked or of another version is as good as
none. It is never the only place of anything.
"""

import contextlib
from pathlib import Path

import apsw
import msgspec

from lith.errors import LithError
from lith.kernel.files import make_private_dir, storage_errors, write_atomic
from lith.kernel.sqlite import open_reader, open_writer, transaction, translate
from lith.wiki.page import Facts
from lith.wiki.vault import LOCAL, FileStat, Vault, writable

VERSION = 1
"""Raised whenever parsing changes, so that older rows are read anew."""

_SCHEMA = f"""
CREATE TABLE pages(path TEXT PRIMARY KEY, mtime_ns INTEGER NOT NULL, size INTEGER NOT NULL, facts BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE notes(name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
PRAGMA user_version={VERSION};
"""

Row = tuple[FileStat, bytes]

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Facts).decode


def cache_path(vault: Vault) -> Path:
    """Where the cache of a vault is. Raises `OutsideVault` when a symlink leads elsewhere."""
    return writable(vault, f"{LOCAL}/pages.sqlite")


def local_dir(vault: Vault) -> Path:
    """The machine's own folder in the vault, created with a `.gitignore` that keeps all of it out of git."""
    folder = writable(vault, LOCAL)
    ignore = folder / ".gitignore"
    if not ignore.exists():
        for part in (folder.parent, folder):
            if not part.exists():
                with storage_errors(f"create the directory {part}"):
                    part.mkdir(exist_ok=True)
        make_private_dir(folder)
        write_atomic(ignore, b"*\n")
    return folder


def read_rows(vault: Vault) -> dict[str, Row]:
    """Every page the cache knows, still encoded; empty when there is no usable cache."""
    try:
        path = cache_path(vault)
        if not path.exists():
            return {}
        connection = open_reader(path, cache_mb=8)
    except LithError:
        return {}
    with contextlib.closing(connection):
        try:
            if connection.pragma("user_version") != VERSION:
                return {}
            rows = connection.execute("SELECT path, mtime_ns, size, facts FROM pages")
            return {path: (FileStat(mtime_ns, size), facts) for path, mtime_ns, size, facts in rows}
        except apsw.Error:
            return {}


def decode_facts(blob: bytes) -> Facts | None:
    """The facts in a row, or None when the row is not what this version writes."""
    try:
        return _decode(blob)
    except msgspec.MsgspecError:
        return None


def write_rows(vault: Vault, changed: dict[str, tuple[FileStat, Facts]], gone: list[str]) -> bool:
    """Store changed pages and drop gone ones; False when the vault cannot hold a cache (then nothing is lost)."""
    try:
        local_dir(vault)
        path = cache_path(vault)
        with contextlib.closing(_open(path)) as connection, translate(path), transaction(connection):
            connection.executemany("DELETE FROM pages WHERE path = ?", ((page,) for page in gone))
            connection.executemany(
                "INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?)",
                ((page, stat.mtime_ns, stat.size, _encode(facts)) for page, (stat, facts) in changed.items()),
            )
    except LithError:
        return False
    return True


def read_note(vault: Vault, name: str) -> bytes | None:
    """A small derived value by name (dates from git, say)."""
    try:
        path = cache_path(vault)
        if not path.exists():
            return None
        with contextlib.closing(open_reader(path, cache_mb=8)) as connection, translate(path):
            for (value,) in connection.execute("SELECT value FROM notes WHERE name = ?", (name,)):
                return bytes(value)
    except LithError:
        return None
    return None


def write_note(vault: Vault, name: str, value: bytes) -> None:
    """Keep a small derived value; without a word where the vault cannot hold it."""
    with contextlib.suppress(LithError):
        local_dir(vault)
        path = cache_path(vault)
        with contextlib.closing(_open(path)) as connection, translate(path):
            connection.execute("INSERT OR REPLACE INTO notes VALUES (?, ?)", (name, value))


def _open(path: Path) -> apsw.Connection:
    """A writer on a cache of this version; an older or damaged one is replaced."""
    try:
        connection = open_writer(path, cache_mb=16)
        with translate(path):
            if connection.pragma("user_version") == VERSION:
                return connection
            empty = not connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall()
        if empty:
            return _create(connection, path)
        connection.close()
    except LithError as error:
        if error.code != "map_damaged":
            raise
    for suffix in ("", "-journal", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    return _create(open_writer(path, cache_mb=16), path)


def _create(connection: apsw.Connection, path: Path) -> apsw.Connection:
    with translate(path):
        connection.execute(_SCHEMA)
    return connection
