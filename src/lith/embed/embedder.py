"""The seam: what a model must offer to stand behind semantic search, and the words for what it gives.

Every embedder of this room keeps it and passes one conformance class; rooms above may name a narrower protocol of their own.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors: TypeAlias = NDArray[np.float32]
    Ids: TypeAlias = NDArray[np.int64]


class Embedder(Protocol):
    """A model that turns texts into vectors of one length, alone on this machine."""

    @property
    def name(self) -> str:
        """Model, dimensions and version, fit for a file name: vectors of different names are never compared."""
        ...

    @property
    def dimensions(self) -> int:
        """The length of a vector, a multiple of 64."""
        ...

    def embed(self, texts: Sequence[str]) -> "Vectors":
        """One float32 row per text, of length 1, or zero where the model finds nothing to read.

        The same text gives the same row whatever stands beside it. Memory is bounded by the answer, not by the texts.
        """
        ...


def normalise(vectors: "Vectors") -> "Vectors":
    """The rows scaled to length 1, in place; rows of zeros stay."""
    import numpy as np  # noqa: PLC0415

    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, None]
    np.divide(vectors, lengths, out=vectors, where=lengths > 0)
    return vectors
