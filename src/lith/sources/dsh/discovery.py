"""Where dsh keeps its sessions, and which files there are transcripts.

Only the adapter uses it. It lists directories and opens no file; of the client's home it looks into `sessions` and nowhere else.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from lith.sources.base import Candidate
from lith.sources.walk import iter_files

_VARIABLE = "DSH_HOME"
_SESSIONS = "sessions"
_CLIENT_FILES = (".credentials.yaml", "settings.yaml")
_LOG = re.compile(
    r"session.*\.jsonl(?:\.zstd?)?\Z", re.DOTALL
)  # a newer format goes into a file of its own: session.v3.jsonl.zstd


def default_roots(home: Path, environment: Mapping[str, str]) -> list[Path]:
    """The folder of this user's sessions, in the home that the client's own variable names or in the usual one."""
    named = environment.get(_VARIABLE, "").strip()
    if not named:
        return [home / ".dsh" / _SESSIONS]
    folder = Path(named)
    return [(home.joinpath(*folder.parts[1:]) if folder.parts[0] == "~" else folder) / _SESSIONS]


def iter_candidates(root: Path) -> Iterator[Candidate]:
    """Every file of the sessions below `root`: the client's home, or a folder of sessions."""
    start = root / _SESSIONS
    if not start.is_dir():
        if any((root / name).is_file() for name in _CLIENT_FILES):
            return
        start = root
    for found in iter_files(start, within=root):
        yield Candidate(path=found.path, relative=found.relative, skip=found.trouble or _judge(found.path.name))


def _judge(name: str) -> str | None:
    """Why a file is no transcript; None where it is one."""
    return None if _LOG.match(name) else "not_a_transcript"
