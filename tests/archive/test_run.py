"""Runs: what is stored, what is not stored twice, and what an unchanged file costs."""

import hashlib
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.archive.conftest import NOW, SESSION, line, plain

from lith.archive import ArchiveItem, RunReport, find_generations, get_generation, plan_run, read_range, restore_to, run, verify
from lith.archive.segment import FRAME

Run = Callable[..., RunReport]


def test_a_generation_is_the_file_byte_for_byte(root: Path, live: Path, item: ArchiveItem, archive: Run, tmp_path: Path) -> None:
    report = archive()
    assert (report.new, report.bytes_added, report.problems) == (1, live.stat().st_size, [])
    generation = get_generation(root, item.key)
    assert plain(generation.folder) == live.read_bytes()
    assert generation.whole == hashlib.sha256(live.read_bytes()).hexdigest()
    restored = restore_to(generation, tmp_path / "back.jsonl")
    assert (tmp_path / "back.jsonl").read_bytes() == live.read_bytes()
    assert restored.sha256 == generation.whole


def test_folders_and_files_are_their_owners_alone(root: Path, archive: Run) -> None:
    archive()
    for path in [root, *root.rglob("*")]:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


def test_an_unchanged_file_is_not_opened(root: Path, live: Path, archive: Run) -> None:
    archive()
    live.chmod(0)
    os.utime(live, ns=(1, 1))
    assert archive().problems or os.geteuid() == 0
    live.chmod(0o600)
    archive()
    before = {path: path.stat().st_mtime_ns for path in root.rglob("*.zst")}
    live.rename(live.with_suffix(".away"))
    live.with_suffix(".away").rename(live)
    report = archive()
    assert report.unchanged == 1
    assert {path: path.stat().st_mtime_ns for path in root.rglob("*.zst")} == before


def test_appended_bytes_go_to_the_same_generation(root: Path, live: Path, item: ArchiveItem, archive: Run) -> None:
    states = [live.read_bytes()]
    archive()
    for number in range(10, 60):
        with live.open("ab") as file:
            file.write(line(number)[: 30 if number % 3 else None])
        states.append(live.read_bytes())
        report = archive()
        assert report.appended == 1
        assert report.bytes_added == len(states[-1]) - len(states[-2])
    (generation,) = find_generations(root, item.key)
    assert plain(generation.folder) == states[-1]
    assert len(generation.segments) < 10
    assert verify(root, deep=True).sound


def test_a_rewrite_starts_a_generation_and_the_old_one_stays(root: Path, live: Path, item: ArchiveItem, archive: Run) -> None:
    first = live.read_bytes()
    archive()
    live.write_bytes(first.replace(b'"text":"3', b'"text":"X'))
    assert archive().rewritten == 1
    old, new = find_generations(root, item.key)
    assert (plain(old.folder), plain(new.folder)) == (first, live.read_bytes())


def test_a_state_that_comes_back_is_not_stored_again(root: Path, live: Path, item: ArchiveItem, archive: Run) -> None:
    first = live.read_bytes()
    archive()
    live.write_bytes(first[::-1])
    archive()
    live.write_bytes(first + line(99))
    assert archive().appended == 1
    assert [plain(one.folder) for one in find_generations(root, item.key)] == [first + line(99), first[::-1]]


def test_truncation_to_nothing_is_a_state_too(root: Path, live: Path, item: ArchiveItem, archive: Run) -> None:
    archive()
    live.write_bytes(b"")
    assert archive().rewritten == 1
    assert archive().unchanged == 1
    assert [one.length for one in find_generations(root, item.key)][1] == 0
    assert plain(find_generations(root, item.key)[1].folder) == b""


def test_an_edit_that_also_grew_is_seen_by_a_full_run(root: Path, live: Path, item: ArchiveItem, archive: Run) -> None:
    live.write_bytes(b"".join(line(number, 900) for number in range(400)))
    archive()
    data = bytearray(live.read_bytes())
    data[50_000:50_010] = b"##########"
    with live.open("r+b") as file:
        file.write(data + line(1))
    assert archive(full=True).rewritten == 1
    assert plain(find_generations(root, item.key)[-1].folder) == live.read_bytes()


def test_an_edit_near_the_end_is_seen_by_the_bounded_proof(root: Path, live: Path, item: ArchiveItem, archive: Run) -> None:
    archive()
    data = bytearray(live.read_bytes())
    data[300:304] = b"####"
    with live.open("r+b") as file:
        file.write(data + line(1))
    assert archive().rewritten == 1
    assert plain(find_generations(root, item.key)[-1].folder) == live.read_bytes()


def test_archived_bytes_that_were_deleted_are_archived_again(root: Path, live: Path, item: ArchiveItem, archive: Run) -> None:
    archive()
    for path in root.rglob("*.zst"):
        path.unlink()
    assert plan_run(root, [item]).bytes == live.stat().st_size
    archive()
    assert plain(get_generation(root, item.key).folder) == live.read_bytes()


def test_a_lost_or_broken_catalogue_costs_a_comparison_and_no_bytes(root: Path, archive: Run) -> None:
    archive()
    segments = sorted(root.rglob("*.zst"))
    for content in (None, b"not a database at all, but long enough to be looked at" * 40):
        (root / "catalogue.sqlite").unlink() if content is None else (root / "catalogue.sqlite").write_bytes(content)
        report = archive()
        assert (report.unchanged, report.bytes_written) == (1, 0)
    assert sorted(root.rglob("*.zst")) == segments


def test_hundred_steps_cost_little_more_than_one(tmp_path: Path, root: Path, live: Path, item: ArchiveItem, archive: Run) -> None:
    words = [hashlib.sha256(b"%d" % number).hexdigest() for number in range(3000)]
    rows = [f'{{"n":{n},"text":"{" ".join(words[(n * k) % 3000] for k in range(1, 40))}"}}\n'.encode() for n in range(4000)]
    live.write_bytes(b"")
    for step in range(0, len(rows), 40):
        with live.open("ab") as file:
            file.writelines(rows[step : step + 40])
        archive()
    run(tmp_path / "once", [item], clock=lambda: NOW)
    many, once = (get_generation(place, item.key) for place in (root, tmp_path / "once"))
    assert many.length == once.length == live.stat().st_size > 4 * FRAME
    assert many.stored <= 1.1 * once.stored


@pytest.mark.parametrize(
    ("session", "relative"),
    [
        ("../../../etc", "../../../../etc/passwd"),
        ("..", ".."),
        ("a/../../b", "/abs/olute.jsonl"),
        ("x\0y", "nul\0.jsonl"),
        ("한국어" * 60, "프로젝트/" * 30 + "긴 이름.jsonl"),
        (".hidden", ".jsonl"),
        ("\udcff", "\udcff.jsonl"),
        ("", ""),
    ],
)
def test_hostile_names_stay_inside(root: Path, live: Path, session: str, relative: str) -> None:
    before = set(live.parents[2].rglob("*"))
    report = run(root, [ArchiveItem("claude_code", session, relative, live)], clock=lambda: NOW)
    new = set(live.parents[2].rglob("*")) - before
    assert all(path.is_relative_to(root) or path == root.parent for path in new)
    assert report.problems == []
    (generation,) = find_generations(root, ArchiveItem("claude_code", session, relative, live).key)
    assert plain(generation.folder) == live.read_bytes()


def test_names_that_differ_only_in_case_or_place_have_folders_of_their_own(root: Path, live: Path) -> None:
    paths = ["p/Aa.jsonl", "p/aa.jsonl", "q/aa.jsonl"]
    run(root, [ArchiveItem("claude_code", SESSION, path, live) for path in paths], clock=lambda: NOW)
    folders = {str(path.parent.parent).lower() for path in root.rglob("*.zst")}
    assert len(folders) == 3


def test_symlinks_are_refused_on_both_sides(root: Path, live: Path, item: ArchiveItem, archive: Run, tmp_path: Path) -> None:
    link = tmp_path / "link.jsonl"
    link.symlink_to(live)
    report = run(root, [ArchiveItem("claude_code", SESSION, "link.jsonl", link)], clock=lambda: NOW)
    assert [problem.reason for problem in report.problems] == ["archive_refused"]
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (root / "claude_code").rmdir() if (root / "claude_code").exists() else None
    (root / "claude_code").symlink_to(elsewhere)
    assert [problem.reason for problem in archive().problems] == ["archive_refused"]
    assert list(elsewhere.iterdir()) == []


def test_one_bad_file_stops_no_other(root: Path, live: Path, item: ArchiveItem, tmp_path: Path) -> None:
    fifo = tmp_path / "pipe.jsonl"
    os.mkfifo(fifo)
    gone = ArchiveItem("claude_code", SESSION, "gone.jsonl", tmp_path / "gone.jsonl")
    report = run(root, [gone, ArchiveItem("claude_code", SESSION, "pipe.jsonl", fifo), item], clock=lambda: NOW)
    assert [problem.reason for problem in report.problems] == ["unreachable", "archive_refused"]
    assert report.new == 1


def test_any_record_is_read_without_the_rest(root: Path, live: Path, item: ArchiveItem, archive: Run) -> None:
    rows = [line(number, 2000) for number in range(4000)]
    live.write_bytes(b"".join(rows[:3000]))
    archive()
    with live.open("ab") as file:
        file.writelines(rows[3000:])
    archive()
    generation = get_generation(root, item.key)
    frames = [raw for segment in generation.segments for _, _, raw in segment.frames]
    assert len(frames) >= 3
    assert max(frames) < 2 * FRAME
    for number in (0, 1500, 2999, 3000, 3999):
        start = sum(map(len, rows[:number]))
        assert read_range(generation, start, len(rows[number])) == rows[number]


def test_frames_end_with_lines(root: Path, live: Path, item: ArchiveItem, archive: Run) -> None:
    live.write_bytes(b"".join(line(number, 3000) for number in range(3000)) + b'{"half')
    archive()
    generation = get_generation(root, item.key)
    ends = [0]
    for segment in generation.segments:
        for _, _, raw in segment.frames:
            ends.append(ends[-1] + raw)
    assert len(ends) > 3
    assert all(read_range(generation, end - 1, 1) == b"\n" for end in ends[1:-1])


def test_a_line_of_twenty_megabytes_is_kept(root: Path, live: Path, item: ArchiveItem, archive: Run) -> None:
    live.write_bytes(line(1) + b'{"x":"' + b"abcdefghij" * 2_000_000 + b'"}\n' + line(2))
    archive()
    assert plain(get_generation(root, item.key).folder) == live.read_bytes()


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.sampled_from(["append", "rewrite", "cut", "same"]), st.binary(max_size=300)), max_size=8), st.randoms()
)
def test_every_state_that_was_archived_can_be_restored(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, bytes]], rnd: object
) -> None:
    base = tmp_path_factory.mktemp("states")
    live = base / "a.jsonl"
    live.write_bytes(b"start\n")
    item = ArchiveItem("codex", "s", "a.jsonl", live)
    states = []
    for action, data in [("same", b""), *steps]:
        content = live.read_bytes()
        changed = {"append": content + data, "rewrite": data, "cut": content[: len(content) // 2], "same": content}[action]
        if action == "append":
            with live.open("ab") as file:
                file.write(data)
        else:
            live.write_bytes(changed)
        run(base / "archive", [item], clock=lambda: NOW)
        states.append(live.read_bytes())
    held = [plain(one.folder) for one in find_generations(base / "archive", item.key)]
    assert held[0].startswith(b"start\n") or states[0] == b"start\n"
    for state in states:
        assert any(one.startswith(state) for one in held)
    assert states[-1] in held
    assert verify(base / "archive", deep=True).sound
