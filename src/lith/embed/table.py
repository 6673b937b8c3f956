"""The packaged table: a vector of whole numbers for every entry of the vocabulary, and how it came to be.

Called by the embedders of this room. Made by `benchmarks/embedding/build.py`, mapped here, never written.
"""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FOLDER = Path(__file__).parent / "data"
FIRST_WORD = 999
"""The vocabulary's file leaves out the special entries and reserves of BERT's uncased one, which come before this number."""


class About(msgspec.Struct, frozen=True):
    """What the table says of itself: its version names the vectors, whatever changes them."""

    version: int
    rows: int
    dimensions: int


def read_about() -> About:
    """The table's own description."""
    return msgspec.json.decode((FOLDER / "table.json").read_bytes(), type=About)


@cache
def read_vocabulary() -> tuple[str, ...]:
    """The entries, in the order of the rows."""
    return tuple((FOLDER / "vocabulary.txt").read_text(encoding="utf-8").rstrip("\n").split("\n"))


def read_rows() -> tuple["NDArray[np.int8]", "NDArray[np.float32]"]:
    """The rows (mapped) and what one unit of each is worth."""
    import numpy as np  # noqa: PLC0415

    about = read_about()
    rows: NDArray[np.int8] = np.memmap(FOLDER / "rows.i8", np.int8, "r", shape=(about.rows, about.dimensions))
    return rows, np.fromfile(FOLDER / "scales.f32", np.float32)
