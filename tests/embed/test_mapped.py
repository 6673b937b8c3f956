from pathlib import Path

import numpy as np
import pytest

from lith.embed.mapped import MappedRows


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "rows"
    file.write_bytes(np.arange(5_000 * 8, dtype="<i8").tobytes())
    return file


def test_rows_by_their_numbers_are_the_rows_of_the_whole(path: Path) -> None:
    rows = MappedRows(path, np.dtype("<i8"), (5_000, 8))
    wanted = np.random.default_rng(1).integers(0, 5_000, 1_200)
    assert np.array_equal(rows[wanted], rows.whole[wanted])
    assert rows[np.array([4_999])].tolist() == [list(range(39_992, 40_000))]


def test_fewer_rows_than_the_file_has(path: Path) -> None:
    assert MappedRows(path, np.dtype("<i8"), (3, 8)).whole.tolist()[2][0] == 16


def test_more_rows_than_the_file_has(path: Path) -> None:
    with pytest.raises(ValueError, match="buffer"):
        MappedRows(path, np.dtype("<i8"), (5_001, 8))


def test_no_rows_need_no_file(tmp_path: Path) -> None:
    rows = MappedRows(tmp_path / "nothing", np.dtype("i1"), (0, 64))
    assert rows.whole.shape == (0, 64)
    assert rows[np.zeros(0, np.intp)].shape == (0, 64)


def test_a_file_that_is_gone_stays_readable(path: Path) -> None:
    rows = MappedRows(path, np.dtype("<i8"), (5_000, 8))
    path.unlink()
    assert rows[np.array([1])][0][0] == 8
