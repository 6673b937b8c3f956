"""The bounded proof that a file still begins with what was read of it."""

from pathlib import Path

import pytest

from lith.ingest.proof import WINDOW, holds, take_proof
from lith.store.map.files import FileRow


def prove(path: Path, cursor: int) -> FileRow:
    row = FileRow(source="codex", root="/", path="x", state="live", cursor=cursor)
    with path.open("rb") as file:
        row.head_length, row.head_digest, row.tail_length, row.tail_digest = take_proof(file, cursor)
    return row


@pytest.mark.parametrize("size", [1, WINDOW, WINDOW + 1, 3 * WINDOW])
def test_growth_keeps_the_proof_and_a_change_of_head_or_tail_breaks_it(tmp_path: Path, size: int) -> None:
    path = tmp_path / "file"
    data = bytes(range(256)) * (size // 256 + 1)
    path.write_bytes(data[:size])
    row = prove(path, size)
    for content, expected in (
        (data[:size] + b"more", True),
        (b"\xff" + data[1:size], False),
        (data[: size - 1] + b"\xfe", False),
        (data[: size - 1], False),
    ):
        path.write_bytes(content)
        with path.open("rb") as file:
            assert holds(row, file) is expected


def test_a_proof_of_a_file_that_was_cut_while_it_was_read_proves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"short")
    row = prove(path, 100)
    assert row.tail_digest is None
    with path.open("rb") as file:
        assert not holds(row, file)
