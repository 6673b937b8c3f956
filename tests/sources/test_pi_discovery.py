"""Pi: which files are looked at, and which are transcripts."""

from pathlib import Path

import pytest

from lith.sources.pi import SOURCE

NAME = "2026-02-01T09-00-00-000Z_019c1000-0000-7000-8000-000000000003.jsonl"


def make(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"{}\n")


def listed(root: Path) -> dict[str, str | None]:
    return {candidate.relative: candidate.skip for candidate in SOURCE.iter_candidates(root)}


def test_the_clients_variables_name_the_roots(home: Path, tmp_path: Path) -> None:
    usual = home / ".pi" / "agent" / "sessions"
    assert list(SOURCE.default_roots(home, {})) == [usual]
    assert list(SOURCE.default_roots(home, {"PI_CODING_AGENT_DIR": " "})) == [usual]
    assert list(SOURCE.default_roots(home, {"PI_CODING_AGENT_DIR": str(tmp_path)})) == [tmp_path / "sessions"]
    assert list(SOURCE.default_roots(home, {"PI_CODING_AGENT_DIR": "~/x"})) == [home / "x" / "sessions"]
    assert list(SOURCE.default_roots(home, {"PI_CODING_AGENT_SESSION_DIR": str(tmp_path)})) == [tmp_path, usual]
    assert list(SOURCE.default_roots(home, {"PI_CODING_AGENT_SESSION_DIR": str(usual)})) == [usual]


@pytest.mark.parametrize("prefix", ["sessions/", "agent/sessions/"])
def test_of_the_clients_folder_only_the_sessions_are_walked(tmp_path: Path, prefix: str) -> None:
    make(tmp_path, f"{prefix}--a--/{NAME}", "auth.json", "agent/auth.json", "extensions/log.jsonl")
    assert listed(tmp_path) == {f"{prefix}--a--/{NAME}": None}
    assert listed(tmp_path / prefix) == {f"--a--/{NAME}": None}
    assert listed(tmp_path / prefix / "--a--") == {NAME: None}


def test_a_folder_of_the_client_without_sessions_is_not_walked(tmp_path: Path) -> None:
    make(tmp_path, "auth.json", "log.jsonl")
    assert listed(tmp_path) == {}


def test_other_files_are_listed_with_a_reason(tmp_path: Path) -> None:
    make(tmp_path, f"--a--/{NAME}", f"--a--/{NAME}.zst", f"--a--/{NAME}.tmp", "--a--/notes.txt", NAME)
    assert listed(tmp_path) == {
        NAME: None,
        f"--a--/{NAME}": None,
        f"--a--/{NAME}.zst": None,
        f"--a--/{NAME}.tmp": "not_a_transcript",
        "--a--/notes.txt": "not_a_transcript",
    }
