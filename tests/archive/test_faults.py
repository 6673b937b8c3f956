"""Whatever fails, and wherever the process dies: what was archived stays, and the next run makes it whole."""

import errno
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.archive.conftest import NOW, line, plain
from tests.archive.faults import FaultyDisk

from lith.archive import ArchiveItem, find_generations, get_generation, run, verify
from lith.archive.segment import Segment, iter_raw


def prepare(base: Path) -> tuple[Path, ArchiveItem, bytes]:
    """An archive with one generation, and a live file that has grown since, by enough to take its last segment in."""
    base.mkdir()
    live = base / "s.jsonl"
    first = b"".join(line(number) for number in range(30))
    live.write_bytes(first)
    item = ArchiveItem("claude_code", "s", "p/s.jsonl", live)
    run(base / "archive", [item], clock=lambda: NOW)
    with live.open("ab") as file:
        file.writelines(line(number) for number in range(30, 60))
    return base / "archive", item, first


def check(root: Path, item: ArchiveItem, first: bytes) -> None:
    """What was archived is there, nothing that is there is doubtful, and the next run has it all."""
    generations = find_generations(root, item.key)
    assert any(read.startswith(first) for read in (_raw(one.segments) for one in generations))
    assert verify(root, deep=True).sound
    run(root, [item], clock=lambda: NOW)
    assert plain(get_generation(root, item.key).folder) == item.absolute.read_bytes()
    assert verify(root, deep=True).sound


def _raw(segments: object) -> bytes:
    assert isinstance(segments, tuple)
    return b"".join(b"".join(iter_raw(segment)) for segment in segments if isinstance(segment, Segment))


@pytest.mark.parametrize("mode", ["ENOSPC", "EIO", "once"])
def test_a_disk_that_fails_at_any_step(tmp_path: Path, mode: str) -> None:
    counting = FaultyDisk(mode, 0)
    root, item, _ = prepare(tmp_path / "count")
    run(root, [item], clock=lambda: NOW, disk=counting)
    assert {"create", "write", "fsync", "link", "unlink", "syncdir"} <= set(counting.actions)
    for at in range(1, counting.steps + 1):
        root, item, first = prepare(tmp_path / f"at{at}")
        report = run(root, [item], clock=lambda: NOW, disk=FaultyDisk(mode, at))
        assert [problem.reason for problem in report.problems] == ["storage"], counting.actions[at - 1]
        check(root, item, first)


def test_a_disk_without_hard_links_is_fine(tmp_path: Path) -> None:
    class NoLinks(FaultyDisk):
        def link(self, source: Path, target: Path) -> None:
            raise OSError(errno.EPERM, "no links here")

    root, item, first = prepare(tmp_path / "x")
    assert run(root, [item], clock=lambda: NOW, disk=NoLinks("", 0)).problems == []
    check(root, item, first)


@pytest.mark.parametrize("fresh", [True, False])
def test_death_at_any_step(tmp_path: Path, fresh: bool) -> None:
    at = 1
    while True:
        base = tmp_path / f"at{at}"
        root, item, first = prepare(base)
        if fresh:
            root, first = base / "fresh", b""
        done = subprocess.run(
            [sys.executable, "-m", "tests.archive.faults", str(root), str(item.absolute), "kill", str(at)],
            capture_output=True,
            check=False,
            cwd=Path(__file__).parents[2],
        )
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL, done.stderr
        if find_generations(root, item.key) or not fresh:
            check(root, item, first) if find_generations(root, item.key)[0].segments else None
        run(root, [item], clock=lambda: NOW)
        assert plain(get_generation(root, item.key).folder) == item.absolute.read_bytes()
        at += 1
    assert at > 8
