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
    if not path.exists():
        yield from _build(path, projection, old=None)
        return
    try:
        old = _inspect(path, projection)
    except MapDamaged as error:
        aside = _set_aside(path)
        yield from _build(
            path, projection, old=None, warning=f"{error.message}; it was kept as {aside.name}, and a new one was made"
        )
        return
    if old is None:
        yield from _build(path, projection, old=path)
        return
    try:
        yield OpenMap(old)
    finally:
        old.close()


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


def _build(path: Path, projection: str, *, old: Path | None, warning: str | None = None) -> Iterator[OpenMap]:
    """A new map under a private name, which takes its place when the block has filled it."""
    private = path.with_name(f"{path.name}.new")
    _discard(private)
    try:
        connection = schema.create(private, projection=projection)
        try:
            with sqlite.translate(path):
                carried, roots = carry.carry_unreadable(connection, old) if old else ([], [])
            yield OpenMap(connection, carried, old is not None or warning is not None, warning, roots)
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
