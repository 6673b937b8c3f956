"""From the teacher's vectors to a table: distil, ridge, refine, store.

Called by `build.py` only. Every step is seeded or has no chance in it. A text is the mean of its rows; all that counts in the end is
that mean's direction.
"""

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray

Floats = NDArray[np.float32]

DIMENSIONS = 256
SIF = 1e-3
"""Smooth inverse frequency: a row weighs SIF / (SIF + its share of all rows) before anything is fitted."""
RIDGE = 0.1
"""How strongly the ridge holds a row to its distilled vector. Of 0.03, 0.1, 0.3, 1 and 3 the first two predict held-out texts best."""
EPOCHS, BATCH = 20, 2048


def unit(vectors: Floats) -> Floats:
    """The rows scaled to length 1."""
    scaled: Floats = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return scaled


def count_matrix(texts: Sequence[Sequence[int]], width: int) -> sparse.csr_matrix:
    """Texts by rows of the vocabulary, so that this matrix times a table gives the mean of each text."""
    ends = np.cumsum([0, *map(len, texts)])
    shares = np.repeat(1 / np.diff(ends).astype(np.float32), np.diff(ends))
    matrix = sparse.csr_matrix(
        (shares, np.concatenate([np.asarray(text, np.int32) for text in texts]), ends), (len(texts), width)
    )
    matrix.sum_duplicates()
    return matrix


def distil(tokens: Floats, taught: Floats, texts: Sequence[Sequence[int]]) -> tuple[Floats, Floats]:
    """The teacher's vectors of single entries and of texts, centred, on the main axes of the texts; the entries weighted by rarity."""
    centred = taught - taught.mean(axis=0)
    axes = np.linalg.svd(centred.T @ centred)[0][:, :DIMENSIONS]
    axes *= np.where(axes.sum(axis=0) < 0, -1, 1)  # an axis has no sign of its own
    counts = np.bincount(np.concatenate([np.asarray(text) for text in texts]), minlength=len(tokens)) + 0.5
    weights = SIF / (SIF + counts / counts.sum())
    table = (tokens - tokens.mean(axis=0)) @ axes * weights[:, None]
    return table.astype(np.float32), (centred @ axes).astype(np.float32)


def ridge(matrix: sparse.csr_matrix, targets: Floats, table: Floats, *, most: int = 60) -> Floats:
    """The table whose means predict the targets best without leaving the given one: conjugate gradients for all dimensions at once."""
    predicted = matrix @ table
    table = table * ((predicted * targets).sum() / (predicted**2).sum())
    transposed = matrix.T.tocsr()
    rest = transposed @ (targets - matrix @ table)
    move, step = np.zeros_like(table), rest.copy()
    size = first = (rest**2).sum(axis=0)
    for _ in range(most):
        bent = transposed @ (matrix @ step) + RIDGE * step
        length = size / np.maximum((step * bent).sum(axis=0), 1e-20)
        move += length * step
        rest -= length * bent
        last, size = size, (rest**2).sum(axis=0)
        if size.sum() < 1e-6 * first.sum():
            break
        step = rest + size / np.maximum(last, 1e-20) * step
    moved: Floats = (table + move).astype(np.float32)
    return moved


def refine(matrix: sparse.csr_matrix, targets: Floats, table: Floats, seed: int) -> Floats:
    """Adam on the cosine between a text's mean and its target: what the ridge spends on lengths is spent on directions."""
    random = np.random.default_rng(seed)
    wanted, table = unit(targets), table.copy()
    first, second = np.zeros_like(table), np.zeros_like(table)
    rate = 0.02 * float(np.abs(table).mean())
    steps = EPOCHS * (matrix.shape[0] // BATCH)
    for step in range(1, steps + 1):
        if (step - 1) % (steps // EPOCHS) == 0:
            order = random.permutation(matrix.shape[0])
        at = (step - 1) % (steps // EPOCHS) * BATCH
        batch = order[at : at + BATCH]
        some, right = matrix[batch], wanted[batch]
        means = some @ table
        lengths = np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-6)
        means /= lengths
        pull = ((right * means).sum(axis=1, keepdims=True) * means - right) / lengths
        slope = some.T @ pull / len(batch)
        first = 0.9 * first + 0.1 * slope
        second = 0.999 * second + 0.001 * slope**2
        pace = rate * min(1.0, step / 20) * (1 - 0.95 * step / steps)
        table -= pace * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-9)
    return table.astype(np.float32)


def to_bytes(table: Floats) -> tuple[NDArray[np.int8], Floats]:
    """Whole numbers of one byte, and what one unit is worth in each row."""
    scales = (np.abs(table).max(axis=1) / 127).astype(np.float32)
    rows = np.rint(table / np.maximum(scales, 1e-12)[:, None]).astype(np.int8)
    return rows, scales


def agreement(table: Floats, matrix: sparse.csr_matrix, taught: Floats) -> float:
    """How the cosines between texts correlate with the teacher's."""
    ours, theirs = unit(matrix @ table), unit(taught)
    pairs = np.triu_indices(len(theirs), 1)
    return float(np.corrcoef((ours @ ours.T)[pairs], (theirs @ theirs.T)[pairs])[0, 1])
