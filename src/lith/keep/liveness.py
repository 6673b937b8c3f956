"""Is a session in use? By when its files changed last, and by what other processes hold.

`applying` and `undo` ask; nothing overrides the answer. `ProcHolders` is the `LivePort` of systems with a `/proc`.
"""

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from lith.keep.errors import SessionLive
from lith.keep.ports import LivePort
from lith.kernel.clock import format_local

QUIET_MS = 600_000
_CLIENTS = frozenset({"claude", "node", "bun", "deno", "codex"})
_LARGEST = 64 << 10


def refuse_live(path: Path, session: str, *, now: int, holders: LivePort, quiet_ms: int = QUIET_MS) -> None:
    """Raise `SessionLive` where a file of the session changed within the quiet period, or a process holds it.

    A change in the future counts as one of this moment: a clock that went back must not open a session that is in use.
    """
    changed = max((one.stat().st_mtime_ns // 1_000_000 for one in _iter_files(path)), default=0)
    if changed > now - quiet_ms:
        future = " (in the future: the clock may have been set back)" if changed > now else ""
        raise SessionLive(
            f"the session changed at {format_local(changed)}{future}; it counts as live for {quiet_ms // 60_000} minutes after a change",
            hint="end the session in the client, wait, and try again",
        )
    found = holders.find_holders(path, session)
    if found:
        raise SessionLive(f"the session is held by {', '.join(found)}", hint="end the session in the client, and try again")


def _iter_files(path: Path) -> Iterator[Path]:
    """The transcript and the files of its sub-agents."""
    yield path
    folder = path.with_suffix("")
    if folder.is_dir():
        yield from (one for one in folder.rglob("*.jsonl") if one.is_file() and not one.is_symlink())


class ProcHolders:
    """Looks through `/proc`: for descriptors of the file, and for clients that were started with the session's id."""

    def __init__(self, proc: Path = Path("/proc")) -> None:
        self._proc = proc

    def find_holders(self, path: Path, session: str) -> Sequence[str]:
        """See `LivePort`; a process that may not be looked into is passed over."""
        try:
            status = path.stat()
            names = [entry.name for entry in self._proc.iterdir() if entry.name.isdigit()]
        except OSError:
            return ()
        own = str(os.getpid())
        found = []
        for name in names:
            if name == own:
                continue
            words = self._words(name)
            program = Path(words[0]).name if words else ""
            if self._has_open(name, (status.st_dev, status.st_ino)) or (program in _CLIENTS and session in words[1:]):
                found.append(f"{program or 'a process'} (pid {name})")
        return found

    def _words(self, name: str) -> list[str]:
        try:
            with (self._proc / name / "cmdline").open("rb") as file:
                return file.read(_LARGEST).decode("utf-8", "replace").split("\0")
        except OSError:
            return []

    def _has_open(self, name: str, inode: tuple[int, int]) -> bool:
        try:
            entries = list((self._proc / name / "fd").iterdir())
        except OSError:
            return False
        for entry in entries:
            with contextlib.suppress(OSError):
                status = entry.stat()
                if (status.st_dev, status.st_ino) == inode:
                    return True
        return False
