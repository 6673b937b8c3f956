"""The twin in memory: an embedder without a table, for tests and for trying a pipeline out.

Texts that share words have vectors that point the same way, and nothing else is meant by them.
"""

import hashlib
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lith.embed.embedder import normalise

if TYPE_CHECKING:
    from lith.embed.embedder import Vectors

_WORD = re.compile(r"\w+")


class HashedEmbedder:
    """Every word is a fixed pattern of signs drawn from its hash; a text is the sum of its words."""

    def __init__(self, dimensions: int = 64) -> None:
        if dimensions % 64 or not 0 < dimensions <= 512:
            raise ValueError("dimensions must be a multiple of 64, at most 512")
        self._dimensions = dimensions

    @property
    def name(self) -> str:
        """The twin's name and dimensions."""
        return f"hashed-{self._dimensions}-1"

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> "Vectors":
        """One float32 row of length 1 per text; zero for a text without a word."""
        import numpy as np  # noqa: PLC0415

        vectors = np.zeros((len(texts), self._dimensions), np.float32)
        for row, text in enumerate(texts):
            for word in _WORD.findall(text.casefold()):
                signs = hashlib.blake2b(word.encode(errors="replace"), digest_size=self._dimensions // 8).digest()
                vectors[row] += np.unpackbits(np.frombuffer(signs, np.uint8)).astype(np.float32) * 2 - 1
        return normalise(vectors)
