"""The lock of the one writer."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lith.errors import Locked
from lith.kernel import locks

HOLD = """
import sys, time
from pathlib import Path
from lith.kernel import locks
with locks.exclusive(Path(sys.argv[1]), wait_seconds=0, now=1):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_holder_is_told_who_holds_it(tmp_path: Path) -> None:
    path = tmp_path / "map.lock"
    with (
        locks.exclusive(path, wait_seconds=0, now=1_800_000_000_000),
        pytest.raises(Locked, match=f"pid {os.getpid()}"),
        locks.exclusive(path, wait_seconds=0.1, now=2),
    ):
        pass
    with locks.exclusive(path, wait_seconds=0, now=3):
        assert path.stat().st_mode & 0o777 == 0o600


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    path = tmp_path / "map.lock"
    holder = subprocess.Popen([sys.executable, "-c", HOLD, str(path)], stdout=subprocess.PIPE)
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    with pytest.raises(Locked, match=f"pid {holder.pid}"), locks.exclusive(path, wait_seconds=0.1, now=1):
        pass
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    holder.stdout.close()
    with locks.exclusive(path, wait_seconds=5, now=1):
        pass
