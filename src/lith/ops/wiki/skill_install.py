"""`wiki skill install`: skill files that teach an agent these commands, at once; a file that somebody changed stays."""

import msgspec

from lith.ops.runtime import Runtime
from lith.ops.wiki.place import VaultRequest, command, opened
from lith.wiki import install_skills
from lith.wiki.skill import FOLDER, SkillFile


class SkillInstallRequest(VaultRequest, frozen=True, kw_only=True):
    """Skills by name (none: all), into `folder` of the vault or, with `user`, of the home; `force` replaces changed files."""

    names: tuple[str, ...] = ()
    folder: str = FOLDER
    user: bool = False
    force: bool = False


class SkillInstallResult(msgspec.Struct, frozen=True, kw_only=True):
    """Each skill at its place under `root`, and what became of it."""

    root: str
    items: list[SkillFile]
    total: int
    next: list[list[str]] | None = None


def skill_install(request: SkillInstallRequest, runtime: Runtime) -> SkillInstallResult:
    """Write skill files. Raises `UsageError`, `OutsideVault`, `StorageError`."""
    if request.user:
        root = runtime.home
        items = install_skills(root, request.names, folder=request.folder, force=request.force)
    else:
        with opened(request, runtime) as vault:
            root = vault.root
            items = install_skills(root, request.names, folder=request.folder, force=request.force)
    changed = [item.name for item in items if item.status == "changed"]
    where = ["--user"] if request.user else []
    return SkillInstallResult(
        root=str(root),
        items=items,
        total=len(items),
        next=[command(request, runtime, "skill", "install", *changed, *where, "--force")] if changed else None,
    )
