"""The demo: real formats, its own place, the same every time."""

import os
from pathlib import Path

from lith.demo.script import load_scripts
from lith.ops.demo import QUERIES, DemoRequest, demo
from lith.ops.find import FindRequest, find
from lith.ops.runtime import Runtime
from lith.ops.status import StatusRequest, status
from lith.sources.registry import SOURCES


def test_the_demo_finds_what_it_searches_for(outer: Runtime) -> None:
    result = demo(DemoRequest(), outer)
    assert result.sessions == 6
    assert [search.query for search in result.searches] == list(QUERIES)
    assert all(search.found.results for search in result.searches)
    assert all(argv[0] == "lith" and argv[-2:] == ["--data-dir", result.data_dir] for argv in result.next)


def test_every_prompt_and_answer_is_found_by_its_own_words(synced: Runtime) -> None:
    for script in load_scripts():
        if script.client not in SOURCES:
            continue
        said = [turn.prompt for turn in script.turns] + [step.say for turn in script.turns for step in turn.steps if step.say]
        for text in said:
            hits = find(FindRequest(query=text.replace('"', " "), limit=20), synced).results
            assert [hit for hit in hits if hit.match_source == "message" and hit.session_ref == f"{script.client}:{script.id}"], (
                text
            )


def test_the_helper_is_a_session_of_its_own(synced: Runtime) -> None:
    hits = find(FindRequest(query="tile cache upper bound lru_cache"), synced).results
    assert any(hit.kind == "subagent" and hit.parent for hit in hits)


def test_a_second_demo_changes_nothing(outer: Runtime) -> None:
    demo(DemoRequest(), outer)
    before = snapshot(outer.data_dir)
    demo(DemoRequest(), outer)
    assert snapshot(outer.data_dir) == before


def test_the_demo_stays_in_its_place(outer: Runtime, home: Path) -> None:
    demo(DemoRequest(), outer)
    assert [path.name for path in home.iterdir()] == ["data"]
    assert [path.name for path in outer.data_dir.iterdir()] == ["demo"]
    for path in outer.data_dir.rglob("*"):
        assert path.stat().st_mode & 0o077 == 0, path


def test_status_in_the_demo_speaks_of_the_demo(synced: Runtime, home: Path) -> None:
    own = home / ".claude" / "projects" / "-x"
    own.mkdir(parents=True)
    (own / "0b7a4c9e-1111-4222-8333-444455556666.jsonl").write_text('{"type":"user"}\n')
    result = status(StatusRequest(), synced)
    assert result.state == "fresh"
    assert all(root.root.startswith(str(synced.data_dir)) for root in result.roots)


def snapshot(folder: Path) -> dict[str, tuple[int, int]]:
    """Every file with its inode and modification time: what was not written again has the same."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name not in {"map.lock", "map.owner"})
    return {os.fspath(path): (path.stat().st_ino, path.stat().st_mtime_ns) for path in files}
