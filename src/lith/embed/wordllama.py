"""The model of the package `wordllama` (extra `wordllama`): a static table as well, larger and made by others.

Called through `get_embedder`. It loads what the package carries and forbids it to download.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lith.embed.embedder import normalise
from lith.embed.registry import import_extra
from lith.embed.static import LONGEST_TEXT

if TYPE_CHECKING:
    from lith.embed.embedder import Vectors

_BATCH_TEXTS = 256


class WordLlamaEmbedder:
    """WordLlama's 256 dimensions."""

    def __init__(self) -> None:
        package = import_extra("wordllama", extra="wordllama")
        folder = Path(package.__file__).parent
        self._model: Any = package.WordLlama.load(dim=256, cache_dir=folder, disable_download=True)

    @property
    def name(self) -> str:
        """The model's name, dimensions and our version of its use."""
        return "wordllama-l2-supercat-256-1"

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return 256

    def embed(self, texts: Sequence[str]) -> "Vectors":
        """One float32 row of length 1 per text; zero for a text without a known word."""
        import numpy as np  # noqa: PLC0415

        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        order = sorted((place for place in range(len(texts)) if texts[place].strip()), key=lambda place: len(texts[place]))
        for start in range(0, len(order), _BATCH_TEXTS):
            batch = order[start : start + _BATCH_TEXTS]
            vectors[batch] = self._model.embed([texts[place][:LONGEST_TEXT] for place in batch], norm=False)
        return normalise(vectors)
