"""The skill files that teach an agent to maintain a wiki with these commands, and their installation.

Skills are package data. A file that somebody changed is never overwritten without being asked to.
"""

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import msgspec

from lith.errors import UsageError
from lith.kernel.files import is_within, storage_errors
from lith.wiki.errors import OutsideVault

FOLDER = ".claude/skills"


class SkillFile(msgspec.Struct, frozen=True):
    """One skill at its place: `new`, `same`, `changed` (somebody edited it), `written`, or `replaced`."""

    name: str
    path: str
    status: str


def list_skills() -> list[str]:
    """The names of the skills."""
    return sorted(
        entry.name.removesuffix(".md") for entry in files("lith.wiki").joinpath("skills").iterdir() if entry.name.endswith(".md")
    )


def read_skill(name: str) -> str:
    """The text of a skill. Raises `UsageError` for a name that is none."""
    if name not in list_skills():
        raise UsageError(f"{name!r} is no skill", hint=f"skills are {', '.join(list_skills())}")
    return files("lith.wiki").joinpath("skills", f"{name}.md").read_text(encoding="utf-8")


def plan_skills(root: Path, names: Sequence[str] = (), *, folder: str = FOLDER) -> list[SkillFile]:
    """What `install_skills` would find: each skill's place under `root`, and whether it is new, the same, or changed."""
    planned: list[SkillFile] = []
    for name in names or list_skills():
        text = read_skill(name)
        place = root / folder / name / "SKILL.md"
        if not is_within(place, root):
            raise OutsideVault(f"{folder} leaves {root}")
        try:
            status = "same" if place.read_text(encoding="utf-8") == text else "changed"
        except FileNotFoundError:
            status = "new"
        except UnicodeDecodeError:
            status = "changed"
        planned.append(SkillFile(name, str(place), status))
    return planned


def install_skills(root: Path, names: Sequence[str] = (), *, folder: str = FOLDER, force: bool = False) -> list[SkillFile]:
    """Write the skills under `root`; a changed file stays unless `force`. Writes at once. Raises `UsageError`, `StorageError`."""
    done: list[SkillFile] = []
    for item in plan_skills(root, names, folder=folder):
        status = item.status
        if status == "new" or (status == "changed" and force):
            place = Path(item.path)
            with storage_errors(f"write {place}"):
                place.parent.mkdir(parents=True, exist_ok=True)
                temp = place.with_name(".SKILL.md.tmp")
                temp.write_text(read_skill(item.name), encoding="utf-8", newline="\n")
                temp.replace(place)
            status = "written" if status == "new" else "replaced"
        done.append(SkillFile(item.name, item.path, status))
    return done
