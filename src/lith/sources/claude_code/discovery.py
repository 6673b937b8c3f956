"""Where Claude Code keeps its sessions, and which files there are transcripts.

Only the adapter uses it. It lists directories and opens no file.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from lith.sources.base import Candidate
from lith.sources.claude_code.places import AGENT_PREFIX, SUBAGENTS, find_stem
from lith.sources.walk import iter_files

_PROJECTS = "projects"
_VARIABLE = "CLAUDE_CONFIG_DIR"

# Why a file that is no transcript is there, by the folder it stands in.
_FOLDERS = {"tool-results": "tool_result", "memory": "memory"}


def default_roots(home: Path, environment: Mapping[str, str]) -> list[Path]:
    """The `projects` folders of this user: those of the client's own variable, which may list several, or the usual two."""
    named = [Path(entry.strip()) for entry in environment.get(_VARIABLE, "").split(",") if entry.strip()]
    folders = [_expand(folder, home) for folder in named] or [home / ".config" / "claude", home / ".claude"]
    return list(dict.fromkeys(folder / _PROJECTS for folder in folders))


def _expand(folder: Path, home: Path) -> Path:
    return home.joinpath(*folder.parts[1:]) if folder.parts[0] == "~" else folder


def iter_candidates(root: Path) -> Iterator[Candidate]:
    """Every file of the sessions below `root`: a `projects` folder, the configuration folder that holds one, or one project's folder."""
    inner = root / _PROJECTS
    has_inner = inner.is_dir()
    for found in iter_files(inner if has_inner else root, within=root):
        own = found.relative.split("/")[1 if has_inner else 0 :]
        yield Candidate(path=found.path, relative=found.relative, skip=found.trouble or _judge(own))


def _judge(parts: list[str]) -> str | None:
    """Why a file is no transcript, from its path below the `projects` folder; None where it is one."""
    *folders, name = parts
    for folder in folders[1:]:
        if folder in _FOLDERS:
            return _FOLDERS[folder]
    stem = find_stem(name)
    if stem is None:
        return _judge_other(name)
    if len(folders) <= 1:
        return "history" if parts == ["history.jsonl"] else None
    if SUBAGENTS not in folders[1:]:
        return "unknown_place"
    return None if stem.startswith(AGENT_PREFIX) else "journal"


def _judge_other(name: str) -> str:
    if name.endswith(".meta.json"):
        return "sidecar"
    if name == "custom-title.json":
        return "title"
    if name == "sessions-index.json":
        return "index"
    return "not_a_transcript"
