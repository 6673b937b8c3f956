"""Whose a backup is, and what records are called."""

from pathlib import Path

import pytest
from tests.keep.transcripts import REAL, SESSION, make
from tests.keep.world import KEY, NOW

from lith.archive import ArchiveItem, FileKey, apply_import, archive_file, find_generations, plan_import
from lith.keep import House, identify_backup, iter_named

CODEX = sorted((Path(__file__).parents[1] / "data" / "codex").rglob("*.jsonl"))


def test_a_backup_becomes_a_generation_of_its_session(house: House, live: Path, tmp_path: Path) -> None:
    live.write_bytes(make(["prompt", "answer"]))
    archive_file(house.archive, ArchiveItem(KEY.source, KEY.session, KEY.path, live), clock=lambda: NOW)
    folder = tmp_path / "backups"
    folder.mkdir()
    (folder / "v0-raw.jsonl").write_bytes(make(["prompt", "progress", "answer"]))
    plan = plan_import(house.archive, folder, lambda path: identify_backup(path, house.archive))
    assert [entry.key for entry in plan.entries] == [KEY]
    apply_import(house.archive, plan, clock=lambda: NOW)
    assert [one.number for one in find_generations(house.archive, KEY)] == [1, 2]


def test_a_session_that_was_never_archived_gets_its_clients_path(tmp_path: Path) -> None:
    (path,) = [path for path in REAL if path.stem.startswith("7cff1bfc")]
    key = identify_backup(path, tmp_path / "archive")
    assert key == FileKey("claude_code", path.stem, f"{path.parent.name}/{path.name}")


@pytest.mark.parametrize("path", CODEX[:4], ids=lambda path: path.stem[-12:])
def test_codex_backups_are_theirs(path: Path, tmp_path: Path) -> None:
    key = identify_backup(path, tmp_path / "archive")
    assert key is not None
    assert (key.source, key.path) == ("codex", path.name)


@pytest.mark.parametrize("data", [b"", b"text\n", b'{"a":1}\n', b'{"type":"nothing known"}\n', b"\xff\xfe\n"])
def test_other_files_are_nobodys(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(data)
    assert identify_backup(path, tmp_path / "archive") is None


def test_records_are_named_by_their_client_and_else_by_content(live: Path) -> None:
    live.write_bytes(make(["prompt", "title", "garbage", "joined"]))
    with live.open("rb") as file:
        named = [one for one, _ in iter_named("claude_code", KEY.path, file)]
    assert len(named) == 4
    assert named[0].record_id == "00000000-0000-4001-8000-000000000000"
    assert [one.type for one in named] == ["user", "ai-title", "user", "file-history-snapshot"]
    assert len({one.record_id for one in named}) == 4
    assert SESSION
