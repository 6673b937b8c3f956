"""Backups of other tools: their order, what is skipped, and that they are left as they are."""

import os
from collections.abc import Callable
from pathlib import Path

from tests.archive.conftest import NOW, RELATIVE, SESSION, line, plain

from lith.archive import ArchiveItem, FileKey, RunReport, apply_import, find_generations, plan_import
from lith.archive.restore import newest

Run = Callable[..., RunReport]


def identify(path: Path) -> FileKey | None:
    return FileKey("claude_code", SESSION, RELATIVE) if path.read_bytes().startswith(b"{") else None


def test_versions_come_oldest_first_and_plain_copies_by_time(
    root: Path, live: Path, item: ArchiveItem, archive: Run, tmp_path: Path
) -> None:
    live.write_bytes(line(1) + line(5))
    archive()
    folder = tmp_path / "backups" / SESSION
    folder.mkdir(parents=True)
    contents = {
        "v10-pruned.jsonl": line(1, 3) + line(5),
        "v2-pruned.jsonl": line(1, 20),
        "v0-raw.jsonl": line(1, 900),
        "copy.jsonl": line(1, 901),
        "held.jsonl": line(1),
        "notes.jsonl": b"not json",
    }
    for number, (name, data) in enumerate(contents.items()):
        (folder / name).write_bytes(data)
        os.utime(folder / name, (number + 1, number + 1))
    plan = plan_import(root, tmp_path / "backups", identify)
    assert [Path(entry.path).name for entry in plan.entries] == [
        "v0-raw.jsonl",
        "v2-pruned.jsonl",
        "v10-pruned.jsonl",
        "copy.jsonl",
    ]
    assert {Path(one.path).name: one.reason for one in plan.skipped} == {"held.jsonl": "held", "notes.jsonl": "not_a_transcript"}
    assert len(find_generations(root, item.key)) == 1, "a plan writes nothing"
    taken = apply_import(root, plan, clock=lambda: NOW)
    assert [one.outcome for one in taken] == ["rewritten"] * 4
    generations = find_generations(root, item.key)
    assert [plain(one.folder) for one in generations[1:]] == [contents[Path(entry.path).name] for entry in plan.entries]
    assert [one.segments[0].facts.name for one in generations[1:]] == [Path(entry.path).name for entry in plan.entries]
    assert newest(generations).number == 1, "what is imported does not pass for the present"
    assert {name: (folder / name).read_bytes() for name in contents} == contents
    assert plan_import(root, tmp_path / "backups", identify).entries == ()
