"""What every live file was when its bytes were last archived, so that an unchanged one costs a stat.

A cache, and nothing more: it can be deleted at any time, and is made anew when it cannot be read. What the archive holds is told by the
segments alone. `run` owns it, under the archive's lock.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

from lith.archive.layout import CATALOGUE, FileKey
from lith.errors import LithError
from lith.kernel import sqlite

_TABLE = """
CREATE TABLE IF NOT EXISTS seen (
    source TEXT NOT NULL, session TEXT NOT NULL, path TEXT NOT NULL, absolute TEXT NOT NULL,
    dev INTEGER NOT NULL, inode INTEGER NOT NULL, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, ctime_ns INTEGER NOT NULL,
    segment TEXT NOT NULL,
    PRIMARY KEY (source, session, path, absolute)
) WITHOUT ROWID
"""
_COLUMNS = "dev, inode, size, mtime_ns, ctime_ns, segment"


class Seen(msgspec.Struct, frozen=True):
    """What `stat` said of a live file when the archive held all of it; `segment` is the file that held its end, below the archive."""

    dev: int
    inode: int
    size: int
    mtime_ns: int
    ctime_ns: int
    segment: str

    def same_file(self, status: os.stat_result) -> bool:
        """Whether it is the same inode still."""
        return (self.dev, self.inode) == (status.st_dev, status.st_ino)

    def unchanged(self, status: os.stat_result) -> bool:
        """Whether nothing that `stat` tells has changed."""
        times = (self.size, self.mtime_ns, self.ctime_ns)
        return self.same_file(status) and times == (status.st_size, status.st_mtime_ns, status.st_ctime_ns)


class Catalogue:
    """The open cache; `open_catalogue` makes one."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection = sqlite.open_writer(path, cache_mb=4)
        with sqlite.translate(path):
            self._connection.execute("PRAGMA synchronous=OFF").fetchall()  # it may be lost: only time depends on it
            self._connection.execute(_TABLE)
            self._connection.execute("SELECT count(*) FROM seen").fetchall()

    def close(self) -> None:
        """Close the database."""
        self._connection.close()

    def load(self) -> dict[tuple[FileKey, str], Seen]:
        """Everything it holds, by file and absolute path."""
        with sqlite.translate(self._path):
            rows = self._connection.execute(f"SELECT source, session, path, absolute, {_COLUMNS} FROM seen")  # noqa: S608
            return {(FileKey(*row[:3]), row[3]): Seen(*row[4:]) for row in rows}

    def save(self, seen: dict[tuple[FileKey, str], Seen]) -> None:
        """Add or replace what was seen, in one transaction."""
        rows = [(*msgspec.structs.astuple(key), absolute, *msgspec.structs.astuple(one)) for (key, absolute), one in seen.items()]
        with sqlite.translate(self._path), sqlite.transaction(self._connection):
            self._connection.executemany(f"INSERT OR REPLACE INTO seen VALUES ({', '.join('?' * 10)})", rows)  # noqa: S608


@contextlib.contextmanager
def open_catalogue(root: Path) -> Iterator[Catalogue]:
    """Open the cache of an archive; one that cannot be read is made anew. Raises `LithError` where even that fails."""
    path = root / CATALOGUE
    try:
        catalogue = Catalogue(path)
    except LithError:
        path.unlink(missing_ok=True)
        catalogue = Catalogue(path)
    try:
        yield catalogue
    finally:
        catalogue.close()
