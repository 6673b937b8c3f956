"""When a session counts as live."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.keep.transcripts import SESSION
from tests.keep.world import NOW, Nobody, age

from lith.keep import ProcHolders, SessionLive, refuse_live

MINUTE = 60_000


@pytest.mark.parametrize("ms", [0, 9 * MINUTE, -MINUTE, -365 * 24 * 60 * MINUTE])
def test_a_recent_change_counts_also_one_in_the_future(live: Path, ms: int) -> None:
    """A clock that was set back must not open a session that is in use."""
    age(live, ms)
    with pytest.raises(SessionLive):
        refuse_live(live, SESSION, now=NOW, holders=Nobody())


def test_a_quiet_file_is_free(live: Path) -> None:
    age(live, 11 * MINUTE)
    refuse_live(live, SESSION, now=NOW, holders=Nobody())
    with pytest.raises(SessionLive):
        refuse_live(live, SESSION, now=NOW, holders=Nobody(), quiet_ms=12 * MINUTE)


def test_a_sub_agent_at_work_counts(live: Path) -> None:
    agent = live.with_suffix("") / "subagents" / "agent-a1.jsonl"
    agent.parent.mkdir(parents=True)
    agent.write_bytes(b"{}\n")
    age(agent, MINUTE)
    with pytest.raises(SessionLive):
        refuse_live(live, SESSION, now=NOW, holders=Nobody())


def test_a_process_that_has_the_file_open_holds_it(live: Path) -> None:
    program = "import sys; file = open(sys.argv[1], 'ab'); print('open', flush=True); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", program, str(live)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        found = ProcHolders().find_holders(live, SESSION)
        assert len(found) == 1
        assert f"pid {holder.pid}" in found[0]
        with pytest.raises(SessionLive, match="held by"):
            refuse_live(live, SESSION, now=NOW, holders=ProcHolders())
        holder.communicate()
    assert ProcHolders().find_holders(live, SESSION) == []


def test_a_client_that_was_started_with_the_session_holds_it_and_a_shell_does_not(live: Path, tmp_path: Path) -> None:
    for pid, words in ((7, ["/usr/bin/claude", "--resume", SESSION]), (8, ["bash", "-c", f"lith prune {SESSION}"]), (9, [])):
        (tmp_path / "proc" / str(pid) / "fd").mkdir(parents=True)
        (tmp_path / "proc" / str(pid) / "cmdline").write_bytes("\0".join([*words, ""]).encode())
    assert ProcHolders(tmp_path / "proc").find_holders(live, SESSION) == ["claude (pid 7)"]
    assert ProcHolders(tmp_path / "nothing").find_holders(live, SESSION) == ()
