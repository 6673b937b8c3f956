"""The seam between this room and an embedding model: texts in, vectors out.

The room owns the protocol; which model stands behind it is decided where commands are wired. numpy is imported on first use.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from lith.wiki.errors import EmbedderFailed
from lith.wiki.extras import need_numpy

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]


class Embedder(Protocol):
    """A model that turns texts into vectors of one length."""

    @property
    def name(self) -> str:
        """The model's name and version: vectors of different names are never compared."""
        ...

    def embed(self, texts: Sequence[str]) -> "Matrix":
        """One float32 row per text."""
        ...


def unit_vectors(embedder: Embedder, texts: Sequence[str]) -> "Matrix":
    """Vectors of length 1 for some texts (zero where the model finds nothing). Raises `EmbedderFailed` for unusable answers."""
    need_numpy()
    import numpy as np  # noqa: PLC0415

    vectors = np.asarray(embedder.embed(list(texts)), dtype=np.float32)
    if vectors.ndim != 2 or vectors.shape[0] != len(texts) or not np.isfinite(vectors).all():
        raise EmbedderFailed(f"the model {embedder.name} did not return one vector per text")
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Matrix = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return unit
