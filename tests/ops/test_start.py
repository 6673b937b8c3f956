"""The first command on a machine."""

from pathlib import Path

from lith.ingest.report import Progress
from lith.ops.demo import search
from lith.ops.find import FindRequest, find
from lith.ops.runtime import Runtime
from lith.ops.start import StartRequest, start

LINE = (
    '{"type":"user","message":{"role":"user","content":"the tide tables were wrong"},"uuid":"0b7a4c9e-1111-4222-8333-444455556666",'
    '"timestamp":"2026-03-01T10:00:00.000Z","cwd":"/work","sessionId":"9d3cf7a2-aaaa-4bbb-8ccc-ddddeeeeffff"}\n'
)


def own_session(home: Path) -> None:
    folder = home / ".claude" / "projects" / "-work"
    folder.mkdir(parents=True)
    (folder / "9d3cf7a2-aaaa-4bbb-8ccc-ddddeeeeffff.jsonl").write_text(LINE)


def test_an_empty_machine_gets_the_demo(outer: Runtime) -> None:
    result = start(StartRequest(), outer)
    assert result.demo is not None
    assert result.sync is None
    assert not outer.map_path.exists(), "the demo is not in the map of one's own sessions"
    assert result.looked_at


def test_a_machine_with_sessions_gets_them(outer: Runtime, home: Path) -> None:
    own_session(home)
    seen: list[Progress] = []
    result = start(StartRequest(), outer, seen.append)
    assert result.demo is None
    assert result.sync is not None
    assert result.sync.totals.messages == 1
    assert result.search is not None
    assert result.search.found.results[0].session_ref == "claude_code:9d3cf7a2-aaaa-4bbb-8ccc-ddddeeeeffff"
    assert seen[-1].files_done == seen[-1].files
    assert all(argv[-2:] == ["--data-dir", str(outer.data_dir)] for argv in result.next)


def test_a_query_is_searched_for(outer: Runtime, home: Path) -> None:
    own_session(home)
    result = start(StartRequest(query="lighthouse"), outer)
    assert result.search is not None
    assert result.search.query == "lighthouse"
    assert result.search.found.nothing is not None


def test_what_to_try_next_was_a_placeholder(outer: Runtime, home: Path) -> None:
    own_session(home)
    folder = home / ".claude" / "projects" / "-work"
    other = LINE.replace("9d3cf7a2", "8d3cf7a2").replace("0b7a4c9e", "1b7a4c9e").replace("10:00", "09:00")
    text = "--force -proxy AND (why) does `retry()` fail?"
    (folder / "8d3cf7a2-aaaa-4bbb-8ccc-ddddeeeeffff.jsonl").write_text(other.replace("the tide tables were wrong", text))
    result = start(StartRequest(), outer)
    searches = [argv for argv in result.next if argv[1] == "find"]
    assert searches
    for argv in searches:
        words = argv[2 : argv.index("--data-dir")]
        assert not [word for word in words if word.startswith("-")]
        assert find(FindRequest(query=" ".join(words)), outer).results


def test_the_search_that_is_shown_is_the_command_that_is_shown(outer: Runtime, home: Path) -> None:
    own_session(home)
    start(StartRequest(), outer)
    assert search("tide -wrong", outer, limit=1).argv == outer.argv("find", "tide -wrong")
    assert search("-wrong tide", outer, limit=1).argv[-2:] == ["--", "-wrong tide"]
