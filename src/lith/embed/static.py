"""The embedded model: a text is the mean of the vectors of its word pieces. No network, no weights beyond a table, numpy only.

Called through `get_embedder`. The table was fitted so that this mean predicts what a sentence transformer says of the text; how, is in
`benchmarks/embedding/`. Its vectors are ordered by importance, so that the first 64 numbers are a smaller model.
"""

from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from lith.embed.embedder import normalise
from lith.embed.table import read_about, read_rows, read_vocabulary
from lith.embed.wordpiece import WordPiece

if TYPE_CHECKING:
    from lith.embed.embedder import Vectors

    _Batch: TypeAlias = "tuple[array[int], list[int], list[int]]"

LONGEST_TEXT = 4_000
"""Characters; what comes after them changes the mean of a text little and costs the most."""
_BATCH_ROWS = 1_024
"""Word pieces gathered at once: a megabyte, which stays in the processor's cache; with sixteen it takes twice as long."""


class StaticEmbedder:
    """The packaged table with its reader of words."""

    def __init__(self, dimensions: int = 256) -> None:
        about = read_about()
        if dimensions % 64 or not 0 < dimensions <= about.dimensions:
            raise ValueError(f"dimensions must be a multiple of 64, at most {about.dimensions}")
        self._dimensions = dimensions
        self._name = f"lith-static-{dimensions}-{about.version}"
        self._words = WordPiece(read_vocabulary())
        rows, self._scales = read_rows()
        self._rows = rows[:, :dimensions]

    @property
    def name(self) -> str:
        """Changes with the table and with how texts are prepared for it."""
        return self._name

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> "Vectors":
        """One float32 row of length 1 per text; zero for a text without a known word."""
        import numpy as np  # noqa: PLC0415

        vectors = np.zeros((len(texts), self._dimensions), np.float32)
        for pieces, starts, places in self._batches(texts):
            index = np.frombuffer(pieces, np.intc)
            gathered = self._rows[index].astype(np.float32)
            gathered *= self._scales[index][:, None]
            vectors[places] = np.add.reduceat(gathered, starts, axis=0)
        return normalise(vectors)

    def _batches(self, texts: Sequence[str]) -> "Iterator[_Batch]":
        """The pieces of many texts in a row, where each text begins, and which text it is; texts without pieces are left out."""
        pieces, starts, places = array("i"), [], []
        for place, text in enumerate(texts):
            rows = self._words.rows(text[:LONGEST_TEXT])
            if not rows:
                continue
            starts.append(len(pieces))
            places.append(place)
            pieces.extend(rows)
            if len(pieces) >= _BATCH_ROWS:
                yield pieces, starts, places
                pieces, starts, places = array("i"), [], []
        if places:
            yield pieces, starts, places
