"""Bit rot, lost files and misplaced ones: what verify finds, what still comes back, and what never does."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.archive.conftest import NOW, SESSION, line, plain

from lith.archive import (
    ArchiveDamaged,
    ArchiveItem,
    ArchiveRefused,
    FileKey,
    NotArchived,
    RunReport,
    find_generations,
    get_generation,
    read_range,
    restore_session,
    restore_to,
    run,
    verify,
)

Run = Callable[..., RunReport]


@pytest.fixture
def grown(live: Path, archive: Run) -> Path:
    """A live file of several frames in two segments."""
    live.write_bytes(b"".join(line(number, 3000) for number in range(2000)))
    archive()
    with live.open("ab") as file:
        file.writelines(line(number, 3000) for number in range(2000, 2100))
    archive()
    return live


def flip(path: Path, at: int) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        byte = file.read(1)
        file.seek(at)
        file.write(bytes([byte[0] ^ 0x10]))


def test_a_sound_archive_is_said_to_be(root: Path, grown: Path) -> None:
    report = verify(root, deep=True)
    assert report.sound
    assert (report.files, report.generations, report.segments) == (1, 1, 2)
    assert report.length == grown.stat().st_size


@pytest.mark.parametrize("share", [0.0001, 0.2, 0.5, 0.75])
def test_a_flipped_bit_names_the_bytes_it_hits(root: Path, grown: Path, item: ArchiveItem, tmp_path: Path, share: float) -> None:
    segment = get_generation(root, item.key).segments[0]
    flip(segment.file, max(8, int(segment.size * share)))
    assert verify(root).sound
    report = verify(root, deep=True)
    assert not report.sound
    (damage,) = [one for one in report.damage if one.reason == "frame"]
    assert damage.start is not None
    assert damage.end is not None
    generation = get_generation(root, item.key)
    with pytest.raises(ArchiveDamaged):
        restore_to(generation, tmp_path / "back")
    assert list(tmp_path.glob("*back*")) == []
    data = grown.read_bytes()
    for start, end in ((0, damage.start), (damage.end, generation.length)):
        assert read_range(generation, start, end - start) == data[start:end]


def test_every_byte_of_the_end_of_a_segment_matters(root: Path, grown: Path, item: ArchiveItem) -> None:
    segment = get_generation(root, item.key).segments[-1]
    data = segment.file.read_bytes()
    start = segment.frames[-1][0] + segment.frames[-1][1]
    for at in range(start, len(data), 5):
        segment.file.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        assert not verify(root).sound, f"byte {at - start} of {len(data) - start}"
    segment.file.write_bytes(data)
    assert verify(root, deep=True).sound


def test_a_torn_end_leaves_its_frames_readable(root: Path, grown: Path, item: ArchiveItem, archive: Run, tmp_path: Path) -> None:
    segment = get_generation(root, item.key).segments[0]
    data = segment.file.read_bytes()
    segment.file.write_bytes(data[:-40])
    generation = get_generation(root, item.key)
    assert generation.problems
    assert read_range(generation, 0, generation.length) == grown.read_bytes()
    assert not verify(root).sound
    with pytest.raises(ArchiveDamaged):
        restore_to(generation, tmp_path / "back")
    assert not restore_to(generation, tmp_path / "back", salvage=True).verified
    assert (tmp_path / "back").read_bytes() == grown.read_bytes()
    archive(full=True)
    assert plain(find_generations(root, item.key)[-1].folder) == grown.read_bytes(), "a doubtful generation is not built upon"


def test_a_lost_segment_is_a_gap(root: Path, grown: Path, item: ArchiveItem) -> None:
    get_generation(root, item.key).segments[0].file.unlink()
    report = verify(root)
    assert [one.reason for one in report.damage if one.reason == "structure"] == ["structure"]
    assert "no bytes from 0" in report.damage[0].detail


def test_a_segment_of_another_session_is_not_taken_for_this_one(
    root: Path, grown: Path, item: ArchiveItem, tmp_path: Path
) -> None:
    other = tmp_path / "other.jsonl"
    other.write_bytes(b"other\n")
    run(root, [ArchiveItem("claude_code", "other", "other.jsonl", other)], clock=lambda: NOW)
    foreign = get_generation(root, FileKey("claude_code", "other", "other.jsonl")).segments[0].file
    mine = get_generation(root, item.key)
    (mine.folder / "000009.zst").write_bytes(foreign.read_bytes())
    assert not verify(root).sound
    assert get_generation(root, item.key).length == mine.length


def test_leftovers_of_a_death_are_told_and_harmless(root: Path, grown: Path, item: ArchiveItem) -> None:
    generation = get_generation(root, item.key)
    (generation.folder / ".000003.zst.abc.tmp").write_bytes(b"half")
    report = verify(root, deep=True)
    assert report.sound
    assert [Path(path).name for path in report.leftovers] == [".000003.zst.abc.tmp"]


def test_a_session_of_several_files_is_restored_as_a_folder(root: Path, tmp_path: Path) -> None:
    files = {
        f"-p/{SESSION}.jsonl": (SESSION, b"main\n"),
        f"-p/{SESSION}/subagents/agent-a1.jsonl": (f"{SESSION}/a1", b"agent\n"),
        f"-p/{SESSION}/subagents/agent-a1.meta.json": (SESSION, b"{}"),
        f"-p/{SESSION}/tool-results/x.txt": (SESSION, b"\x00\xff spilled"),
        "../../outside.jsonl": (SESSION, b"hostile\n"),
    }
    items = []
    for number, (relative, (session, data)) in enumerate(files.items()):
        path = tmp_path / f"{number}.live"
        path.write_bytes(data)
        items.append(ArchiveItem("claude_code", session, relative, path))
    run(root, items, clock=lambda: NOW)
    for one in items:
        one.absolute.unlink()
    restored = restore_session(root, "claude_code", SESSION, tmp_path / "back")
    assert len(restored) == len(files)
    found = {
        path.relative_to(tmp_path / "back").as_posix(): path.read_bytes()
        for path in (tmp_path / "back").rglob("*")
        if path.is_file()
    }
    assert {name: data for name, (_, data) in files.items() if ".." not in name}.items() <= found.items()
    assert sorted(found.values()) == sorted(data for _, data in files.values())
    with pytest.raises(ArchiveRefused):
        restore_session(root, "claude_code", SESSION, tmp_path / "back")
    with pytest.raises(NotArchived):
        restore_session(root, "claude_code", "nobody", tmp_path / "nothing")


def test_a_target_that_is_taken_is_left_alone(root: Path, grown: Path, item: ArchiveItem, tmp_path: Path) -> None:
    target = tmp_path / "taken"
    target.write_bytes(b"mine")
    link = tmp_path / "link"
    link.symlink_to(target)
    generation = get_generation(root, item.key)
    for path in (target, link, tmp_path):
        with pytest.raises(ArchiveRefused):
            restore_to(generation, path)
    with pytest.raises(ArchiveRefused):
        restore_to(generation, link, overwrite=True)
    assert target.read_bytes() == b"mine"
    restore_to(generation, target, overwrite=True)
    assert target.read_bytes() == grown.read_bytes()


def test_unknown_generations_are_named(root: Path, grown: Path, item: ArchiveItem) -> None:
    with pytest.raises(NotArchived) as caught:
        get_generation(root, item.key, 7)
    assert caught.value.hint == "generations there: 1"
