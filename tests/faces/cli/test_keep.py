"""`archive`, `restore`, `prune`, `diff`, `sync --archive`: what a person types, on recorded sessions in a home of its own."""

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.command_line import CommandLine
from tests.keep.transcripts import EVERYTHING, SESSION

from lith.archive import iter_generations, load_generation, open_generation
from lith.kernel.ids import unpack
from lith.store.map import schema

RECORDED = Path(__file__).parents[2] / "data"
FOLDER = "-home-dev-x"
REF = f"claude_code:{SESSION}"
HOURS = 5 * 3600


@pytest.fixture
def projects(home: Path) -> Path:
    return home / ".claude" / "projects"


@pytest.fixture
def live(projects: Path) -> Path:
    """A session with everything in it, that nobody uses."""
    path = projects / FOLDER / f"{SESSION}.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(EVERYTHING)
    path.chmod(0o600)
    rest(path)
    return path


def rest(path: Path) -> None:
    """Date a file some hours back."""
    at = path.stat().st_mtime - HOURS
    os.utime(path, (at, at))


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def record_ids(data_dir: Path) -> list[str]:
    connection = schema.open_for_reading(data_dir / "map.sqlite")
    try:
        return [unpack(row[0]) for row in connection.execute("SELECT record_id FROM records ORDER BY record_id")]
    finally:
        connection.close()


def answers(lith: CommandLine, data_dir: Path) -> dict[str, object]:
    """What `block` says of every record, `thread` of every session, and `read` and `find`."""
    said: dict[str, object] = {f"block {one}": lith("block", f"rec:{one}").stdout for one in record_ids(data_dir)}
    sessions = [item["session_ref"] for item in lith("list", "-n", "100", "--json").json["items"]]
    for ref in sessions:
        said[f"read {ref}"] = lith("read", ref, "--json").json["messages"]
        said[f"thread {ref}"] = lith("thread", f"{ref}#1").stdout
    hits = lith("find", "output", "--json").json["results"]
    said["find"] = [{name: value for name, value in hit.items() if name != "source_state"} for hit in hits]
    return said


@pytest.mark.parametrize("client", ["claude_code", "codex", "gemini", "pi", "dsh"])
def test_every_recorded_file_comes_back_byte_for_byte(lith: CommandLine, home: Path, data_dir: Path, client: str) -> None:
    root = home / "sessions"
    shutil.copytree(RECORDED / client, root)
    where = ("--root", f"{client}={root}")
    outcome = lith("archive", "run", *where, "--source", client, "--json")
    assert outcome.status == 0, outcome.notes
    assert outcome.json["files"] == outcome.json["new"] > 0
    held = list(iter_generations(data_dir / "archive"))
    files = {path.relative_to(root).as_posix(): path for path in root.rglob("*") if path.is_file()}
    assert {one.key.path for one in held} <= set(files)
    assert {name for name in files if ".jsonl" in name} <= {one.key.path for one in held}
    digests = {name: sha256(path) for name, path in files.items()}
    shutil.rmtree(root)
    for ref in sorted({f"{one.key.source}:{one.key.main_session}" for one in held}):
        (home / "back").mkdir(exist_ok=True)
        target = home / "back" / ref.replace(":", "-").replace("/", "-")
        outcome = lith("restore", ref, "-o", str(target), "--json")
        assert outcome.status == 0, outcome.stdout
        for item in outcome.json["items"]:
            assert sha256(Path(item["path"])) == digests[item["source_path"]] == item["sha256"]
    if shutil.which("zstd"):
        for one in held:
            segments = sorted(one.folder.glob("*.zst"))
            plain = subprocess.run(["zstd", "-dc", *segments], capture_output=True, check=True).stdout
            assert hashlib.sha256(plain).hexdigest() == digests[one.key.path]


def test_everything_is_answered_as_before_when_the_files_are_gone(lith: CommandLine, projects: Path, data_dir: Path) -> None:
    shutil.copytree(RECORDED / "claude_code" / "2.1.332" / "projects", projects)
    assert lith("sync", "--archive", "-q").status == 0
    before = answers(lith, data_dir)
    shutil.rmtree(projects)
    projects.mkdir()
    assert lith("sync", "-q").status == 0
    assert answers(lith, data_dir) == before
    assert lith("status", "--json").json["gone_sessions"] == 0
    assert {item["source_state"] for item in lith("list", "--json").json["items"]} == {"archived"}
    (data_dir / "map.sqlite").unlink()
    assert lith("sync", "-q").status == 0, "the archive alone makes the map again"
    assert answers(lith, data_dir) == before


def test_a_pruned_session_answers_as_before_and_comes_back(lith: CommandLine, live: Path, data_dir: Path) -> None:
    lith("sync", "-q")
    before, original = answers(lith, data_dir), live.read_bytes()
    plan = lith("prune", REF, "--json").json
    assert plan["bytes_after"] < plan["bytes_before"]
    assert not plan["applied"]
    assert live.read_bytes() == original
    assert not (data_dir / "archive").exists(), "a plan writes nothing"
    done = lith(*plan["next"][0][1:], "--json").json
    assert done["applied"]
    assert live.stat().st_size == done["bytes_after"] == plan["bytes_after"]
    assert answers(lith, data_dir) == before
    pruned = live.read_bytes()
    rest(live)
    again = lith("prune", REF, "--apply", "--json").json
    assert again["removed"] == again["shortened"] == 0
    assert live.read_bytes() == pruned
    tail = b'{"type":"mode","mode":"normal","sessionId":"%s"}\n' % SESSION.encode()
    with live.open("ab") as file:
        file.write(tail)
    rest(live)
    assert lith("restore", REF, "--undo").status == 0
    assert live.read_bytes() == pruned + tail
    undone = lith("restore", REF, "--undo", "--apply", "--json").json
    assert undone["tail"] == len(tail)
    assert live.read_bytes() == original + tail
    assert lith("archive", "verify", "--deep").status == 0


def test_a_live_session_is_refused(lith: CommandLine, live: Path) -> None:
    lith("sync", "-q")
    os.utime(live)
    error = lith("prune", REF, "--apply", "--json").error
    assert error["code"] == "session_live"
    assert error["hint"]
    assert error["next"]
    assert live.read_bytes() == EVERYTHING


def test_the_quiet_period_is_a_setting(lith: CommandLine, live: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lith("sync", "-q")
    monkeypatch.setenv("LITH_ARCHIVE_QUIET_PERIOD", "1d")
    assert lith("prune", REF, "--apply", "--json").error["code"] == "session_live"
    monkeypatch.setenv("LITH_ARCHIVE_QUIET_PERIOD", "soon")
    assert lith("prune", REF, "--apply", "--json").error["code"] == "bad_config"
    assert live.read_bytes() == EVERYTHING


def test_every_sync_archives_where_that_is_set(
    lith: CommandLine, live: Path, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lith("sync", "-q")
    assert not (data_dir / "archive").exists()
    monkeypatch.setenv("LITH_ARCHIVE_AUTO", "true")
    assert lith("sync", "--json").json["archive"]["new"] == 1
    assert lith("sync", "--json").json["archive"]["unchanged"] == 1
    live.write_bytes(b"")
    assert lith("sync", "--json").json["archive"]["rewritten"] == 1


def test_rules_are_switched_by_name(lith: CommandLine, live: Path) -> None:
    lith("sync", "-q")
    every = lith("prune", REF, "--json").json
    some = lith("prune", str(live), "--rule", "outputs=off", "--json").json
    assert {one["name"] for one in every["rules"]} - {one["name"] for one in some["rules"]} == {"outputs"}
    for wrong in ("nothing=on", "outputs", "outputs=maybe"):
        assert lith("prune", REF, "--rule", wrong, "--json").error["code"] == "usage"


def test_a_handoff_changes_nothing(lith: CommandLine, live: Path) -> None:
    lith("sync", "-q")
    outcome = lith("prune", REF, "--mode", "handoff")
    assert outcome.text.startswith("# Handoff")
    assert REF in outcome.text
    assert live.read_bytes() == EVERYTHING
    assert lith("prune", REF, "--mode", "handoff", "--apply").status == 2


def test_diff_says_what_a_prune_cost(lith: CommandLine, live: Path) -> None:
    lith("archive", "run")
    error = lith("diff", REF, "--json").error
    assert error["code"] == "not_archived"
    lith("sync", "-q")
    plan = lith("prune", REF, "--apply", "--json").json
    lith("archive", "run")
    found = lith("diff", REF, "--json").json
    assert found["removed"] == plan["removed"]
    assert found["bytes_before"] - found["bytes_after"] == plan["bytes_before"] - plan["bytes_after"]
    assert lith("diff", REF, "--generation", "1", "2", "--json").json["items"] == found["items"]
    back = lith("diff", REF, "--generation", "2", "1", "--json").json
    assert back["added"] == found["removed"]
    assert lith("diff", REF, "--generation", "1", "--json").error["code"] == "usage"
    assert lith("diff", REF, "--generation", "1", "7", "--json").error["code"] == "not_archived"
    assert "removed" in lith("diff", REF).text


def test_gc_removes_what_an_undo_left_behind(lith: CommandLine, live: Path, data_dir: Path) -> None:
    lith("sync", "-q")
    lith("prune", REF, "--apply")
    rest(live)
    lith("restore", REF, "--undo", "--apply")
    before = answers(lith, data_dir)
    plan = lith("archive", "gc", "--json").json
    assert plan["total"] == 1
    assert len(list(iter_generations(data_dir / "archive"))) == 2, "a plan removes nothing"
    assert lith(*plan["next"][0][1:], "--json").json["total"] == 1
    assert len(list(iter_generations(data_dir / "archive"))) == 1
    assert answers(lith, data_dir) == before
    assert lith("archive", "verify", "--deep").status == 0


def test_verify_names_the_records_that_damage_hits(lith: CommandLine, live: Path, data_dir: Path) -> None:
    lith("sync", "--archive", "-q")
    (segment,) = (data_dir / "archive").rglob("0*.zst")
    data = bytearray(segment.read_bytes())
    data[50] ^= 0xFF
    segment.write_bytes(data)
    assert lith("archive", "verify").status == 0, "the facts are whole"
    outcome = lith("archive", "verify", "--deep", "--json")
    assert outcome.status == 1
    (doubt,) = outcome.json["doubts"]
    assert doubt["reason"] == "frame"
    assert doubt["records"]
    assert doubt["lost"] == [], "the live file holds them"
    live.unlink()
    (doubt,) = lith("archive", "verify", "--deep", "--json").json["doubts"]
    assert doubt["lost"] == doubt["records"]
    assert "held nowhere else" in lith("archive", "verify", "--deep").text


def test_verify_tells_what_the_map_lacks(lith: CommandLine, live: Path, data_dir: Path) -> None:
    lith("sync", "--archive", "-q")
    shutil.copytree(data_dir / "archive", data_dir / "kept")
    with live.open("ab") as file:
        file.write(b'{"type":"mode","mode":"plan","sessionId":"%s"}\n' % SESSION.encode())
    lith("archive", "run")
    assert lith("archive", "verify").status == 0
    shutil.rmtree(data_dir / "archive")
    (data_dir / "kept").rename(data_dir / "archive")
    outcome = lith("archive", "verify", "--json")
    assert outcome.status == 1
    assert [doubt["reason"] for doubt in outcome.json["doubts"]] == ["unindexed"]
    assert lith(*outcome.json["next"][0][1:]).status == 0
    assert lith("archive", "verify").status == 0


def test_backups_of_other_tools_become_states_of_their_session(lith: CommandLine, live: Path, home: Path, data_dir: Path) -> None:
    lines = EVERYTHING.splitlines(keepends=True)
    folder = home / "backups"
    folder.mkdir()
    (folder / "v0-raw.jsonl").write_bytes(b"".join(lines[:-2]))
    (folder / "v1-pruned.jsonl").write_bytes(b"".join(lines[2:]))
    (folder / "notes.jsonl").write_bytes(b"[]\n")
    lith("sync", "-q")
    result = lith("archive", "import", str(folder), "--json").json
    assert [item["session_ref"] for item in result["items"]] == [REF, REF]
    assert [one["reason"] for one in result["skipped"]] == ["not_a_transcript"]
    assert lith("archive", "import", str(folder), "--json").json["total"] == 0
    assert lith("archive", "list", REF, "--json").json["total"] == 2
    assert lith("archive", "import", str(folder / "none"), "--json").error["code"] == "usage"


def test_restore_writes_over_a_file_only_when_told_to(lith: CommandLine, live: Path, tmp_path: Path) -> None:
    lith("archive", "run")
    target = tmp_path / "there.jsonl"
    target.write_text("mine")
    plan = lith("restore", REF, "-o", str(target), "--json").json
    assert plan["applied"] is False
    assert target.read_text() == "mine"
    assert lith(*plan["next"][0][1:]).status == 0
    assert target.read_bytes() == EVERYTHING
    assert lith("restore", REF, "--json").error["code"] == "usage"
    assert lith("restore", REF, "--undo", "--json").error["code"] == "undo_refused"
    assert lith("restore", REF, "--generation", "9", "-o", str(tmp_path / "no"), "--json").error["code"] == "not_archived"


def test_list_says_what_is_held(lith: CommandLine, live: Path, data_dir: Path) -> None:
    assert lith("archive", "list").text == "the archive is empty\n"
    lith("archive", "run")
    (item,) = lith("archive", "list", "--json").json["items"]
    assert (item["session_ref"], item["length"]) == (REF, len(EVERYTHING))
    (state,) = lith("archive", "list", SESSION[:8], "--json").json["items"]
    assert state["sha256"] == sha256(live)
    assert REF in lith("archive", "list").text
    (path,) = {one.folder.relative_to(data_dir / "archive").as_posix() for one in iter_generations(data_dir / "archive")}
    with open_generation(load_generation(data_dir / "archive", path)) as reader:
        assert reader.read() == EVERYTHING


def test_a_run_since_a_moment_leaves_older_files_out(lith: CommandLine, live: Path) -> None:
    assert lith("archive", "run", "--since", "1h", "--json").json["files"] == 0
    assert lith("archive", "run", "--since", "2d", "--json").json["files"] == 1
    assert lith("archive", "run", "--since", "soonish", "--json").error["code"] == "bad_selector"


def test_a_fork_is_never_taken_for_the_session_that_it_left(lith: CommandLine, home: Path) -> None:
    projects = shutil.copytree(
        Path(__file__).parents[2] / "data" / "claude_code" / "2.1.50" / "projects", home / ".claude" / "projects"
    )
    for path in projects.rglob("*.jsonl"):
        os.utime(path, (1_700_000_000, 1_700_000_000))
    assert lith("sync", "--quiet").status == 0
    plan = lith("prune", "4268d052", "--json")
    assert plan.status == 0, plan
    assert b"4cd4fdd8" not in plan.stdout
    for path in projects.rglob("4268d052*.jsonl"):
        path.unlink()
    gone = lith("prune", "4268d052", "--json")
    assert gone.status == 1
    assert b"4cd4fdd8" not in gone.stdout


def test_a_root_with_a_typo_is_no_success(lith: CommandLine, home: Path) -> None:
    assert lith("sync", "--root", f"claude_code={home}/nowhere", "--json").status == 1
