"""Files that are written whole or not at all, and private."""

import errno
import os
from pathlib import Path

import pytest

from lith.errors import StorageError
from lith.kernel.files import is_within, make_private_dir, replacing, write_atomic


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "folder"
    path.mkdir()
    return path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def break_off(path: Path, cause: Exception) -> None:
    with replacing(path) as file:
        file.write(b"half of the n")
        raise cause


def test_a_file_is_replaced_whole_and_readable_by_its_owner_only(folder: Path) -> None:
    path = folder / "state"
    write_atomic(path, b"old")
    write_atomic(path, b"new")
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o600
    assert names(folder) == ["state"]


def test_an_error_in_the_middle_leaves_the_old_file_and_nothing_else(folder: Path) -> None:
    write_atomic(folder / "state", b"old")
    with pytest.raises(KeyError):
        break_off(folder / "state", KeyError())
    assert (folder / "state").read_bytes() == b"old"
    assert names(folder) == ["state"]


def test_a_full_disk_is_a_storage_error(folder: Path) -> None:
    with pytest.raises(StorageError, match="No space left"):
        break_off(folder / "state", OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
    assert names(folder) == []


def test_every_folder_that_is_made_is_private(tmp_path: Path) -> None:
    make_private_dir(tmp_path / "a" / "b" / "c")
    for folder in ("a", "a/b", "a/b/c"):
        assert (tmp_path / folder).stat().st_mode & 0o777 == 0o700
    make_private_dir(tmp_path / "a" / "b" / "c")


def test_a_file_where_a_folder_should_be_is_a_storage_error(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    for path in (tmp_path / "a", tmp_path / "a" / "b"):
        with pytest.raises(StorageError):
            make_private_dir(path)


def test_a_link_out_of_a_folder_is_not_within_it(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    (root / "link").symlink_to(outside)
    (root / "loop").symlink_to(root / "loop")
    assert is_within(root / "new" / "file", root)
    assert not is_within(root / "link" / "file", root)
    assert not is_within(root / ".." / "outside", root)
    assert is_within(root / "loop", root) in (True, False)
