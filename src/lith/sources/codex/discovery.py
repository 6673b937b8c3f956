"""Where Codex keeps its sessions, and which files there are rollouts.

Only the adapter uses it. It lists directories and opens no file; of Codex's home it looks into the two session folders and nowhere else.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from lith.sources.base import Candidate
from lith.sources.walk import iter_files

_VARIABLE = "CODEX_HOME"
_FOLDERS = ("sessions", "archived_sessions")
_HOME_FILES = ("config.toml", "auth.json", "history.jsonl", "version.json")
_ROLLOUT = re.compile(r"rollout-.*\.jsonl(?:\.zst)?\Z", re.DOTALL)


def default_roots(home: Path, environment: Mapping[str, str]) -> list[Path]:
    """Codex's home: what its own variable says, or `~/.codex`."""
    named = environment.get(_VARIABLE, "").strip()
    if not named:
        return [home / ".codex"]
    folder = Path(named)
    return [home.joinpath(*folder.parts[1:]) if folder.parts[0] == "~" else folder]


def iter_candidates(root: Path) -> Iterator[Candidate]:
    """Every file of the sessions below `root`: Codex's home, or a folder of sessions."""
    for folder in _session_folders(root):
        for found in iter_files(folder, within=root):
            yield Candidate(path=found.path, relative=found.relative, skip=found.trouble or _judge(found.path.name))


def _session_folders(root: Path) -> list[Path]:
    inner = [root / name for name in _FOLDERS if (root / name).is_dir()]
    if inner and root.name not in _FOLDERS:
        return inner
    is_home = root.name == ".codex" or any((root / name).is_file() for name in _HOME_FILES)
    return [] if is_home else [root]


def _judge(name: str) -> str | None:
    """Why a file is no rollout; None where it is one."""
    if _ROLLOUT.match(name):
        return None
    if name.startswith("rollout-") and name.endswith(".json"):
        return "single_object_format"  # the first client's, before there were lines
    return "not_a_transcript"
