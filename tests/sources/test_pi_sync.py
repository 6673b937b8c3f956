"""Pi: a session that grows gives the same map as one that is read whole, and its messages keep their numbers."""

from pathlib import Path

import pytest
from tests.ingest.canonical import dump
from tests.ingest.world import World

from lith.store.map import schema

DATA = Path(__file__).parent.parent / "data" / "pi"
SESSION = next((DATA / "tree").rglob("*0003.jsonl"))
NAME = f"--home-dev-shop--/{SESSION.name}"


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
    growing = World(tmp_path / "growing", "pi")
    before: list[tuple[int, str]] = []
    for at in range(0, len(data), step):
        growing.append(NAME, data[at : at + step])
        growing.sync()
        now = numbered(growing)
        assert now[: len(before)] == before
        before = now
        whole = World(tmp_path / f"whole-{at}", "pi")
        whole.write(NAME, data[: at + step])
        whole.sync()
        assert dump(growing.map) == dump(whole.map)
