"""Every file that real clients left: archived, deleted, given back, with lith and without it."""

import hashlib
import shutil
from pathlib import Path

from tests.archive.conftest import NOW, plain

from lith.archive import ArchiveItem, get_generation, plan_run, restore_to, run, verify

DATA = Path(__file__).parents[1] / "data"


def test_every_file_comes_back_with_its_digest(tmp_path: Path) -> None:
    items, digests = [], {}
    for source in ("claude_code", "codex"):
        shutil.copytree(DATA / source, tmp_path / source)
        for path in sorted(path for path in (tmp_path / source).rglob("*") if path.is_file()):
            relative = path.relative_to(tmp_path / source).as_posix()
            items.append(ArchiveItem(source, path.stem, relative, path))
            digests[items[-1].key] = hashlib.sha256(path.read_bytes()).hexdigest()
    assert len(items) > 50
    root = tmp_path / "archive"
    assert len(plan_run(root, items).items) == len(items)
    report = run(root, items, clock=lambda: NOW)
    assert (report.new, report.problems) == (len(items), [])
    assert plan_run(root, items).unchanged == len(items)
    for source in ("claude_code", "codex"):
        shutil.rmtree(tmp_path / source)
    for number, item in enumerate(items):
        generation = get_generation(root, item.key)
        assert restore_to(generation, tmp_path / f"{number}.back").sha256 == digests[item.key]
        assert hashlib.sha256(plain(generation.folder)).hexdigest() == digests[item.key]
    assert verify(root, deep=True).sound
    report = run(root, items, clock=lambda: NOW)
    assert [problem.reason for problem in report.problems] == ["unreachable"] * len(items)
    assert verify(root, deep=True).generations == len(items), "nothing is forgotten because it cannot be reached"
