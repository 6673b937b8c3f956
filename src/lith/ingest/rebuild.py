"""Opening the map for writing: making it, or remaking it when its version stamp says that it was written by other rules.

A remade map is a private file beside the old one until it is complete, checked and flushed; then it takes the old one's name. Until that
moment, and after any failure, the old map is what it was. Rows of files that are gone cannot be read again, so they are carried over.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import apsw
import msgspec

from lith.errors import LithError, MapDamaged, MapTooNew
from lith.kernel import sqlite
from lith.kernel.files import storage_errors, sync_dir
from lith.store.map import carry, schema
from lith.store.map import files as files_store


class OpenMap(msgspec.Struct):
    """The map while a sync writes it.

    `carried` are transcripts that came over from an older map and must be derived. `rebuilt` says that it was made anew although there was
    one, `warning` what a person should know of that. `roots` are the (source, root) pairs that the older map knew.
    """

    connection: apsw.Connection
    carried: list[int] = []
    rebuilt: bool = False
    warning: str | None = None
    roots: list[tuple[str, str]] = []


@contextlib.contextmanager
def open_map(path: Path, *, projection: str) -> Iterator[OpenMap]:
    """The map at `path`, for the block to write; made or remade where it must be. Raises `MapTooNew` and storage errors."""
    warning = None
    if not path.exists():
        _create(path, projection)
    try:
        connection = _inspect(path, projection)
    except MapDamaged as error:
        warning = f"{error.message}; it was kept as {_set_aside(path).name}, and a new one was made"
        _create(path, projection)
        connection = _inspect(path, projection)
    if connection is None:
        yield from _remake(path, projection)
        return
    try:
        yield OpenMap(connection, warning=warning)
    finally:
        connection.close()


def _create(path: Path, projection: str) -> None:
    """An empty map, whole or not at all: what a first sync publishes stays, however it ends."""
    private = path.with_name(f"{path.name}.new")
    _discard(private)
    schema.create(private, projection=projection).close()
    with storage_errors(f"put the new map at {path}"):
        private.replace(path)
        sync_dir(path.parent)


def _inspect(path: Path, projection: str) -> apsw.Connection | None:
    """The writer of an existing map, None if it was written by other rules."""
    connection = sqlite.open_writer(path)
    try:
        with sqlite.translate(path):
            version = schema.schema_version(connection)
            if version == 0:
                raise MapDamaged(f"{path} is not a map")
            if version > schema.SCHEMA_VERSION:
                raise MapTooNew(
                    f"the map at {path} has schema {version}; this lith writes {schema.SCHEMA_VERSION}", hint="update lith"
                )
            stamp = {key: files_store.get_meta(connection, key) for key in schema.stamp(projection)}
        if stamp == schema.stamp(projection):
            return connection
    except LithError:
        connection.close()
        raise
    connection.close()
    return None


def _remake(path: Path, projection: str) -> Iterator[OpenMap]:
    """A new map under a private name, which takes the place of the old one when the block has filled it."""
    private = path.with_name(f"{path.name}.new")
    _discard(private)
    try:
        connection = schema.create(private, projection=projection)
        try:
            with sqlite.translate(path):
                carried, roots = carry.carry_unreadable(connection, path, calls=projection != "talk")
            yield OpenMap(connection, carried, True, None, roots)
            with sqlite.translate(private):
                _verify(connection, private)
        finally:
            connection.close()
        with storage_errors(f"put the new map at {path}"):
            private.replace(path)
            sync_dir(path.parent)
    except BaseException:
        _discard(private)
        raise


def _verify(connection: apsw.Connection, path: Path) -> None:
    answer = connection.execute("PRAGMA quick_check(1)").fetchall()[0][0]
    if answer != "ok":
        raise MapDamaged(f"the new map {path} did not pass its check: {answer}", hint="check the disk, then sync again")


def _set_aside(path: Path) -> Path:
    """Give a file that is no map another name; what it holds may still matter to somebody."""
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    with storage_errors(f"set {path} aside"):
        path.replace(aside)
    return aside


def _discard(path: Path) -> None:
    for leftover in (path, path.with_name(path.name + "-journal")):
        with contextlib.suppress(OSError):
            leftover.unlink()
