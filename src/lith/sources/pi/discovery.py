"""Where Pi keeps its sessions, and which files there are transcripts.

Only the adapter uses it. It lists directories and opens no file; of Pi's folder it looks into `sessions` and nowhere else.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from lith.sources.base import Candidate
from lith.sources.walk import TRANSCRIPT_SUFFIXES, iter_files

_AGENT_DIR = "PI_CODING_AGENT_DIR"
_SESSION_DIR = "PI_CODING_AGENT_SESSION_DIR"
_SESSIONS = "sessions"
_INNER = (Path(_SESSIONS), Path("agent") / _SESSIONS)
_CLIENT_FILES = ("auth.json", "settings.json", "models.json", "trust.json")


def default_roots(home: Path, environment: Mapping[str, str]) -> list[Path]:
    """The folders of this user's sessions: the one that Pi's variable for it names, and the one in Pi's own folder."""
    agent = _named(environment, _AGENT_DIR, home) or home / ".pi" / "agent"
    sessions = _named(environment, _SESSION_DIR, home)
    return list(dict.fromkeys([*([sessions] if sessions else []), agent / _SESSIONS]))


def _named(environment: Mapping[str, str], variable: str, home: Path) -> Path | None:
    value = environment.get(variable, "").strip()
    if not value:
        return None
    folder = Path(value)
    return home.joinpath(*folder.parts[1:]) if folder.parts[0] == "~" else folder


def iter_candidates(root: Path) -> Iterator[Candidate]:
    """Every file of the sessions below `root`: a folder of sessions, or a folder of Pi's that holds one."""
    start = next((root / inner for inner in _INNER if (root / inner).is_dir()), None)
    if start is None:
        if any((root / name).is_file() for name in _CLIENT_FILES):
            return
        start = root
    for found in iter_files(start, within=root):
        yield Candidate(path=found.path, relative=found.relative, skip=found.trouble or _judge(found.path.name))


def _judge(name: str) -> str | None:
    """Why a file is no transcript; None where it is one."""
    return None if name.endswith(TRANSCRIPT_SUFFIXES) else "not_a_transcript"
