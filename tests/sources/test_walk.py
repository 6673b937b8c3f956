"""The walk that stays below its root."""

import os
import socket
from pathlib import Path

import pytest

from lith.sources.walk import iter_files


def found(root: Path, within: Path | None = None) -> list[tuple[str, str | None]]:
    return [(file.relative, file.trouble) for file in iter_files(root, within)]


def touch(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"")


def test_files_come_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name in ("b", "a/2", "a/1", "c/x/y", "A"):
        touch(tmp_path / name)
    assert found(tmp_path) == [("A", None), ("b", None), ("a/1", None), ("a/2", None), ("c/x/y", None)]


def test_names_are_those_below_the_border(tmp_path: Path) -> None:
    touch(tmp_path / "in" / "a")
    touch(tmp_path / "out")
    assert found(tmp_path / "in", tmp_path) == [("in/a", None)]


def test_a_root_that_is_not_there_is_empty(tmp_path: Path) -> None:
    assert found(tmp_path / "nothing") == []


def test_a_root_that_is_a_file_is_reported(tmp_path: Path) -> None:
    touch(tmp_path / "file")
    assert found(tmp_path / "file") == [(".", "unreadable")]


def test_a_folder_with_two_names_is_walked_under_its_own(tmp_path: Path) -> None:
    touch(tmp_path / "real" / "x")
    (tmp_path / "alias").symlink_to(tmp_path / "real")
    (tmp_path / "real" / "up").symlink_to(tmp_path)
    assert found(tmp_path) == [("real/x", None)]


def test_a_linked_folder_elsewhere_below_the_border_is_entered(tmp_path: Path) -> None:
    touch(tmp_path / "store" / "x")
    (tmp_path / "projects").mkdir()
    (tmp_path / "projects" / "p").symlink_to(tmp_path / "store")
    assert found(tmp_path / "projects", tmp_path) == [("projects/p/x", None)]
    assert found(tmp_path / "projects") == [("p", "outside_root")]


def test_links_that_lead_nowhere_or_in_circles_are_reported(tmp_path: Path) -> None:
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")
    (tmp_path / "one").symlink_to(tmp_path / "two")
    (tmp_path / "two").symlink_to(tmp_path / "one")
    assert found(tmp_path) == [("nowhere", "broken_link"), ("one", "broken_link"), ("two", "broken_link")]


def test_what_is_no_file_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "x.jsonl").mkdir()
    touch(tmp_path / "x.jsonl" / "inside")
    monkeypatch.chdir(tmp_path)  # a socket's address must be short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
    assert found(tmp_path) == [("pipe", "special_file"), ("socket", "special_file"), ("x.jsonl", "folder")]


def test_a_name_that_is_no_text_is_reported(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.jsonl")).write_bytes(b"")
    touch(tmp_path / "프로젝트.jsonl")
    assert found(tmp_path) == [("프로젝트.jsonl", None), ("caf\ufffd.jsonl", "unreadable_name")][::-1]


@pytest.mark.skipif(os.geteuid() == 0, reason="everything is readable to root")
def test_a_folder_that_cannot_be_listed_is_reported(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0)
    assert found(tmp_path) == [("closed", "unreadable")]
