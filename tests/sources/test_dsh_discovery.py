"""dsh: which files are looked at, and which are transcripts."""

from pathlib import Path

from lith.sources.dsh import SOURCE

FOLDER = "--home-dev-shop--/session-7d50"


def make(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"{}\n")


def listed(root: Path) -> dict[str, str | None]:
    return {candidate.relative: candidate.skip for candidate in SOURCE.iter_candidates(root)}


def test_the_clients_variable_names_the_home(home: Path, tmp_path: Path) -> None:
    assert list(SOURCE.default_roots(home, {})) == [home / ".dsh" / "sessions"]
    assert list(SOURCE.default_roots(home, {"DSH_HOME": " "})) == [home / ".dsh" / "sessions"]
    assert list(SOURCE.default_roots(home, {"DSH_HOME": f" {tmp_path} "})) == [tmp_path / "sessions"]
    assert list(SOURCE.default_roots(home, {"DSH_HOME": "~/d"})) == [home / "d" / "sessions"]


def test_of_the_clients_home_only_the_sessions_are_walked(tmp_path: Path) -> None:
    make(tmp_path, f"sessions/{FOLDER}/session.jsonl.zstd", "settings.yaml", "storages/session-x.jsonl")
    assert listed(tmp_path) == {f"sessions/{FOLDER}/session.jsonl.zstd": None}
    assert listed(tmp_path / "sessions") == {f"{FOLDER}/session.jsonl.zstd": None}


def test_a_home_without_sessions_is_not_walked(tmp_path: Path) -> None:
    make(tmp_path, "settings.yaml", "storages/session-x.jsonl")
    assert listed(tmp_path) == {}


def test_other_files_are_listed_with_a_reason(tmp_path: Path) -> None:
    logs = ("session.jsonl", "session.jsonl.zst", "session.jsonl.zstd", "session.v3.jsonl.zstd", "session.v4.jsonl.zstd")
    others = ("session.lock", "other.jsonl", ".session.jsonl", "session.jsonl~", "session.jsonl.tmp")
    make(tmp_path, *(f"{FOLDER}/{name}" for name in (*logs, *others)))
    expected: dict[str, str | None] = {f"{FOLDER}/{name}": None for name in logs}
    assert listed(tmp_path) == expected | {f"{FOLDER}/{name}": "not_a_transcript" for name in others}
