"""Where Gemini CLI keeps its chats, and which files there are transcripts.

Only the adapter uses it. It lists directories and opens no file; of the client's home it looks into `tmp` and nowhere else.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from lith.sources.base import Candidate
from lith.sources.walk import TRANSCRIPT_SUFFIXES, iter_files

CHATS = "chats"

_HOME = "GEMINI_CLI_HOME"
_FOLDER = ".gemini"
_PROJECTS = "tmp"
_CLIENT_FILES = ("settings.json", "oauth_creds.json", "projects.json", "installation_id")
_CHAT = re.compile(r"session-.*\.jsonl(?:\.zst)?\Z", re.DOTALL)

# Why a file that is no transcript is there, by the folder it stands in, and by its name.
_FOLDERS = {"tool-outputs": "tool_result", "checkpoints": "checkpoint"}
_NAMES = {"logs.json": "history", ".project_root": "index", "projects.json": "index"}


def default_roots(home: Path, environment: Mapping[str, str]) -> list[Path]:
    """The folder of this user's projects, in the home that the client's own variable names or in the usual one."""
    named = environment.get(_HOME, "").strip()
    if named:
        folder = Path(named)
        home = home.joinpath(*folder.parts[1:]) if folder.parts[0] == "~" else folder
    return [home / _FOLDER / _PROJECTS]


def iter_candidates(root: Path) -> Iterator[Candidate]:
    """Every file of the chats below `root`: the client's folder, its `tmp`, one project's folder, or one folder of chats."""
    start = root / _PROJECTS
    if not start.is_dir():
        if any((root / name).is_file() for name in _CLIENT_FILES):
            return
        start = root
    for found in iter_files(start, within=root):
        parts = (root.name, *found.relative.split("/"))
        yield Candidate(path=found.path, relative=found.relative, skip=found.trouble or _judge(parts))


def _judge(parts: tuple[str, ...]) -> str | None:
    """Why a file is no transcript, from its path and the name of the root; None where it is one."""
    *folders, name = parts
    reason = next((_FOLDERS[folder] for folder in folders if folder in _FOLDERS), None)
    if reason is not None:
        return reason
    if _CHAT.match(name):
        return None
    if CHATS in folders[:-1] and name.endswith(TRANSCRIPT_SUFFIXES):
        return None  # a sub-agent's, in a folder that is called like its parent
    if CHATS in folders and name.endswith(".json"):
        return "single_object_format"  # the client's before it wrote lines: one object, over many lines
    return _NAMES.get(name, "not_a_transcript")
