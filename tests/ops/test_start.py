"""The first command on a machine."""

from pathlib import Path

from lith.ingest.report import Progress
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
