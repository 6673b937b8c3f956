"""The vectors of a vault's pages: embedded once per text and model, kept in a derived cache."""

import contextlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import apsw

from lith.errors import LithError
from lith.kernel.sqlite import open_reader, open_writer, transaction, translate
from lith.wiki.cache import local_dir
from lith.wiki.embedder import Embedder, unit_vectors
from lith.wiki.errors import EmbedderFailed
from lith.wiki.extras import need_numpy
from lith.wiki.snapshot import Snapshot, read_bytes
from lith.wiki.tiling.prepare import page_windows, vector_key
from lith.wiki.vault import LOCAL, Vault, writable

if TYPE_CHECKING:
    from lith.wiki.embedder import Matrix

BATCH_CHARS = 256 * 1024
BATCH_TEXTS = 128
_GROUP = 512
"""So many pages are embedded between two commits of the cache, so that an interrupted run loses little."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS vectors(model TEXT, key BLOB, vector BLOB NOT NULL, PRIMARY KEY(model, key)) WITHOUT ROWID;
"""


def page_vectors(snapshot: Snapshot, paths: Sequence[str], embedder: Embedder) -> tuple["Matrix", int]:
    """One unit vector per page, and how many pages had to be embedded. Raises `EmbedderFailed`."""
    need_numpy()
    import numpy as np  # noqa: PLC0415

    keys = {path: vector_key(snapshot.pages[path]) for path in paths}
    known = _read(snapshot.vault, embedder.name, set(keys.values()))
    missing: dict[bytes, str] = {}
    for path in paths:
        if keys[path] not in known:
            missing.setdefault(keys[path], path)
    for group in _groups(list(missing.items())):
        fresh = _embed(snapshot, group, embedder)
        _write(snapshot.vault, embedder.name, fresh)
        known |= fresh
    _prune(snapshot.vault, embedder.name, set(keys.values()))
    if not paths:
        return np.zeros((0, 1), dtype=np.float32), 0
    width = len(next(iter(known.values())))
    if any(len(vector) != width for vector in known.values()):
        # A model that changed its size under the same name: nothing of it that was kept can be trusted.
        if len(missing) == len(set(keys.values())):
            raise EmbedderFailed(f"the model {embedder.name} returns vectors of different lengths")
        _prune(snapshot.vault, embedder.name, set())
        return page_vectors(snapshot, paths, embedder)
    matrix = np.empty((len(paths), width // 4), dtype=np.float32)
    for row, path in enumerate(paths):
        matrix[row] = np.frombuffer(known[keys[path]], dtype="<f4")
    return matrix, len(missing)


def _groups(items: list[tuple[bytes, str]]) -> Iterator[list[tuple[bytes, str]]]:
    for at in range(0, len(items), _GROUP):
        yield items[at : at + _GROUP]


def _embed(snapshot: Snapshot, group: Sequence[tuple[bytes, str]], embedder: Embedder) -> dict[bytes, bytes]:
    """Embed some pages: windows sorted by length and batched, so that memory stays bounded and short texts wait for no long one."""
    import numpy as np  # noqa: PLC0415

    windows: list[tuple[int, str]] = []
    for number, (_, path) in enumerate(group):
        facts = snapshot.pages[path]
        body = read_bytes(snapshot.vault, path)[facts.body :].decode("utf-8", "replace")
        windows += [(number, text) for text in page_windows(facts.title, body)]
    windows.sort(key=lambda item: len(item[1]))
    sums: dict[int, Matrix] = {}
    at = 0
    while at < len(windows):
        end, chars = at, 0
        while end < len(windows) and end - at < BATCH_TEXTS and (chars < BATCH_CHARS or end == at):
            chars += len(windows[end][1])
            end += 1
        for (number, text), vector in zip(
            windows[at:end], unit_vectors(embedder, [text for _, text in windows[at:end]]), strict=True
        ):
            weighted = vector * np.float32(len(text))
            sums[number] = sums[number] + weighted if number in sums else weighted
        at = end
    fresh: dict[bytes, bytes] = {}
    for number, (key, _) in enumerate(group):
        length = float(np.linalg.norm(sums[number]))
        unit = sums[number] / np.float32(length) if length > 0 else sums[number]
        fresh[key] = unit.astype("<f4").tobytes()
    return fresh


def _read(vault: Vault, model: str, wanted: set[bytes]) -> dict[bytes, bytes]:
    try:
        path = writable(vault, f"{LOCAL}/vectors.sqlite")
        if not path.exists():
            return {}
        with contextlib.closing(open_reader(path)) as connection, translate(path):
            rows = connection.execute("SELECT key, vector FROM vectors WHERE model = ?", (model,))
            return {bytes(key): bytes(vector) for key, vector in rows if key in wanted}
    except LithError:
        return {}


def _connect(vault: Vault) -> apsw.Connection:
    local_dir(vault)
    path = writable(vault, f"{LOCAL}/vectors.sqlite")
    try:
        connection = open_writer(path, cache_mb=16)
        with translate(path):
            connection.execute(_SCHEMA)
    except LithError as error:
        if error.code != "map_damaged":
            raise
        path.unlink(missing_ok=True)
        connection = open_writer(path, cache_mb=16)
        connection.execute(_SCHEMA)
    return connection


def _write(vault: Vault, model: str, fresh: dict[bytes, bytes]) -> None:
    """Keep vectors; a vault that cannot hold a cache is embedded again next time."""
    with (
        contextlib.suppress(LithError, OSError),
        contextlib.closing(_connect(vault)) as connection,
        translate(vault.root),
        transaction(connection),
    ):
        rows = ((model, key, vector) for key, vector in fresh.items())
        connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)


def _prune(vault: Vault, model: str, wanted: set[bytes]) -> None:
    """Drop this model's vectors of texts that no page has any more."""
    with contextlib.suppress(LithError, OSError):
        path = writable(vault, f"{LOCAL}/vectors.sqlite")
        if not path.exists():
            return
        with contextlib.closing(open_reader(path)) as connection, translate(path):
            keys = [bytes(key) for (key,) in connection.execute("SELECT key FROM vectors WHERE model = ?", (model,))]
        gone = [key for key in keys if key not in wanted]
        if gone:
            with contextlib.closing(_connect(vault)) as connection, translate(path), transaction(connection):
                connection.executemany("DELETE FROM vectors WHERE model = ? AND key = ?", ((model, key) for key in gone))
