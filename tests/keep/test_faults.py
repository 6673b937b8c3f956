"""Whatever fails, and wherever the process dies: the live file has its old bytes or the whole new ones, and the next try succeeds."""

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.archive.faults import FaultyDisk
from tests.keep.faults import act
from tests.keep.transcripts import EVERYTHING
from tests.keep.world import KEY, age

from lith.archive import find_generations, open_generation, verify
from lith.errors import LithError


def prepare(base: Path, what: str) -> tuple[Path, bytes]:
    """A live file to act on; for an undo one that was pruned."""
    made = base.parent / "made"
    live = made / "projects" / KEY.path
    if not made.exists():
        live.parent.mkdir(parents=True)
        live.write_bytes(EVERYTHING)
        age(live)
        if what == "undo":
            act(made, "prune", FaultyDisk("", 0))
            age(live)
    shutil.copytree(made, base)
    return base / "projects" / KEY.path, live.read_bytes()


def check_archive(base: Path) -> None:
    """The archive is sound, and holds the original wherever the live file may have lost it."""
    archive = base / "archive"
    assert verify(archive, deep=True).sound
    live = (base / "projects" / KEY.path).read_bytes()
    held = []
    for generation in find_generations(archive, KEY):
        with open_generation(generation) as reader:
            held.append(reader.read())
    assert live == EVERYTHING or EVERYTHING in held


def others(live: Path) -> list[str]:
    return [path.name for path in live.parent.iterdir() if path != live]


@pytest.mark.parametrize("what", ["prune", "undo"])
@pytest.mark.parametrize("mode", ["ENOSPC", "EIO", "once"])
def test_a_disk_that_fails_at_any_step(tmp_path: Path, what: str, mode: str) -> None:
    prepare(tmp_path / "count", what)
    counting = FaultyDisk(mode, 0)
    act(tmp_path / "count", what, counting)
    goal = (tmp_path / "count" / "projects" / KEY.path).read_bytes()
    assert {"create", "write", "chmod", "fsync", "link", "rename", "syncdir"} <= set(counting.actions)
    for at in range(1, counting.steps + 1):
        base = tmp_path / f"at{at}"
        live, before = prepare(base, what)
        with pytest.raises(LithError) as caught:
            act(base, what, FaultyDisk(mode, at))
        assert caught.value.code == "storage"
        assert live.read_bytes() == before, f"{at}: {counting.actions[at - 1]}"
        assert others(live) == [], f"{at}: {counting.actions[at - 1]}"
        check_archive(base)
        age(live)
        act(base, what, FaultyDisk("", 0))
        assert live.read_bytes() == goal


@pytest.mark.parametrize("what", ["prune", "undo"])
def test_death_at_any_step(tmp_path: Path, what: str) -> None:
    prepare(tmp_path / "count", what)
    counting = FaultyDisk("", 0)
    act(tmp_path / "count", what, counting)
    goal = (tmp_path / "count" / "projects" / KEY.path).read_bytes()
    whole = 0
    for at in range(1, counting.steps + 1):
        base = tmp_path / f"at{at}"
        live, before = prepare(base, what)
        done = subprocess.run(
            [sys.executable, "-m", "tests.keep.faults", str(base), what, "kill", str(at)],
            capture_output=True,
            check=False,
            cwd=Path(__file__).parents[2],
        )
        assert done.returncode == -signal.SIGKILL, (done.stdout, done.stderr)
        after = live.read_bytes()
        assert after in {before, goal}
        whole += after == goal
        check_archive(base)
        age(live)
        if after == before:
            act(base, what, FaultyDisk("", 0))
            assert live.read_bytes() == goal
        else:
            act(base, "undo" if what == "prune" else "prune", FaultyDisk("", 0))
            assert live.read_bytes() == before
        assert others(live) == []
    assert whole >= 1, "dying after the rename leaves the new file"
