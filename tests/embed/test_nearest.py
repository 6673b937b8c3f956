import numpy as np
import pytest
from numpy.typing import NDArray

from lith.embed.nearest import cosines, distances, quantize, search, sift

Floats = NDArray[np.float32]


def unit(rows: Floats) -> Floats:
    scaled: Floats = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return scaled


def cloud(count: int, width: int = 256, *, seed: int = 5) -> Floats:
    """Vectors in clusters, the first numbers larger than the last, as a model's are."""
    random = np.random.default_rng(seed)
    fading = np.linspace(1.0, 0.2, width)
    centres = random.normal(size=(40, width)) * fading
    return unit((centres[random.integers(0, 40, count)] + random.normal(size=(count, width)) * fading).astype(np.float32))


@pytest.mark.parametrize("width", [64, 256, 384])
def test_shapes_and_types(width: int) -> None:
    bits, numbers = quantize(cloud(10, width))
    assert bits.shape == (10, width // 64)
    assert bits.dtype == np.dtype("<u8")
    assert numbers.shape == (10, width)
    assert numbers.dtype == np.int8


def test_a_row_is_quantized_alone() -> None:
    rows = cloud(50)
    bits, numbers = quantize(rows)
    for row in (0, 17, 49):
        alone_bits, alone_numbers = quantize(rows[row : row + 1])
        assert np.array_equal(alone_bits[0], bits[row])
        assert np.array_equal(alone_numbers[0], numbers[row])


def test_signs_follow_the_angle() -> None:
    rows = cloud(2_000)
    bits, _ = quantize(rows)
    correlation = np.corrcoef(distances(rows[0], bits), rows @ rows[0])[0, 1]
    assert correlation < -0.8
    assert distances(rows[0], bits)[0] == 0


def test_bytes_keep_the_cosine() -> None:
    rows = cloud(500)
    assert np.abs(cosines(rows[0], quantize(rows)[1]) - rows @ rows[0]).max() < 0.01


def test_opposite_vectors_differ_in_every_sign_even_with_more_than_255() -> None:
    rows = cloud(4, 384)
    bits, _ = quantize(rows)
    assert distances(-rows[1], bits)[1] == 384


def test_search_finds_the_true_nearest() -> None:
    rows = cloud(20_000)
    bits, numbers = quantize(rows)
    right = wanted = 0
    for query in unit(rows[:40] + np.random.default_rng(1).normal(size=(40, 256)).astype(np.float32) * 0.03):
        true = set(np.argsort(-(rows @ query))[:10].tolist())
        found, scores = search(query, bits, numbers, 10)
        assert (np.diff(scores) <= 0).all()
        right += len(true & set(found.tolist()))
        wanted += 10
    assert right / wanted > 0.95


def test_search_among_some_rows() -> None:
    rows = cloud(5_000)
    bits, numbers = quantize(rows)
    few = np.arange(100, 130)
    found, _ = search(rows[115], bits, numbers, 5, rows=few)
    assert found[0] == 115
    assert set(found.tolist()) <= set(few.tolist())
    many = np.arange(0, 5_000, 2)
    found, _ = search(rows[116], bits, numbers, 5, rows=many)
    assert found[0] == 116
    assert not (found % 2).any()


def test_equal_rows_come_in_order() -> None:
    rows = np.repeat(cloud(1), 30, axis=0)
    assert search(rows[0], *quantize(rows), 5)[0].tolist() == [0, 1, 2, 3, 4]


def test_fewer_rows_than_asked_for() -> None:
    rows = cloud(3)
    assert len(search(rows[0], *quantize(rows), 10)[0]) == 3


@pytest.mark.parametrize("k", [0, -1])
def test_nothing_is_asked_for(k: int) -> None:
    rows = cloud(3)
    assert len(search(rows[0], *quantize(rows), k)[0]) == 0


def test_nothing_is_there() -> None:
    found, scores = search(cloud(1)[0], *quantize(np.zeros((0, 256), np.float32)), 5)
    assert len(found) == len(scores) == 0


def test_a_query_of_zeros_is_near_nothing() -> None:
    rows = cloud(3)
    assert len(search(np.zeros(256, np.float32), *quantize(rows), 3)[0]) == 0


def test_a_row_of_zeros_is_never_better_than_a_real_one() -> None:
    rows = np.concatenate((np.zeros((1, 256), np.float32), cloud(5)))
    found, scores = search(rows[3], *quantize(rows), 6)
    assert found[0] == 3
    assert scores[found.tolist().index(0)] == 0
    assert np.isfinite(scores).all()


def test_sifting_keeps_the_ties_of_the_last() -> None:
    assert sift(np.array([3, 1, 2, 2, 2, 9], np.uint16), 2).tolist() == [1, 2, 3, 4]
    assert sift(np.array([3, 1], np.uint16), 10).tolist() == [0, 1]
