"""Gemini CLI: a session that grows gives the same map as one that is read whole, and its messages keep their numbers."""

from pathlib import Path

import pytest
from tests.ingest.canonical import dump
from tests.ingest.world import World

from lith.store.map import schema

DATA = Path(__file__).parent.parent / "data" / "gemini"
SESSION = next((DATA / "log").rglob("session-2026-06*.jsonl"))
NAME = f"shop/chats/{SESSION.name}"


def numbered(world: World) -> list[tuple[int, str]]:
    """The messages of the map with their numbers."""
    db = schema.open_for_reading(world.map)
    try:
        rows = db.execute(
            "SELECT seq, text FROM documents d JOIN pieces p USING (piece_id) WHERE d.kind = 'message' ORDER BY seq"
        )
        return [(int(str(seq)), str(text)) for seq, text in rows]
    finally:
        db.close()


@pytest.mark.parametrize("step", [701, 1999])
def test_a_growing_session_is_read_as_a_whole_one(tmp_path: Path, step: int) -> None:
    data = SESSION.read_bytes()
    growing = World(tmp_path / "growing", "gemini")
    before: list[tuple[int, str]] = []
    for at in range(0, len(data), step):
        growing.append(NAME, data[at : at + step])
        growing.sync()
        now = numbered(growing)
        assert now[: len(before)] == before
        before = now
        whole = World(tmp_path / f"whole-{at}", "gemini")
        whole.write(NAME, data[: at + step])
        whole.sync()
        assert dump(growing.map) == dump(whole.map)


def test_the_copy_with_the_calls_stands_where_the_message_began(tmp_path: Path) -> None:
    world = World(tmp_path, "gemini")
    played = DATA / "0.61.0" / "tmp" / "my-proj" / "chats"
    for path in sorted(played.iterdir()):
        world.write(f"my-proj/chats/{path.name}", path.read_bytes())
    report = world.sync()
    assert (report.totals.messages, report.totals.problems, report.totals.yield_alarms) == (20, 0, 0)
    assert [seq for seq, _ in numbered(world)] == list(range(1, 21))
    db = schema.open_for_reading(world.map)
    try:
        called = db.execute("SELECT seq, tool FROM documents WHERE kind = 'call' ORDER BY seq LIMIT 2").fetchall()
        assert called == [(2, "run_shell_command"), (5, "read_file")]
    finally:
        db.close()
