"""Archived generations in the map: whatever is archived, pruned away, rewritten or deleted, the map equals one made from nothing."""

import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, rule
from tests.ingest import world as w
from tests.ingest.canonical import differences, dump
from tests.ingest.test_state_machine import MEMORY, SESSIONS

from lith.archive import ArchiveItem, archive_file
from lith.ingest import RootSpec, SyncReport, SyncRequest, sync
from lith.ingest.report import Shelf
from lith.kernel import ids
from lith.sources.registry import get_source
from lith.store.map import schema

NOW = 1_800_000_000_000


class Written:
    """Receipts that a test wrote down."""

    def __init__(self) -> None:
        self.receipts: dict[str, list[tuple[bytes, bytes]]] = {}

    def names(self) -> Iterable[str]:
        return self.receipts

    def load(self, name: str) -> Iterable[tuple[bytes, bytes]]:
        return self.receipts[name]


class Kept(w.World):
    """A world with an archive."""

    def __init__(self, base: Path, source: str = "claude_code") -> None:
        super().__init__(base, source)
        self.archive = base / "archive"
        self.written = Written()

    def keep(self, name: str, session: str) -> str:
        """Archive a file; returns the folder of the file in the archive."""
        item = ArchiveItem(self.source, session, name, self.root / name)
        folder = archive_file(self.archive, item, clock=lambda: NOW).generation.folder.parent
        return folder.relative_to(self.archive).as_posix()

    def sync_all(self, data: Path | None = None, *, forget_gone: bool = False) -> SyncReport:
        return sync(
            SyncRequest(
                roots=(RootSpec(self.source, self.root),), shelf=Shelf(self.archive, self.written), forget_gone=forget_gone
            ),
            data_dir=data or self.data,
            sources={self.source: get_source(self.source)},
            clock=lambda: NOW,
        )

    def states(self) -> dict[str, str]:
        connection = schema.open_for_reading(self.map)
        try:
            return {str(a): str(b) for a, b in connection.execute("SELECT native_id, state FROM sessions")}
        finally:
            connection.close()

    def best(self) -> list[tuple[str, int]]:
        """Role of the file and length of the best copy of each record, in the order of the records' ids."""
        connection = schema.open_for_reading(self.map)
        try:
            query = (
                "SELECT f.role, c.length FROM records r JOIN copies c USING (copy_id) JOIN source_files f ON f.file_id = c.copy_id >> 28"
                " ORDER BY r.record_id"
            )
            return [(str(a), int(b)) for a, b in connection.execute(query)]
        finally:
            connection.close()

    def said(self) -> list[tuple[object, ...]]:
        """What the map answers, without where it has it from."""
        connection = schema.open_for_reading(self.map)
        try:
            query = "SELECT d.kind, d.seq, d.record_id, d.hash FROM documents d ORDER BY d.doc_id"
            return list(connection.execute(query))
        finally:
            connection.close()


SESSION = SESSIONS[0]
NAME = f"-a/{SESSION}.jsonl"


def conversation(count: int = 6) -> list[bytes]:
    lines = []
    for n in range(1, count + 1):
        parent = w.record_uuid(n - 1) if n > 1 else None
        line = w.claude_user(n, SESSION, f"question {n} about the retry", parent=parent)
        lines.append(line if n % 2 else w.claude_assistant(n, SESSION, w.text_block(f"answer {n}"), parent=parent))
    return lines


def test_a_session_whose_file_is_gone_is_archived_and_says_what_it_said(tmp_path: Path) -> None:
    world = Kept(tmp_path)
    world.write(NAME, b"".join(conversation()))
    world.keep(NAME, SESSION)
    world.sync_all()
    before = world.said()
    assert world.states() == {SESSION: "live"}
    world.path(NAME).unlink()
    world.sync_all()
    assert world.states() == {SESSION: "archived"}
    assert world.said() == before
    again = world.sync_all().totals
    assert (again.bytes_read, again.rows_written) == (0, 0)


def test_what_a_rewrite_dropped_stays_in_its_place(tmp_path: Path) -> None:
    world = Kept(tmp_path)
    lines = conversation()
    world.write(NAME, b"".join(lines))
    world.keep(NAME, SESSION)
    world.sync_all()
    before = world.said()
    world.write(NAME, b"".join([lines[0], lines[3], lines[5]]))
    world.sync_all()
    assert world.said() == before
    world.append(NAME, w.claude_user(9, SESSION, "and one more"))
    world.sync_all()
    assert world.said()[: len(before)] == before
    assert len(world.said()) == len(before) + 1


def test_a_record_without_a_time_keeps_its_place_when_the_one_before_it_goes(tmp_path: Path) -> None:
    world = Kept(tmp_path)
    first, second, third = (w.claude_user(n, SESSION, f"question {n}") for n in (1, 50, 51))
    third = third.replace(f'"timestamp":"{w.moment(51)}",'.encode(), b"")
    world.write(NAME, first + second + third)
    world.keep(NAME, SESSION)
    world.sync_all()
    before = world.said()
    world.write(NAME, first + third)
    world.sync_all()
    assert world.said() == before


def test_a_grown_generation_is_taken_in_from_where_it_was_left(tmp_path: Path) -> None:
    world = Kept(tmp_path)
    lines = conversation(40)
    world.write(NAME, b"".join(lines[:39]))
    world.keep(NAME, SESSION)
    world.sync_all()
    world.append(NAME, lines[39])
    world.keep(NAME, SESSION)
    report = world.sync_all()
    assert report.totals.generations == 1
    assert report.totals.bytes_read < sum(map(len, lines)) * 2
    fresh = tmp_path / "fresh"
    world.sync_all(fresh)
    assert differences(dump(world.map), dump(fresh / "map.sqlite")) == {}


def test_a_copy_that_a_prune_shortened_never_wins_even_where_it_is_longer(tmp_path: Path) -> None:
    world = Kept(tmp_path)
    original = w.claude_user(1, SESSION, "short")
    pruned = w.claude_user(1, SESSION, "a stub that is longer than what it stands for")
    world.write(NAME, original)
    folder = world.keep(NAME, SESSION)
    world.write(NAME, pruned)
    world.sync_all()
    assert world.best() == [("transcript", len(pruned) - 1)]
    world.written.receipts[f"{folder}/receipts/000001.json.zst"] = [(ids.digest(pruned[:-1]), ids.digest(original[:-1]))]
    world.sync_all()
    assert world.best() == [("generation", len(original) - 1)]
    fresh = tmp_path / "fresh"
    world.sync_all(fresh)
    assert differences(dump(world.map), dump(fresh / "map.sqlite")) == {}


def test_an_archive_that_is_not_there_is_not_empty(tmp_path: Path) -> None:
    world = Kept(tmp_path)
    world.write(NAME, b"".join(conversation()))
    world.keep(NAME, SESSION)
    world.path(NAME).unlink()
    world.sync_all()
    before = dump(world.map)
    elsewhere = world.archive.rename(tmp_path / "unmounted")
    world.sync_all()
    assert differences(dump(world.map), before) == {}
    assert world.states() == {SESSION: "archived"}
    world.archive = elsewhere
    world.sync_all()
    assert differences(dump(world.map), before) == {}


def test_a_damaged_generation_is_reported_and_stops_no_other(tmp_path: Path) -> None:
    world = Kept(tmp_path)
    other = f"-a/{SESSIONS[1]}.jsonl"
    world.write(NAME, b"".join(conversation()))
    world.write(other, w.claude_user(50, SESSIONS[1], "whole"))
    folder = world.keep(NAME, SESSION)
    world.keep(other, SESSIONS[1])
    segment = next((world.archive / folder).rglob("*.zst"))
    data = bytearray(segment.read_bytes())
    data[20] ^= 0xFF
    segment.write_bytes(data)
    report = world.sync_all()
    assert report.totals.failed == 1
    assert [problem.reason for problem in report.problems] == ["unreadable"]
    assert world.states() == {SESSION: "live", SESSIONS[1]: "live"}


class KeptFiles(RuleBasedStateMachine):
    """Files of a client that are archived, pruned, rewritten, deleted and brought back in any order."""

    files = Bundle("files")

    @initialize()
    def start(self) -> None:
        self.base = Path(tempfile.mkdtemp(prefix="lith-kept-", dir=MEMORY))
        self.world = Kept(self.base)
        self.number = 0
        self.folders: dict[str, str] = {}
        self.lost = False

    def teardown(self) -> None:
        if hasattr(self, "base"):
            shutil.rmtree(self.base, ignore_errors=True)

    def next(self) -> int:
        self.number += 1
        return self.number

    @rule(target=files, session=st.sampled_from(SESSIONS), slug=st.sampled_from("ab"))
    def create(self, session: str, slug: str) -> str:
        name = f"-{slug}/{session}.jsonl"
        if not self.world.path(name).exists():
            self.world.write(name, w.claude_user(self.next(), session, "please retry the upload"))
        return name

    @rule(name=files, repeat=st.booleans(), kind=st.integers(0, 2))
    def append(self, name: str, repeat: bool, kind: int) -> None:
        session = name[3:-6]
        n = max(1, self.number - 2) if repeat else self.next()
        line = w.claude_user(n, session, f"turn {n} of a longer talk about the proxy")
        if kind == 1:
            line = line.replace(f'"timestamp":"{w.moment(n)}",'.encode(), b"")
        elif kind == 2:
            line = w.line({"type": "custom-title", "customTitle": f"title {n}", "sessionId": session})
        if self.world.path(name).exists():
            self.world.append(name, line)

    @rule(name=files)
    def keep(self, name: str) -> None:
        if self.world.path(name).exists():
            self.folders[name] = self.world.keep(name, name[3:-6])

    @rule(name=files, drop=st.integers(0, 3))
    def prune(self, name: str, drop: int) -> None:
        """Archive, then leave out every fourth line and shorten the next: the map must answer as before."""
        path = self.world.path(name)
        if not path.exists():
            return
        self.keep(name)
        self.world.sync_all()
        before = self.world.said()
        lines = path.read_bytes().splitlines(keepends=True)
        kept, pairs = [], []
        for index, line in enumerate(lines):
            if index % 4 == drop and index:
                continue
            new = line.replace(b"of a longer talk about the proxy", b"[pruned]") if index % 4 == (drop + 1) % 4 else line
            if new != line:
                pairs.append((ids.digest(new.strip()), ids.digest(line.strip())))
            kept.append(new)
        path.write_bytes(b"".join(kept))
        number = len(self.world.written.receipts) + 1
        self.world.written.receipts[f"{self.folders[name]}/receipts/{number:06d}.json.zst"] = pairs
        self.world.sync_all()
        assert self.world.said() == before

    @rule(name=files)
    def rewrite(self, name: str) -> None:
        path = self.world.path(name)
        if path.exists():
            self.lost = True  # what no archive holds is forgotten, or kept while its file counts as gone
            path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[::2]))

    @rule(name=files)
    def delete(self, name: str) -> None:
        self.world.path(name).unlink(missing_ok=True)
        self.lost = True

    @rule()
    def sync(self) -> None:
        self.world.sync_all()
        again = self.world.sync_all().totals
        assert (again.bytes_read, again.rows_written) == (0, 0)
        fresh = self.base / "fresh"
        shutil.rmtree(fresh, ignore_errors=True)
        self.world.sync_all(fresh)
        mine = self.world.data
        if self.lost:
            mine = self.base / "copy"
            shutil.rmtree(mine, ignore_errors=True)
            shutil.copytree(self.world.data, mine)
            self.world.sync_all(mine, forget_gone=True)
        assert differences(dump(mine / "map.sqlite"), dump(fresh / "map.sqlite")) == {}


KeptFiles.TestCase.settings = settings(
    max_examples=25, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
)
TestKeptFiles = KeptFiles.TestCase
