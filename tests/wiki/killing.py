"""Run code in a child process that is killed with SIGKILL before its nth write to the disk.

An audit hook counts what reaches the file system (opening for writing, rename, removal, new folders), so every write step of the
real code is a place to die. The child is a fork: it has its own locks and its own connections, and it starts at once.
"""

import os
import signal
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from typing import Any

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT


def run_until_killed(work: Callable[[], object], limit: int) -> bool:
    """Run `work` in a child; True when it was killed at its write number `limit`, False when it came to its end before."""
    status = os.waitpid(_start(work, limit), 0)[1]
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return True
    assert os.WEXITSTATUS(status) == 0
    return False


def run_together(works: Sequence[Callable[[], object]]) -> None:
    """Run every work in a child of its own, all at once, and wait for them."""
    children = [_start(work, 0) for work in works]
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * len(works)


def _start(work: Callable[[], object], limit: int) -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # forking beside the threads of numpy, which the child never uses
        child = os.fork()
    if child:
        return child
    try:
        if limit:
            _watch(limit)
        work()
    except BaseException:
        traceback.print_exc()
        os._exit(3)
    os._exit(0)


def _watch(limit: int) -> None:
    seen = 0

    def hook(event: str, args: tuple[Any, ...]) -> None:
        nonlocal seen
        if event == "open":
            if not isinstance(args[0], str | bytes) or not (args[2] or 0) & _WRITES:
                return
        elif event not in {"os.rename", "os.remove", "os.mkdir", "os.rmdir"}:
            return
        seen += 1
        if seen == limit:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)
