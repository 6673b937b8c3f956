"""Killed, or with a failing disk, at any write: what was published stays readable, and the next sync ends where it would have anyway."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.ingest import world as w
from tests.ingest.canonical import dump

from lith.errors import MapNeedsSync, NoMap
from lith.store.map import schema

SESSION = "11111111-1111-4111-8111-111111111111"
OTHER = "22222222-2222-4222-8222-222222222222"


def build(base: Path) -> w.World:
    """A map with two sessions, and then more to sync: a grown file, a new one, a rewritten one."""
    world = w.World(base, "claude_code")
    world.write(f"-a/{SESSION}.jsonl", b"".join(w.claude_user(n, SESSION, f"prompt number {n}") for n in range(1, 30)))
    world.write(f"-a/{OTHER}.jsonl", b"".join(w.claude_user(n, OTHER, f"other {n}") for n in range(40, 50)))
    world.sync()
    world.append(f"-a/{SESSION}.jsonl", w.claude_assistant(60, SESSION, w.text_block("a late answer")))
    world.write(f"-a/{OTHER}.jsonl", b"".join(w.claude_user(n, OTHER, f"rewritten {n}") for n in range(40, 46)))
    world.write(f"-b/{w.record_uuid(7)}.jsonl", w.claude_user(70, w.record_uuid(7), "a new session"))
    return world


def faulty_sync(base: Path, data: Path, mode: str, at: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.ingest.faults", str(base), str(data), "claude_code", mode, str(at)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2], timeout=120)


@pytest.mark.parametrize("mode", ["kill", "full", "io"])
def test_a_fault_at_any_write_of_a_sync_loses_nothing(tmp_path: Path, mode: str) -> None:
    world = build(tmp_path / "world")
    before = dump(world.map)
    expected_data = shutil.copytree(world.data, tmp_path / "expected")
    world.sync(expected_data)
    expected = dump(expected_data / "map.sqlite")
    clean = shutil.copytree(world.data, tmp_path / "clean")
    writes = int(faulty_sync(world.base, clean, mode, 0).stdout)
    assert writes > 20
    for at in sorted({1, 2, 3, *range(4, writes + 1, 1 + writes // 14), writes - 1, writes}):
        data = shutil.copytree(world.data, tmp_path / f"{mode}-{at}")
        result = faulty_sync(world.base, data, mode, at)
        assert result.returncode == (-9 if mode == "kill" else 3), (at, result)
        assert "Traceback" not in result.stderr, (at, result.stderr)
        try:
            seen = dump(data / "map.sqlite")
        except MapNeedsSync:
            pass  # the journal of the unfinished write is still there, and the next sync rolls it back
        else:
            assert seen in (before, expected), at
        world.sync(data)
        assert dump(data / "map.sqlite") == expected, at


def test_a_kill_while_the_first_map_is_made_leaves_no_map_behind(tmp_path: Path) -> None:
    world = w.World(tmp_path, "claude_code")
    world.write(f"-a/{SESSION}.jsonl", w.claude_user(1, SESSION, "hello there"))
    assert faulty_sync(tmp_path, world.data, "kill", 5).returncode == -9
    with pytest.raises(NoMap):
        schema.open_for_reading(world.map)
    world.sync()
    assert len(dump(world.map)["sessions"]) == 1
