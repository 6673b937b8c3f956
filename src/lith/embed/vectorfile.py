"""Vectors on disk under numbers that somebody else gave: added to, replaced, deleted, searched where they lie.

A folder holds one model's vectors: `N.ids`, `N.bits` and `N.bytes`, which only grow, and `head`, which says how many of their rows
count and which of those are dead. `head` is replaced as a whole after everything else is on the disk, so a reader sees all of a change
or nothing, and what a killed writer left behind is overwritten by the next. When too many rows are dead, the living move to N + 1.

One writer at a time: its caller holds the lock. Files are their owner's only. What the ids mean is no concern of this room.
"""

import contextlib
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from lith.embed.mapped import MappedRows
from lith.embed.nearest import cosines, quantize, search
from lith.errors import VectorsDamaged
from lith.kernel.files import FILE_MODE, make_private_dir, replacing, storage_errors, sync_dir

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lith.embed.embedder import Ids, Vectors

    Mask = NDArray[np.bool_]

_FORMAT = 1
_MOVED_WHEN_DEAD = 0.3
_FEW = 4_096
_BLOCK = 65_536
_PARTS = ("ids", "bits", "bytes")


class _Head(msgspec.Struct, frozen=True):
    """What counts in the folder."""

    format: int
    model: str
    dimensions: int
    generation: int = 0
    rows: int = 0


class VectorFile:
    """The vectors of one model in one folder, as they were when they were opened or last changed through this object."""

    def __init__(self, folder: Path, *, model: str, dimensions: int) -> None:
        """Opens what is there; a folder that does not exist holds nothing, and is made by the first `put`.

        Raises `VectorsDamaged` when the folder holds another model's vectors or cannot be read.
        """
        self._folder = folder
        self._head = _Head(_FORMAT, model, dimensions)
        self._open()

    @property
    def ids(self) -> "Ids":
        """The ids that are there, in the order in which they came."""
        alive: Ids = self._ids[~self._dead]
        return alive

    def __len__(self) -> int:
        """How many ids are there."""
        return int(len(self._dead) - self._dead.sum())

    def holds(self, ids: "Ids") -> "Mask":
        """For each of some ids, whether it is there."""
        import numpy as np  # noqa: PLC0415

        return np.isin(np.asarray(ids, np.int64), self.ids)

    def search(self, query: "Vectors", k: int, *, among: "Ids | None" = None) -> "tuple[Ids, Vectors]":
        """The `k` nearest ids and their cosines, the nearest first; only among some ids when they are given."""
        import numpy as np  # noqa: PLC0415

        rows = None
        if among is not None:
            rows = np.flatnonzero(~self._dead & np.isin(self._ids, among))
        elif self._dead.any():
            rows = np.flatnonzero(~self._dead)
        found, scores = search(query, self._bits, self._bytes, k, rows=rows)
        return self._ids[found], scores

    def cosines(self, query: "Vectors", ids: "Ids") -> "Vectors":
        """The query's cosine to each of some ids, in their order; not a number where an id is not there."""
        import numpy as np  # noqa: PLC0415

        asked = np.asarray(ids, np.int64)
        rows = np.flatnonzero(~self._dead & np.isin(self._ids, asked))
        scores = np.full(len(asked), np.nan, np.float32)
        if len(rows):
            order = np.argsort(self._ids[rows])
            rows = rows[order]
            known = self._ids[rows]
            place = np.minimum(np.searchsorted(known, asked), len(known) - 1)
            there = known[place] == asked
            scores[there] = cosines(query, self._bytes[rows])[place[there]]
        return scores

    def put(self, ids: Sequence[int], vectors: "Vectors") -> None:
        """Add vectors, each under its id; an id that is there already gets the new one. The last of twins wins.

        Raises `StorageError`; what was there before stays then.
        """
        import numpy as np  # noqa: PLC0415

        added = np.asarray(ids, np.int64)
        if vectors.shape != (len(added), self._head.dimensions):
            raise ValueError(
                f"{len(added)} ids need vectors of shape ({len(added)}, {self._head.dimensions}), not {vectors.shape}"
            )
        if not len(added):
            return
        last = np.sort(len(added) - 1 - np.unique(added[::-1], return_index=True)[1])
        added = added[last]
        bits, numbers = quantize(np.asarray(vectors[last], np.float32))
        self._append({"ids": added.astype("<i8"), "bits": bits, "bytes": numbers})
        dead = np.concatenate((self._dead | np.isin(self._ids, added), np.zeros(len(added), np.bool_)))
        self._commit(msgspec.structs.replace(self._head, rows=self._head.rows + len(added)), dead)

    def delete(self, ids: Sequence[int]) -> int:
        """Take ids away, and say how many were there. Their numbers leave the disk when the living move, or with `purge`."""
        import numpy as np  # noqa: PLC0415

        dying = ~self._dead & np.isin(self._ids, np.asarray(ids, np.int64))
        if dying.any():
            self._commit(self._head, self._dead | dying)
        return int(dying.sum())

    def purge(self) -> None:
        """Move the living to files of their own, so that nothing of what was deleted or replaced stays on the disk."""
        import numpy as np  # noqa: PLC0415

        if not self._dead.any():
            return
        rows = np.flatnonzero(~self._dead)
        head = msgspec.structs.replace(self._head, generation=self._head.generation + 1, rows=len(rows))
        for part in _PARTS:
            column = self._map(part)
            with replacing(self._path(part, head.generation)) as file:
                for start in range(0, len(rows), _BLOCK):
                    file.write(column[rows[start : start + _BLOCK]].tobytes())
        self._write_head(head, np.zeros(len(rows), np.bool_))
        self._open()
        self._sweep()

    def destroy(self) -> None:
        """Delete the folder. The object is empty afterwards, and can be filled again."""
        if self._folder.exists():
            with storage_errors(f"delete {self._folder}"):
                (self._folder / "head").unlink(missing_ok=True)  # first, so that a half-deleted folder is an empty one
                shutil.rmtree(self._folder)
        self._open()

    def _path(self, part: str, generation: int | None = None) -> Path:
        return self._folder / f"{self._head.generation if generation is None else generation}.{part}"

    def _open(self) -> None:
        """Read the head, then map what it counts; again when a writer moved the living in between."""
        for _ in range(5):
            with contextlib.suppress(FileNotFoundError):
                self._head, self._dead = self._read_head()
                self._ids, self._bits = self._map("ids").whole, self._map("bits").whole
                self._bytes = self._map("bytes")
                return
        raise self._damaged("a file is missing")

    def _read_head(self) -> "tuple[_Head, Mask]":
        import numpy as np  # noqa: PLC0415

        try:
            line, _, packed = (self._folder / "head").read_bytes().partition(b"\n")
        except FileNotFoundError:
            empty = msgspec.structs.replace(self._head, generation=0, rows=0)
            return empty, np.zeros(0, np.bool_)
        except OSError as error:
            raise self._damaged(error.strerror or str(error)) from error
        try:
            head = msgspec.json.decode(line, type=_Head)
        except msgspec.MsgspecError as error:
            raise self._damaged("its head is not readable") from error
        if (head.format, head.model, head.dimensions) != (_FORMAT, self._head.model, self._head.dimensions):
            raise self._damaged(f"it holds vectors of {head.model}, format {head.format}, not of {self._head.model}")
        if head.rows < 0 or head.generation < 0 or len(packed) != (head.rows + 7) // 8:
            raise self._damaged("its head is incomplete")
        return head, np.unpackbits(np.frombuffer(packed, np.uint8), count=head.rows).astype(np.bool_)

    def _layout(self, part: str) -> "tuple[np.dtype[Any], tuple[int, ...]]":
        """Type and shape of one row of a part."""
        import numpy as np  # noqa: PLC0415

        width = self._head.dimensions
        layouts: dict[str, tuple[str, tuple[int, ...]]] = {
            "ids": ("<i8", ()),
            "bits": ("<u8", (width // 64,)),
            "bytes": ("i1", (width,)),
        }
        kind, shape = layouts[part]
        return np.dtype(kind), shape

    def _map(self, part: str) -> MappedRows:
        dtype, shape = self._layout(part)
        try:
            return MappedRows(self._path(part), dtype, (self._head.rows, *shape))
        except FileNotFoundError:
            raise
        except (OSError, ValueError) as error:
            raise self._damaged(f"{self._path(part).name} is too short or cannot be read") from error

    def _append(self, parts: "dict[str, NDArray[Any]]") -> None:
        """Write rows behind those that count, over what a killed writer may have left there, down to the disk."""
        make_private_dir(self._folder)
        for part, rows in parts.items():
            path = self._path(part)
            with storage_errors(f"write {path}"):
                if not self._head.rows:
                    path.unlink(missing_ok=True)  # a half-deleted folder: somebody may still read what was there
                handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), FILE_MODE)
                with os.fdopen(handle, "r+b") as file:
                    dtype, shape = self._layout(part)
                    file.seek(self._head.rows * dtype.itemsize * (shape[0] if shape else 1))
                    file.truncate()
                    file.write(rows.tobytes())
                    file.flush()
                    os.fsync(file.fileno())
        with storage_errors(f"write {self._folder}"):
            sync_dir(self._folder)

    def _write_head(self, head: _Head, dead: "Mask") -> None:
        import numpy as np  # noqa: PLC0415

        with replacing(self._folder / "head") as file:
            file.write(msgspec.json.encode(head) + b"\n" + np.packbits(dead).tobytes())

    def _commit(self, head: _Head, dead: "Mask") -> None:
        """Make a change count, and move the living when the dead are many."""
        self._write_head(head, dead)
        self._open()
        if self._dead.sum() > max(_FEW, _MOVED_WHEN_DEAD * len(self._dead)):
            self.purge()

    def _sweep(self) -> None:
        """Delete the files of other generations; a reader that still maps them keeps what it sees."""
        for path in self._leftovers():
            with contextlib.suppress(OSError):
                path.unlink()

    def _leftovers(self) -> Iterator[Path]:
        keep = {"head", *(self._path(part).name for part in _PARTS)}
        yield from (path for path in sorted(self._folder.iterdir()) if path.name not in keep)

    def _damaged(self, why: str) -> VectorsDamaged:
        return VectorsDamaged(
            f"the vectors in {self._folder} cannot be used: {why}", hint="they are made from the map: delete the folder"
        )
