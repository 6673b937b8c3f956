import os
import random
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from lith.embed import VectorFile
from lith.errors import VectorsDamaged

Floats = NDArray[np.float32]


def vectors(*seeds: int) -> Floats:
    rows = np.stack([np.random.default_rng(seed).normal(size=64) for seed in seeds])
    unit: Floats = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return unit


def opened(folder: Path) -> VectorFile:
    return VectorFile(folder, model="test-64-1", dimensions=64)


def ids(*numbers: int) -> NDArray[np.int64]:
    return np.array(numbers, np.int64)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "vectors" / "test-64-1"


def test_a_folder_that_is_not_there_holds_nothing_and_is_not_made(folder: Path) -> None:
    file = opened(folder)
    assert len(file) == 0
    assert len(file.search(vectors(1)[0], 3)[0]) == 0
    assert not folder.exists()


def test_what_was_put_is_found_and_stays(folder: Path) -> None:
    opened(folder).put([70, 5, 2**40], vectors(1, 2, 3))
    file = opened(folder)
    assert file.ids.tolist() == [70, 5, 2**40]
    found, scores = file.search(vectors(2)[0], 2)
    assert found[0] == 5
    assert scores[0] > 0.99
    assert len(found) == 2


def test_putting_again_replaces(folder: Path) -> None:
    file = opened(folder)
    file.put([1, 2], vectors(1, 2))
    file.put([2, 3], vectors(20, 3))
    assert sorted(file.ids.tolist()) == [1, 2, 3]
    assert file.cosines(vectors(20)[0], ids(2))[0] > 0.99
    assert file.search(vectors(2)[0], 3)[1][0] < 0.9
    assert sorted(opened(folder).ids.tolist()) == [1, 2, 3]


def test_the_last_of_twins_wins(folder: Path) -> None:
    file = opened(folder)
    file.put([4, 7, 4], vectors(1, 2, 3))
    assert sorted(file.ids.tolist()) == [4, 7]
    assert file.cosines(vectors(3)[0], ids(4))[0] > 0.99


def test_deleted_ids_are_gone(folder: Path) -> None:
    file = opened(folder)
    file.put([1, 2, 3], vectors(1, 2, 3))
    assert file.delete([2, 9]) == 1
    assert file.delete([2]) == 0
    assert file.ids.tolist() == [1, 3]
    assert 2 not in file.search(vectors(2)[0], 3)[0]
    assert opened(folder).holds(ids(1, 2, 3)).tolist() == [True, False, True]


def test_purging_leaves_no_number_of_the_deleted_on_the_disk(folder: Path) -> None:
    file = opened(folder)
    file.put([1, 2, 3], vectors(1, 2, 3))
    gone = (folder / "0.bytes").read_bytes()[64:128]
    file.delete([2])
    file.purge()
    assert all(gone not in path.read_bytes() for path in folder.iterdir())
    assert sorted(path.name for path in folder.iterdir()) == ["1.bits", "1.bytes", "1.ids", "head"]
    assert file.ids.tolist() == opened(folder).ids.tolist() == [1, 3]
    assert file.cosines(vectors(3)[0], ids(3))[0] > 0.99
    file.put([2], vectors(2))
    assert opened(folder).ids.tolist() == [1, 3, 2]


def test_many_dead_rows_move_the_living(folder: Path) -> None:
    file = opened(folder)
    rows = np.random.default_rng(1).normal(size=(6_000, 64)).astype(np.float32)
    file.put(range(6_000), rows)
    file.put(range(5_000), rows[:5_000])
    assert len(file) == 6_000
    assert (folder / "1.ids").stat().st_size == 8 * 6_000
    assert not (folder / "0.ids").exists()
    assert file.search(rows[4_321], 1)[0].tolist() == [4_321]


def test_a_reader_keeps_what_it_opened_while_the_living_move(folder: Path) -> None:
    writer = opened(folder)
    writer.put([1, 2], vectors(1, 2))
    reader = opened(folder)
    writer.delete([1])
    writer.purge()
    assert reader.search(vectors(1)[0], 1)[0].tolist() == [1]
    assert opened(folder).ids.tolist() == [2]


def test_search_among_some_ids(folder: Path) -> None:
    file = opened(folder)
    file.put(range(50), vectors(*range(50)))
    file.delete([7])
    found, _ = file.search(vectors(9)[0], 5, among=ids(3, 7, 8, 99))
    assert set(found.tolist()) == {3, 8}


def test_cosines_in_the_order_of_the_question(folder: Path) -> None:
    file = opened(folder)
    file.put([30, 10, 20], vectors(3, 1, 2))
    scores = file.cosines(vectors(1)[0], ids(20, 10, 99, 10))
    assert np.isnan(scores).tolist() == [False, False, True, False]
    assert scores[1] == scores[3] > 0.99
    assert abs(scores[0] - vectors(2)[0] @ vectors(1)[0]) < 0.02
    assert np.isnan(opened(folder.with_name("empty")).cosines(vectors(1)[0], ids(1))).all()


def test_what_a_killed_writer_left_is_overwritten(folder: Path) -> None:
    opened(folder).put([1, 2], vectors(1, 2))
    for part in ("ids", "bits", "bytes"):
        with (folder / f"0.{part}").open("ab") as file:
            file.write(b"\xff" * 100)
    (folder / "1.ids").write_bytes(b"half a move")
    reopened = opened(folder)
    assert reopened.ids.tolist() == [1, 2]
    reopened.put([3], vectors(3))
    assert opened(folder).ids.tolist() == [1, 2, 3]
    assert opened(folder).cosines(vectors(3)[0], ids(3))[0] > 0.99


def test_a_writer_that_is_killed_leaves_the_old_or_the_new(folder: Path) -> None:
    opened(folder).put([0], vectors(0))
    program = (
        "import sys, numpy as np; from pathlib import Path; from lith.embed import VectorFile\n"
        "file = VectorFile(Path(sys.argv[1]), model='test-64-1', dimensions=64)\n"
        "print('ready', flush=True)\n"
        "for n in range(1, 100000): file.put([n], np.full((1, 64), float(n), np.float32))"
    )
    with subprocess.Popen([sys.executable, "-c", program, str(folder)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        while len(opened(folder)) < 5:
            pass
        process.kill()
    file = opened(folder)
    assert file.ids.tolist() == list(range(len(file)))
    file.put([10**6], vectors(1))
    assert opened(folder).search(vectors(1)[0], 1)[0].tolist() == [10**6]


def test_files_are_their_owners_only(folder: Path) -> None:
    before = os.umask(0)
    try:
        file = opened(folder)
        file.put([1, 2], vectors(1, 2))
        file.delete([1])
        file.purge()
    finally:
        os.umask(before)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


def test_destroying_leaves_nothing_and_the_file_can_be_filled_again(folder: Path) -> None:
    file = opened(folder)
    file.put([1], vectors(1))
    file.destroy()
    assert not folder.exists()
    assert len(file) == 0
    file.put([2], vectors(2))
    assert opened(folder).ids.tolist() == [2]


def test_a_half_deleted_folder_is_an_empty_one_and_does_not_harm_who_still_reads(folder: Path) -> None:
    opened(folder).put([1, 2], vectors(1, 2))
    reader = opened(folder)
    (folder / "head").unlink()
    writer = opened(folder)
    assert len(writer) == 0
    writer.put([3], vectors(3))
    assert reader.search(vectors(2)[0], 1)[0].tolist() == [2]
    assert opened(folder).ids.tolist() == [3]


def test_another_models_vectors_are_refused(folder: Path) -> None:
    opened(folder).put([1], vectors(1))
    with pytest.raises(VectorsDamaged, match="test-64-1"):
        VectorFile(folder, model="test-64-2", dimensions=64)
    with pytest.raises(VectorsDamaged):
        VectorFile(folder, model="test-64-1", dimensions=128)


@pytest.mark.parametrize(
    "head", [b"", b"\n", b"{}\n", b"\xff\xfe", b'{"format":1,"model":"test-64-1","dimensions":64,"rows":9}\n']
)
def test_a_damaged_head_is_an_error_with_a_way_out(folder: Path, head: bytes) -> None:
    opened(folder).put([1], vectors(1))
    (folder / "head").write_bytes(head)
    with pytest.raises(VectorsDamaged) as caught:
        opened(folder)
    assert caught.value.hint


@pytest.mark.parametrize("part", ["ids", "bits", "bytes"])
def test_a_part_that_is_missing_or_short_is_damage(folder: Path, part: str) -> None:
    opened(folder).put([1, 2], vectors(1, 2))
    path = folder / f"0.{part}"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(VectorsDamaged, match=part):
        opened(folder)
    path.unlink()
    with pytest.raises(VectorsDamaged, match="missing"):
        opened(folder)


def test_wrong_shapes_are_refused_and_nothing_is_nothing(folder: Path) -> None:
    file = opened(folder)
    with pytest.raises(ValueError, match="shape"):
        file.put([1, 2], vectors(1))
    file.put([], np.zeros((0, 64), np.float32))
    assert not folder.exists()


def test_any_history_ends_as_a_dictionary_would(folder: Path) -> None:
    random_ = random.Random(3)
    known: dict[int, int] = {}
    for step in range(60):
        file = opened(folder)
        some = [random_.randrange(12) for _ in range(random_.randrange(4))]
        what = random_.choice(["put", "put", "delete", "purge"])
        if what == "put":
            file.put(some, vectors(*(100 * step + n for n in some)) if some else np.zeros((0, 64), np.float32))
            known.update({n: 100 * step + n for n in some})
        elif what == "delete":
            assert file.delete(some) == len(set(some) & set(known))
            for n in some:
                known.pop(n, None)
        else:
            file.purge()
        for seen in (file, opened(folder)):
            assert sorted(seen.ids.tolist()) == sorted(known)
            for n, seed in known.items():
                assert seen.cosines(vectors(seed)[0], ids(n))[0] > 0.99
