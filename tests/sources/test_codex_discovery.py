"""Codex: which files are looked at, and which are rollouts."""

import sys
from pathlib import Path

import pytest
from tests.sources.conformance import read_tree

from lith.kernel import ids
from lith.records.record import Record
from lith.sources.codex import SOURCE

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

DATA = Path(__file__).parent.parent / "data" / "codex"
DAY = Path("sessions/2026/01/31")
ROLLOUT = "rollout-2026-01-31T12-00-00-019d2000-0000-7000-8000-000000000125.jsonl"


def make(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"{}\n")


def listed(root: Path) -> dict[str, str | None]:
    return {candidate.relative: candidate.skip for candidate in SOURCE.iter_candidates(root)}


def test_the_clients_variable_names_the_root(home: Path, tmp_path: Path) -> None:
    assert list(SOURCE.default_roots(home, {})) == [home / ".codex"]
    assert list(SOURCE.default_roots(home, {"CODEX_HOME": ""})) == [home / ".codex"]
    assert list(SOURCE.default_roots(home, {"CODEX_HOME": str(tmp_path)})) == [tmp_path]
    assert list(SOURCE.default_roots(home, {"CODEX_HOME": "~/elsewhere"})) == [home / "elsewhere"]


def test_only_the_session_folders_of_a_home_are_walked(tmp_path: Path) -> None:
    archived = f"archived_sessions/{ROLLOUT}"
    make(tmp_path, f"{DAY}/{ROLLOUT}", archived, "history.jsonl", "log/rollout-1.jsonl", "skills/rollout-2.jsonl")
    assert listed(tmp_path) == {f"{DAY}/{ROLLOUT}": None, archived: None}


def test_a_folder_of_sessions_is_a_root_too(tmp_path: Path) -> None:
    make(tmp_path, f"{DAY}/{ROLLOUT}", f"plain/{ROLLOUT}")
    assert listed(tmp_path / "sessions") == {f"2026/01/31/{ROLLOUT}": None}
    assert listed(tmp_path / DAY) == {ROLLOUT: None}
    assert listed(tmp_path / "plain") == {ROLLOUT: None}


@pytest.mark.parametrize("name", ["config.toml", "auth.json"])
def test_a_home_without_sessions_is_not_walked(tmp_path: Path, name: str) -> None:
    make(tmp_path, name, "log/rollout-1.jsonl")
    assert listed(tmp_path) == {}


def test_other_files_are_listed_with_a_reason(tmp_path: Path) -> None:
    make(
        tmp_path,
        *(f"{DAY}/{name}" for name in (ROLLOUT, f"{ROLLOUT}.zst", "rollout-1.json", "notes.txt", "x.jsonl", f"{ROLLOUT}.tmp")),
    )
    assert listed(tmp_path) == {
        f"{DAY}/{ROLLOUT}": None,
        f"{DAY}/{ROLLOUT}.zst": None,
        f"{DAY}/rollout-1.json": "single_object_format",
        f"{DAY}/notes.txt": "not_a_transcript",
        f"{DAY}/x.jsonl": "not_a_transcript",
        f"{DAY}/{ROLLOUT}.tmp": "not_a_transcript",
    }


def test_a_link_out_of_the_home_is_not_followed(tmp_path: Path) -> None:
    home = tmp_path / "home-of-codex"
    make(tmp_path, f"elsewhere/{ROLLOUT}")
    make(home, f"{DAY}/{ROLLOUT}")
    (home / "sessions" / "out").symlink_to(tmp_path / "elsewhere")
    (home / "archived_sessions").symlink_to(tmp_path / "elsewhere")
    assert {relative for relative, skip in listed(home).items() if skip is None} == {f"{DAY}/{ROLLOUT}"}


def test_a_compressed_rollout_has_the_same_records(tmp_path: Path) -> None:
    root = DATA / "0.125.0"
    plain = read_tree(SOURCE, root)
    for candidate in SOURCE.iter_candidates(root):
        path = tmp_path / f"{candidate.relative}.zst"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(zstd.compress(candidate.path.read_bytes()))
    seen = 0
    for candidate in SOURCE.iter_candidates(tmp_path):
        lines = zstd.decompress(candidate.path.read_bytes()).splitlines()
        context = SOURCE.file_context(candidate.relative, lines[0])
        records: dict[str, Record] = {}
        for line in lines:
            record = SOURCE.parse(line, context, ids.digest(line))
            assert isinstance(record, Record)
            records.setdefault(record.record_id, record)
        assert list(records.values()) == plain[context.transcript]
        seen += 1
    assert seen == len(plain)
