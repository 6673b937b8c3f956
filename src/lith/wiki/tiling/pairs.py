"""All pairs of a matrix of unit vectors, by blocked products: exact, in bounded memory, without a limit on rows. Pure."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lith.wiki.embedder import Matrix

BLOCK = 2048
BIN_WIDTH = 0.01
BINS = 200
"""Similarities from -1 to 1 in steps of `BIN_WIDTH`."""


class Pair(msgspec.Struct, frozen=True, gc=False):
    """Two rows (first < second) and their cosine."""

    first: int
    second: int
    similarity: float


class Pairs(msgspec.Struct, frozen=True):
    """Pairs at or above `review`, most similar first and capped; exact counts; and groups connected at or above `error`."""

    items: list[Pair]
    near: int
    review: int
    groups: list[list[int]]


def _blocks(matrix: "Matrix") -> Iterator[tuple[int, int, "Matrix"]]:
    """Products of blocks of rows: (first row, first column, similarities); each unordered pair occurs in exactly one block."""
    rows = len(matrix)
    for top in range(0, rows, BLOCK):
        for left in range(top, rows, BLOCK):
            yield top, left, matrix[top : top + BLOCK] @ matrix[left : left + BLOCK].T


def _above(block: "Matrix", top: int, left: int, limit: float) -> tuple["NDArray[np.intp]", "NDArray[np.intp]"]:
    """Where a block is at or above a limit, each pair once, as row and column of the whole matrix."""
    import numpy as np  # noqa: PLC0415

    row, column = np.nonzero(block >= np.float32(limit))
    if top == left:
        keep = column > row
        row, column = row[keep], column[keep]
    return row + top, column + left


def find_pairs(matrix: "Matrix", *, error: float, review: float, cap: int) -> Pairs:
    """Every pair at or above `review` (at most `cap` are kept, the most similar), and the groups of near-duplicates."""
    import numpy as np  # noqa: PLC0415

    first: NDArray[np.intp] = np.empty(0, dtype=np.intp)
    second, kept = first, np.empty(0, dtype=np.float32)
    near = total = 0
    roots = np.arange(len(matrix))
    for top, left, block in _blocks(matrix):
        row, column = _above(block, top, left, review)
        if not len(row):
            continue
        values = block[row - top, column - left]
        strong = values >= np.float32(error)
        near += int(strong.sum())
        total += len(row)
        _join(roots, row[strong], column[strong])
        first, second, kept = _strongest(
            np.concatenate((first, row)), np.concatenate((second, column)), np.concatenate((kept, values)), cap
        )
    order = np.lexsort((second, first, -kept))
    items = [Pair(int(first[at]), int(second[at]), min(1.0, float(kept[at]))) for at in order]
    return Pairs(items=items, near=near, review=total - near, groups=_groups(roots))


def _strongest(first: Any, second: Any, values: Any, cap: int) -> tuple[Any, Any, Any]:
    """The `cap` most similar pairs; equal ones by row, so that the choice does not depend on blocks."""
    import numpy as np  # noqa: PLC0415

    if len(values) <= cap:
        return first, second, values
    best = np.lexsort((second, first, -values))[:cap]
    return first[best], second[best], values[best]


def _join(roots: "NDArray[np.intp]", row: "NDArray[np.intp]", column: "NDArray[np.intp]") -> None:
    """Union the ends of some pairs in place; pairs that are together already cost one comparison."""
    import numpy as np  # noqa: PLC0415

    while len(row):
        low, high = np.minimum(roots[row], roots[column]), np.maximum(roots[row], roots[column])
        apart = low != high
        row, column, low, high = row[apart], column[apart], low[apart], high[apart]
        if not len(row):
            return
        target = roots.copy()
        np.minimum.at(target, high, low)
        roots[:] = target
        while True:
            jumped = roots[roots]
            if (jumped == roots).all():
                break
            roots[:] = jumped


def _groups(roots: "NDArray[np.intp]") -> list[list[int]]:
    members: dict[int, list[int]] = {}
    for row, root in enumerate(roots.tolist()):
        members.setdefault(root, []).append(row)
    return sorted((rows for rows in members.values() if len(rows) > 1), key=lambda rows: (-len(rows), rows))


def histogram(matrix: "Matrix") -> list[int]:
    """How many pairs there are in each bin of similarity, from -1 to 1."""
    import numpy as np  # noqa: PLC0415

    counts = np.zeros(BINS, dtype=np.int64)
    for top, left, block in _blocks(matrix):
        values = block[np.triu_indices(len(block), 1)] if top == left else block.ravel()
        counts += np.bincount(_bins(values), minlength=BINS)
    return [int(count) for count in counts]


def _bins(values: "Matrix") -> "NDArray[np.intp]":
    import numpy as np  # noqa: PLC0415

    bins: NDArray[np.intp] = np.clip(((values + 1.0) / BIN_WIDTH).astype(np.intp), 0, BINS - 1)
    return bins


def sample_pairs(matrix: "Matrix", wanted: dict[int, int], seed: int) -> list[tuple[int, Pair]]:
    """For each bin, so many of its pairs at random (all of them when it has fewer): (bin, pair). The same seed gives the same pairs."""
    import numpy as np  # noqa: PLC0415

    random = np.random.default_rng(seed)
    chosen: dict[int, list[tuple[float, Pair]]] = {bin: [] for bin in wanted}
    lowest = min(wanted, default=BINS) * BIN_WIDTH - 1.0
    for top, left, block in _blocks(matrix):
        row, column = _above(block, top, left, lowest - 1e-6)
        values = block[row - top, column - left]
        bins = _bins(values)
        keys = random.random(len(values))
        for bin, count in wanted.items():
            here = np.nonzero(bins == bin)[0]
            best = here[np.argsort(keys[here], kind="stable")[:count]]
            found = [(float(keys[at]), Pair(int(row[at]), int(column[at]), min(1.0, float(values[at])))) for at in best]
            chosen[bin] = sorted([*chosen[bin], *found], key=lambda item: item[0])[:count]
    return [(bin, pair) for bin, pairs in sorted(chosen.items()) for _, pair in pairs]
