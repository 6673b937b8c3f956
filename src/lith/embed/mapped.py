"""A file of rows of one kind, mapped: read as a whole where every row is looked at, or row by row where few are.

Called by `vectorfile` only. A mapping lives as long as it is used; a file that is unlinked meanwhile stays readable through it.
"""

import math
import mmap
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_TAKEN_AT_ONCE = 256
"""Rows. The system maps sixteen pages around each that is touched: two thousand scattered rows would look like 128 MB of memory."""


class MappedRows:
    """The first rows of a file, as an array that is not copied (`whole`) or by their numbers (`rows[numbers]`)."""

    def __init__(self, path: Path, dtype: "np.dtype[Any]", shape: tuple[int, ...]) -> None:
        """`shape` is rows first. Raises `OSError`, and `ValueError` when the file is shorter."""
        import numpy as np  # noqa: PLC0415

        self._map: mmap.mmap | None = None
        self.whole: NDArray[Any]
        if not shape[0]:  # nothing cannot be mapped
            self.whole = np.zeros(shape, dtype)
            return
        with path.open("rb") as file:
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.whole = np.frombuffer(self._map, dtype, count=math.prod(shape)).reshape(shape)

    def __getitem__(self, rows: "NDArray[np.intp]") -> "NDArray[Any]":
        """Copies of some rows; what the system mapped for them is given back at once, where it can be."""
        import numpy as np  # noqa: PLC0415

        taken = np.empty((len(rows), *self.whole.shape[1:]), self.whole.dtype)
        for start in range(0, len(rows), _TAKEN_AT_ONCE):
            taken[start : start + _TAKEN_AT_ONCE] = self.whole[rows[start : start + _TAKEN_AT_ONCE]]
            if self._map is not None and hasattr(mmap, "MADV_DONTNEED"):
                self._map.madvise(mmap.MADV_DONTNEED)
        return taken
