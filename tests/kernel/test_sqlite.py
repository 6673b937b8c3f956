"""Connections: writers, readers that leave nothing behind, and SQLite's words in lith's."""

import os
from pathlib import Path

import apsw
import pytest

from lith.errors import Locked, MapDamaged, MapNeedsSync, StorageError
from lith.kernel import sqlite


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "data #1?%41" / "base.sqlite"
    path.parent.mkdir()
    connection = sqlite.open_writer(path)
    connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    connection.close()
    return path


def test_a_writer_is_durable_and_private(database: Path) -> None:
    connection = sqlite.open_writer(database)
    assert connection.pragma("synchronous") == 2
    assert connection.pragma("journal_mode") == "delete"
    assert connection.pragma("foreign_keys") == 1
    connection.close()
    assert database.stat().st_mode & 0o777 == 0o600


def test_a_reader_cannot_write_and_leaves_nothing_behind(database: Path) -> None:
    connection = sqlite.open_reader(database)
    assert sqlite.fetch(connection, "SELECT a FROM t") == [(1,)]
    with pytest.raises(apsw.ReadOnlyError):
        connection.execute("INSERT INTO t VALUES (2)")
    connection.close()
    assert [path.name for path in database.parent.iterdir()] == ["base.sqlite"]


def test_a_reader_creates_no_database(tmp_path: Path) -> None:
    with pytest.raises(StorageError):
        sqlite.open_reader(tmp_path / "none.sqlite")
    assert not list(tmp_path.glob("*.sqlite*"))


def test_what_is_no_database_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "text.sqlite"
    path.write_bytes(b"certainly not a database, and long enough to be looked at" * 20)
    with pytest.raises(MapDamaged):
        sqlite.open_reader(path)


def test_an_exclusive_writer_makes_a_reader_say_locked(database: Path) -> None:
    writer = sqlite.open_writer(database)
    writer.execute("BEGIN EXCLUSIVE")
    reader = apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READONLY)
    with pytest.raises(Locked), sqlite.translate(database):
        reader.execute("SELECT * FROM t").fetchall()
    reader.close()
    writer.execute("ROLLBACK")
    writer.close()


def test_a_journal_that_a_killed_writer_left_says_to_sync(database: Path) -> None:
    pid = os.fork()
    if pid == 0:
        connection = sqlite.open_writer(database)
        connection.execute("PRAGMA cache_size=1; BEGIN IMMEDIATE")
        connection.execute(
            "INSERT INTO t SELECT randomblob(1000) FROM json_each('[' || substr(replace(hex(zeroblob(1500)), '0', '1,'), 3) || ']')"
        )
        os._exit(0)
    os.waitpid(pid, 0)
    assert (database.parent / "base.sqlite-journal").exists()
    with pytest.raises(MapNeedsSync):
        sqlite.open_reader(database)
    connection = sqlite.open_writer(database)
    assert sqlite.fetch(connection, "SELECT a FROM t") == [(1,)]
    connection.close()


def test_a_mistake_in_sql_is_no_damage(database: Path) -> None:
    connection = sqlite.open_reader(database)
    with pytest.raises(apsw.SQLError), sqlite.translate(database):
        connection.execute("SELEKT")
    connection.close()


def test_a_transaction_is_whole_or_not_at_all(database: Path) -> None:
    connection = sqlite.open_writer(database)
    with pytest.raises(apsw.SQLError), sqlite.transaction(connection):
        connection.execute("INSERT INTO t VALUES (2); SELEKT")
    with sqlite.transaction(connection):
        connection.execute("INSERT INTO t VALUES (3)")
    assert sqlite.fetch(connection, "SELECT a FROM t") == [(1,), (3,)]
    connection.close()
