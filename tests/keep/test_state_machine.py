"""Clients write, rewrite and delete; lith archives, prunes, undoes and collects, in any order: nothing that was archived is ever lost."""

import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tests.keep.transcripts import KINDS, make
from tests.keep.world import KEY, NOW, age, build_house

from lith.archive import ArchiveItem, find_generations, open_generation, run, verify
from lith.keep import UndoRefused, apply_gc, apply_prune, apply_undo, holdings, iter_records, plan_prune, plan_undo
from lith.kernel import ids

MODES = st.sampled_from(["resume", "extract"])


class Keeping(RuleBasedStateMachine):
    @initialize()
    def begin(self) -> None:
        self.base = Path(tempfile.mkdtemp())
        self.live = self.base / "projects" / KEY.path
        self.live.parent.mkdir(parents=True)
        self.house = build_house(self.base)
        self.written: set[bytes] = set()
        self.safe: set[bytes] = set()
        self.start = 0
        self.put(b"")

    def teardown(self) -> None:
        shutil.rmtree(self.base, ignore_errors=True)

    def put(self, data: bytes) -> None:
        self.live.write_bytes(data)
        age(self.live)

    def more(self, kinds: list[str]) -> bytes:
        self.start += 1000
        data = make(kinds, start=self.start)
        self.written |= {ids.digest(line.strip()) for line in data.splitlines() if line.startswith(b'{"parentUuid')}
        return data

    def present(self) -> set[bytes]:
        with self.live.open("rb") as file:
            return {place.hash for place in iter_records(file, self.live.stat().st_size)}

    def secure(self) -> None:
        """What clients wrote and the live file holds at a moment when lith archives it."""
        self.safe |= self.present() & self.written

    @rule(kinds=st.lists(st.sampled_from(KINDS), min_size=1, max_size=6))
    def append(self, kinds: list[str]) -> None:
        data = self.live.read_bytes()
        self.put(data + (b"" if data.endswith(b"\n") or not data else b"\n") + self.more(kinds))

    @rule(kinds=st.lists(st.sampled_from(KINDS), min_size=1, max_size=4))
    def rewrite(self, kinds: list[str]) -> None:
        self.put(self.more(kinds))

    @rule(lines=st.integers(0, 3))
    def cut(self, lines: int) -> None:
        self.put(b"".join(self.live.read_bytes().splitlines(keepends=True)[:lines]))

    @rule(full=st.booleans())
    def archive(self, full: bool) -> None:
        self.secure()
        report = run(
            self.house.archive, [ArchiveItem(KEY.source, KEY.session, KEY.path, self.live)], clock=lambda: NOW, full=full
        )
        assert report.problems == []

    @rule(mode=MODES)
    def prune(self, mode: str) -> None:
        self.secure()
        before = self.live.read_bytes()
        plan = plan_prune(KEY, self.live, now=NOW, mode=mode)
        result = apply_prune(plan, self.house)
        assert self.live.stat().st_size == result.size_after <= len(before)
        if plan.changes:
            assert plan_undo(KEY, self.live, self.house.archive).receipt == result.receipt

    @rule()
    def undo(self) -> None:
        try:
            plan = plan_undo(KEY, self.live, self.house.archive)
        except UndoRefused:
            return
        tail = self.live.read_bytes()[plan.receipt.pruned_size :]
        self.secure()
        apply_undo(plan, self.house)
        assert self.live.read_bytes().endswith(tail)
        self.secure()

    @precondition(lambda self: self.house.archive.exists())
    @rule()
    def collect(self) -> None:
        plan = holdings.plan_gc(self.house.archive)
        apply_gc(self.house.archive, plan, clock=lambda: NOW)

    @invariant()
    def nothing_that_was_archived_is_lost(self) -> None:
        held: set[bytes] = set()
        for generation in find_generations(self.house.archive, KEY):
            with open_generation(generation) as reader:
                held |= {place.hash for place in iter_records(reader, generation.length)}
        assert self.safe <= held
        assert verify(self.house.archive, deep=True).sound
        assert [path.name for path in self.live.parent.iterdir()] == [self.live.name]


Keeping.TestCase.settings = settings(
    max_examples=12, stateful_step_count=12, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
TestKeeping = Keeping.TestCase
