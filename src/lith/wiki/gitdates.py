"""First and last commit date of every file of a vault that lives in git, for pages that name no date themselves.

`snapshot` calls it, and only when a page needs it. It runs `git log` with everything turned off that a repository's own
settings could make it run; without git, or outside a repository, there are simply no dates.
"""

import subprocess
from pathlib import Path

import msgspec

from lith.wiki import cache
from lith.wiki.vault import Vault

TIMEOUT_SECONDS = 60

_SAFE = (
    "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "log.showSignature=false", "-c", "protocol.allow=never",
    "-c", "core.quotePath=false",
)  # fmt: skip


class GitDates(msgspec.Struct, frozen=True, array_like=True):
    """Commit times in seconds by vault path: `(first, last)`, as of commit `head`."""

    head: str
    dates: dict[str, tuple[int, int]]


def read_git_dates(vault: Vault) -> dict[str, tuple[int, int]]:
    """Seconds of the first and last commit of each path; empty without git."""
    if not any((folder / ".git").exists() for folder in (vault.root, *vault.root.parents)):
        return {}
    head = run_git(vault.root, ["rev-parse", "HEAD"])
    if head is None:
        return {}
    commit = head.decode("ascii", "replace").strip()
    known = cache.read_note(vault, "git-dates")
    if known is not None:
        try:
            stored = msgspec.msgpack.decode(known, type=GitDates)
            if stored.head == commit:
                return stored.dates
        except msgspec.MsgspecError:
            pass
    dates = _read_log(vault.root)
    cache.write_note(vault, "git-dates", msgspec.msgpack.encode(GitDates(commit, dates)))
    return dates


def _read_log(root: Path) -> dict[str, tuple[int, int]]:
    output = run_git(
        root, ["log", "--no-show-signature", "--no-ext-diff", "--no-textconv", "--no-renames", "--relative", "--name-only",
               "--format=%x01%ct", "-z", "--", "."]
    )  # fmt: skip
    dates: dict[str, tuple[int, int]] = {}
    for commit in (output or b"").split(b"\x01")[1:]:
        stamp, _, names = commit.partition(b"\0")
        head, _, rest = stamp.partition(b"\n")
        seconds = int(head) if head.strip().isdigit() else 0
        for name in (rest + b"\0" + names).split(b"\0"):
            path = name.decode("utf-8", "surrogateescape").lstrip("\n")
            if path:
                first, last = dates.get(path, (seconds, seconds))
                dates[path] = (min(first, seconds), max(last, seconds))
    return dates


def run_git(root: Path, arguments: list[str]) -> bytes | None:
    """The output of a git command in `root`, or None when git is absent, slow, or says no."""
    try:
        done = subprocess.run(  # noqa: S603
            ["git", "--no-pager", *_SAFE, *arguments],  # noqa: S607
            cwd=root,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
