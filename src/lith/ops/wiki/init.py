"""`wiki init`: make a folder a vault, or give an existing one the files that it lacks."""

from lith.errors import UsageError
from lith.ops.runtime import Runtime
from lith.ops.wiki.place import VaultRequest, VaultResult, command, typed_path
from lith.wiki import find_vault, init_vault
from lith.wiki.errors import NoVault


class InitRequest(VaultRequest, frozen=True, kw_only=True):
    """`folder` or `vault` names the folder; neither means the working directory."""

    folder: str | None = None


class InitResult(VaultResult, frozen=True, kw_only=True):
    """The files that were made; none where the vault had all of them."""

    items: list[str]
    total: int
    next: list[list[str]] | None = None


def init(request: InitRequest, runtime: Runtime) -> InitResult:
    """Make a vault. Raises `UsageError` for a folder inside another vault that was not named, `NoVault` for what is no folder."""
    if request.folder is not None and request.vault is not None:
        raise UsageError("the folder is named twice", hint="give FOLDER or --vault")
    word = request.folder or request.vault
    if word is None:
        _refuse_inner(runtime)
    created = init_vault(typed_path(word or ".", runtime), now=runtime.clock())
    named = VaultRequest(vault=word)
    following = [command(named, runtime, "lint")]
    return InitResult(vault=created.root, items=created.paths, total=len(created.paths), next=following)


def _refuse_inner(runtime: Runtime) -> None:
    try:
        outer = find_vault(runtime.cwd)
    except NoVault:
        return
    if outer.root != runtime.cwd.resolve():
        raise UsageError(
            f"this folder is inside the vault {outer.root}", hint="--vault . makes a vault of its own here all the same"
        )
