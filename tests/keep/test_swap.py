"""What others do to the file while it is swapped: nothing they write is lost, and what cannot be kept is refused."""

import os
from collections.abc import Callable, Iterator
from io import RawIOBase
from pathlib import Path

import msgspec
import pytest
from tests.keep.transcripts import EVERYTHING, make
from tests.keep.world import KEY, NOW, build_house

from lith.archive import Disk
from lith.keep import FileChanged, Timing, TornLine, apply_prune, plan_prune
from lith.keep.swap import recover

LATE = make(["prompt"], start=500)


class Busy(Disk):
    """Does something at a step, each time it is met or the n-th time only."""

    def __init__(self, action: str, do: Callable[[], None], nth: int = 0) -> None:
        self.action = action
        self.do = do
        self.nth = nth
        self.met = 0

    def step(self, action: str) -> None:
        if action == self.action:
            self.met += 1
            if self.nth in {0, self.met}:
                self.do()


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def expected(live: Path) -> bytes:
    """What the prune gives when nobody disturbs it."""
    base = live.parents[2] / "undisturbed"
    copy = base / "projects" / KEY.path
    copy.parent.mkdir(parents=True)
    copy.write_bytes(EVERYTHING)
    os.utime(copy, ns=(live.stat().st_atime_ns, live.stat().st_mtime_ns))
    apply_prune(plan_prune(KEY, copy, now=NOW), build_house(base))
    return copy.read_bytes()


STEPS = [("create", n) for n in range(1, 4)] + [("write", n) for n in range(1, 5)] + [("chmod", 1), ("link", 2), ("rename", 1)]


@pytest.mark.parametrize(("action", "nth"), STEPS)
def test_what_is_appended_at_any_step_survives(tmp_path: Path, live: Path, action: str, nth: int) -> None:
    clean = expected(live)
    busy = Busy(action, lambda: append(live, LATE), nth)
    plan = plan_prune(KEY, live, now=NOW)
    apply_prune(plan, build_house(tmp_path, busy))
    assert busy.met >= nth
    assert live.read_bytes() == clean + LATE
    assert [path.name for path in live.parent.iterdir()] == [live.name]


def test_a_writer_that_holds_the_old_file_is_heard_during_the_grace(tmp_path: Path, live: Path) -> None:
    clean = expected(live)
    with live.open("ab", buffering=0) as held:
        writes = iter([LATE[:100], LATE[100:]])
        timing = Timing(sleep=lambda _: _write(held, next(writes, b"")))
        house = msgspec.structs.replace(build_house(tmp_path), timing=timing)
        result = apply_prune(plan_prune(KEY, live, now=NOW), house)
    assert result.appended == len(LATE)
    assert live.read_bytes() == clean + LATE


def _turn(turns: Iterator[Callable[[], None]]) -> None:
    for turn in turns:
        turn()
        return


def _write(file: RawIOBase, data: bytes) -> None:
    file.write(data)


def test_writers_of_both_files_are_heard(tmp_path: Path, live: Path) -> None:
    clean = expected(live)
    other = make(["answer"], start=600)
    with live.open("ab", buffering=0) as held:
        turns = iter([lambda: _write(held, LATE), lambda: append(live, other)])
        timing = Timing(sleep=lambda _: _turn(turns))
        apply_prune(plan_prune(KEY, live, now=NOW), msgspec.structs.replace(build_house(tmp_path), timing=timing))
    assert live.read_bytes() in {clean + LATE + other, clean + other + LATE}


def test_a_line_that_stays_half_written_is_refused(tmp_path: Path, live: Path) -> None:
    plan = plan_prune(KEY, live, now=NOW)
    with pytest.raises(TornLine):
        apply_prune(plan, build_house(tmp_path, Busy("chmod", lambda: append(live, LATE[:50]))))
    assert live.read_bytes() == EVERYTHING + LATE[:50]
    assert [path.name for path in live.parent.iterdir()] == [live.name]


def test_a_line_that_is_finished_meanwhile_is_waited_for(tmp_path: Path, live: Path) -> None:
    clean = expected(live)
    turns = iter([lambda: append(live, LATE[50:])])
    timing = Timing(sleep=lambda _: _turn(turns))
    house = build_house(tmp_path, Busy("chmod", lambda: append(live, LATE[:50])))
    apply_prune(plan_prune(KEY, live, now=NOW), msgspec.structs.replace(house, timing=timing))
    assert live.read_bytes() == clean + LATE


@pytest.mark.parametrize("cut", [True, False])
def test_a_file_that_another_program_replaced_is_left_to_it(tmp_path: Path, live: Path, cut: bool) -> None:
    def replace() -> None:
        if cut:
            os.truncate(live, 100)
        else:
            other = live.with_name("other")
            other.write_bytes(b"mine\n")
            other.replace(live)

    plan = plan_prune(KEY, live, now=NOW)
    with pytest.raises(FileChanged):
        apply_prune(plan, build_house(tmp_path, Busy("chmod", replace)))
    assert live.read_bytes() == (EVERYTHING[:100] if cut else b"mine\n")


def test_leftovers_of_a_death_are_cleared_and_their_bytes_brought_back(live: Path) -> None:
    whole = live.read_bytes()
    stale = live.with_name(f".{live.name}.abc.tmp")
    stale.write_bytes(b"half")
    same = live.with_name(f".{live.name}.{len(whole)}.aa.lith-old")
    os.link(live, same)
    old = live.with_name(f".{live.name}.{len(EVERYTHING) - 10}.bb.lith-old")
    old.write_bytes(EVERYTHING[:-10] + LATE)
    neighbour = live.with_name(".other.jsonl.abc.tmp")
    neighbour.write_bytes(b"not ours")
    assert len(recover(live, Disk())) == 2
    assert live.read_bytes() == whole + LATE
    assert {path.name for path in live.parent.iterdir()} == {live.name, neighbour.name}
    assert recover(live, Disk()) == []


def test_what_was_spliced_before_the_death_is_not_spliced_twice(live: Path) -> None:
    old = live.with_name(f".{live.name}.5.bb.lith-old")
    old.write_bytes(b"12345" + LATE)
    append(live, LATE[:40])
    recover(live, Disk())
    assert live.read_bytes() == EVERYTHING + LATE
    old.write_bytes(b"12345" + LATE)
    recover(live, Disk())
    assert live.read_bytes() == EVERYTHING + LATE
