"""What the map knows against what is there."""

import os
from pathlib import Path

import pytest

from lith.ops.runtime import Runtime
from lith.ops.status import StatusRequest, StatusResult, status
from lith.ops.sync import SyncRequest, sync

LINE = (
    '{"type":"user","message":{"role":"user","content":"the tide tables were wrong"},"uuid":"0b7a4c9e-1111-4222-8333-44445555666%d",'
    '"timestamp":"2026-03-01T10:00:00.000Z","cwd":"/work","sessionId":"9d3cf7a2-aaaa-4bbb-8ccc-ddddeeeeffff"}\n'
)


@pytest.fixture
def session(home: Path) -> Path:
    folder = home / ".claude" / "projects" / "-work"
    folder.mkdir(parents=True)
    path = folder / "9d3cf7a2-aaaa-4bbb-8ccc-ddddeeeeffff.jsonl"
    path.write_text(LINE % 1)
    return path


def look(runtime: Runtime) -> StatusResult:
    runtime.close()
    return status(StatusRequest(), runtime)


def root_state(result: StatusResult) -> tuple[str, str | None]:
    root = next(root for root in result.roots if root.root.endswith("/.claude/projects"))
    return root.state, root.reason


def test_nothing_anywhere(outer: Runtime) -> None:
    result = look(outer)
    assert result.state == "absent"
    assert {root.state for root in result.roots} == {"absent"}
    assert result.next[0][:2] == ["lith", "demo"]
    assert not outer.data_dir.exists()


@pytest.mark.usefixtures("session")
def test_sessions_that_were_never_synced(outer: Runtime) -> None:
    result = look(outer)
    assert result.state == "missing"
    assert root_state(result) == ("missing", "never synced")
    assert result.next == [["lith", "sync", "--data-dir", str(outer.data_dir)]]
    assert not outer.data_dir.exists()


def test_from_fresh_to_stale_and_back(outer: Runtime, session: Path) -> None:
    sync(SyncRequest(), outer)
    result = look(outer)
    assert (result.state, result.next) == ("fresh", [])
    assert root_state(result) == ("fresh", None)
    assert result.last_sync is not None
    assert result.projection == "calls"

    with session.open("a") as file:
        file.write(LINE % 2)
    (session.parent / "4b7a4c9e-1111-4222-8333-444455556666.jsonl").write_text((LINE % 3).replace("9d3cf7a2", "4b7a4c9e"))
    result = look(outer)
    assert result.state == "stale"
    assert root_state(result) == ("stale", "1 new and 1 changed since the last sync")
    assert result.next == [outer.argv("sync")]

    sync(SyncRequest(), outer)
    assert look(outer).state == "fresh"


def test_a_vanished_file_is_stale_and_then_a_gone_session(outer: Runtime, session: Path) -> None:
    sync(SyncRequest(), outer)
    session.unlink()
    assert root_state(look(outer)) == ("stale", "1 vanished since the last sync")
    sync(SyncRequest(), outer)
    result = look(outer)
    assert result.gone_sessions == 1
    assert result.state == "fresh"


def test_an_unfinished_line_is_pending(outer: Runtime, session: Path) -> None:
    with session.open("a") as file:
        file.write((LINE % 2)[:40])
    sync(SyncRequest(), outer)
    result = look(outer)
    assert result.pending_files == 1
    assert result.state == "fresh"


def test_what_is_odd_is_counted_and_named(outer: Runtime, session: Path) -> None:
    with session.open("a") as file:
        file.write('{"type":"a-type-of-tomorrow","uuid":"x1"}\nnot json at all\n')
    strange = session.parent / "5b7a4c9e-1111-4222-8333-444455556666.jsonl"
    strange.write_text(
        '{"type":"user","message":{"words":["moved elsewhere"]},"uuid":"u1","sessionId":"5b7a4c9e-1111-4222-8333-444455556666"}\n'
    )
    sync(SyncRequest(), outer)
    result = look(outer)
    assert result.unknown_types == {"a-type-of-tomorrow": 1}
    assert result.damaged_files == 1
    assert result.problems >= 1
    assert {note.path for note in result.notes} >= {f"-work/{session.name}"}
    assert "1 damaged place" in [note.reason for note in result.notes]
    assert result.state == "degraded", "damage, an unknown type and an alarm read as fresh"
    assert len(result.warnings) == 3


def test_a_configured_folder_that_is_missing_was_fresh(home: Path, outer: Runtime, session: Path) -> None:
    variable = {"LITH_SOURCES_ROOTS": f"claude_code={session.parent},claude_code={home}/nowhere"}
    runtime = Runtime(clock=outer.clock, home=home, cwd=home, environment=variable, data_dir=outer.data_dir)
    sync(SyncRequest(), runtime)
    result = look(runtime)
    assert result.state == "degraded"
    assert any(f"{home}/nowhere" in warning for warning in result.warnings)
    assert runtime.argv("config", "show") in result.next


def test_files_that_are_left_aside_were_listed_nowhere(home: Path, outer: Runtime, session: Path, tmp_path: Path) -> None:
    folder = session.parent
    outside = tmp_path / "elsewhere.jsonl"
    outside.write_text(LINE % 5)
    (folder / "1b7a4c9e-1111-4222-8333-444455556666.jsonl").symlink_to(outside)
    os.mkfifo(folder / "2b7a4c9e-1111-4222-8333-444455556666.jsonl")
    (folder / "3b7a4c9e-1111-4222-8333-444455556666.jsonl").mkdir()
    deep = folder / "9d3cf7a2-aaaa-4bbb-8ccc-ddddeeeeffff" / "odd" / "agent-1.jsonl"
    deep.parent.mkdir(parents=True)
    deep.write_text(LINE % 6)
    (folder / "notes.txt").write_text("mine")
    before = look(outer)
    sync(SyncRequest(), outer)
    after = look(outer)
    for result in (before, after):
        assert result.skipped == {"folder": 1, "not_a_transcript": 1, "outside_root": 1, "special_file": 1, "unknown_place": 1}
        named = {note.reason: note.place for note in result.skipped_files}
        assert named["outside_root"] == str(folder / "1b7a4c9e-1111-4222-8333-444455556666.jsonl")
        assert named["unknown_place"] == str(deep)
        assert len(result.skipped_files) == 5
    assert after.state == "fresh"


def test_looking_changes_nothing(outer: Runtime, session: Path) -> None:
    sync(SyncRequest(), outer)
    before = {path: path.stat().st_mtime_ns for path in outer.data_dir.rglob("*")}
    session.unlink()
    look(outer)
    assert {path: path.stat().st_mtime_ns for path in outer.data_dir.rglob("*")} == before
