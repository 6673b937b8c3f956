"""Which project a working directory belongs to: one key for all clients and all worktrees.

The key is the git repository's main work tree, else the directory itself. Git is not run: a `.git` folder or file says enough. The answer
is kept per directory, because the directory may be gone when somebody asks.
"""

import os
from pathlib import Path

import apsw
import msgspec

_MAX_POINTER = 4096


class Project(msgspec.Struct, frozen=True):
    """`key` is an absolute path, `worktree` the name of the linked worktree that the directory is in, if it is in one."""

    key: str
    worktree: str | None = None


def resolve_project(cwd: str) -> Project:
    """The project of a working directory. Never raises: a directory that is gone or unreadable is its own project.

    So is one that is no absolute path here, such as one of another system: nothing here says anything about it.
    """
    if not Path(cwd).is_absolute():
        return Project(cwd)
    try:
        here = Path(os.path.realpath(cwd))
        for folder in (here, *here.parents):
            git = folder / ".git"
            if git.is_dir():
                return Project(str(folder))
            if git.is_file():
                return _linked(folder, git)
    except (OSError, ValueError):
        return Project(cwd)
    return Project(str(here))


def resolve_new(connection: apsw.Connection) -> None:
    """Give every working directory of a session that has none yet its project."""
    rows = connection.execute(
        "SELECT DISTINCT cwd FROM sessions WHERE cwd IS NOT NULL AND cwd NOT IN (SELECT cwd FROM projects)"
    ).fetchall()
    for (cwd,) in rows:
        project = resolve_project(str(cwd))
        connection.execute(
            "INSERT OR IGNORE INTO projects (cwd, key, worktree) VALUES (?, ?, ?)", (cwd, project.key, project.worktree)
        )


def _linked(folder: Path, git: Path) -> Project:
    """A `.git` file points to the repository's folder for this worktree, and that folder's `commondir` to the common one."""
    with git.open("rb") as file:
        pointer = file.read(_MAX_POINTER).decode("utf-8", "replace").strip()
    if not pointer.startswith("gitdir:"):
        return Project(str(folder))
    own = folder / pointer.removeprefix("gitdir:").strip()
    common_file = own / "commondir"
    if not common_file.is_file():
        return Project(str(folder))  # a submodule: a repository of its own
    with common_file.open("rb") as file:
        common = Path(os.path.realpath(own / file.read(_MAX_POINTER).decode("utf-8", "replace").strip()))
    key = common.parent if common.name == ".git" else common
    return Project(str(key), folder.name)
