"""The map as `keep` sees it: the same records, under the same hashes, as the gate reads out of a file."""

import io
from pathlib import Path

import pytest
from tests.keep.transcripts import EVERYTHING, SESSION

from lith.archive import ArchiveItem, Generation, archive_file
from lith.keep import iter_named
from lith.kernel import ids
from lith.kernel.clock import system_clock
from lith.ops.keep.ports import MapDoor, quiet_period, take_in
from lith.ops.runtime import Runtime

PATH = f"-home-dev-x/{SESSION}.jsonl"
LINES = EVERYTHING.splitlines(keepends=True)
ODD = {
    "as the client writes it": EVERYTHING,
    "with carriage returns": EVERYTHING.replace(b"\n", b"\r\n"),
    "with white space around": b"".join(b"  " + line[:-1] + b"\t \n" for line in LINES),
    "several objects on a line": b"".join(LINES[:3]).replace(b"\n", b"") + b"\n" + b"".join(LINES[3:]),
    "damage between whole records": LINES[0] + b'{"type":"user","mess\n' + b'{"torn":' + LINES[1] + b"".join(LINES[2:]),
    "no newline at the end": EVERYTHING[:-1],
    "empty lines and a mark": b"\xef\xbb\xbf" + b"\n\n".join(LINES) + b"\n\n",
    "the same record twice": EVERYTHING + EVERYTHING,
    "not records at all": b"[]\nnull\n3\n" + EVERYTHING,
}


@pytest.fixture
def runtime(home: Path) -> Runtime:
    return Runtime(clock=system_clock, home=home, cwd=home, environment={}, data_dir=home / "data")


def keep(runtime: Runtime, data: bytes) -> tuple[Generation, Path]:
    live = runtime.home / ".claude" / "projects" / PATH
    live.parent.mkdir(parents=True, exist_ok=True)
    live.write_bytes(data)
    item = ArchiveItem("claude_code", SESSION, PATH, live)
    return archive_file(runtime.archive_dir, item, clock=runtime.clock).generation, live


@pytest.mark.parametrize("what", ODD)
def test_the_map_has_every_record_that_the_gate_asks_for(runtime: Runtime, what: str) -> None:
    generation, _ = keep(runtime, ODD[what])
    door = MapDoor(runtime)
    door.index_generation(generation)
    named = [one for one, record in iter_named("claude_code", PATH, io.BytesIO(ODD[what])) if record is not None]
    assert named
    assert door.find_unindexed(generation, {one.hash for one in named}) == set()
    assert door.find_unindexed(generation, {b"x" * ids.DIGEST_BYTES}) == {b"x" * ids.DIGEST_BYTES}
    spans = door.find_in_generation(generation, 0, generation.length)
    assert [found for _, found in spans] == [one.hash for one in named]
    assert [record for record, _ in spans] == [one.record_id for one in named]


def test_only_places_whose_bytes_were_read_count(runtime: Runtime) -> None:
    generation, live = keep(runtime, EVERYTHING)
    door = MapDoor(runtime)
    door.index_generation(generation)
    door.resync(live)
    _, found = door.find_in_generation(generation, 0, 1)[0]
    assert len(door.find_readable_copies(found)) == 2
    live.write_bytes(b"x" + EVERYTHING)
    assert len(door.find_readable_copies(found)) == 1
    for segment in generation.segments:
        segment.file.unlink()
    assert door.find_readable_copies(found) == []


def test_a_sync_of_the_archive_alone_writes_nothing_the_second_time(runtime: Runtime) -> None:
    keep(runtime, EVERYTHING)
    assert take_in(runtime).totals.generations == 1
    again = take_in(runtime).totals
    assert (again.generations, again.bytes_read, again.rows_written) == (0, 0, 0)


def test_the_quiet_period_is_ten_minutes_unless_set(runtime: Runtime) -> None:
    assert quiet_period(runtime) == 600_000
    other = Runtime(
        clock=system_clock,
        home=runtime.home,
        cwd=runtime.home,
        environment={"LITH_ARCHIVE_QUIET_PERIOD": "2h"},
        data_dir=runtime.data_dir,
    )
    assert quiet_period(other) == 7_200_000
