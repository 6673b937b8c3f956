"""`init`: the files of a new vault, or those that an existing folder lacks. Nothing that exists is ever changed."""

from datetime import tzinfo
from pathlib import Path

import msgspec

from lith.wiki.address import derived_book
from lith.wiki.adoption import COUNTER, LEGACY_PAGES
from lith.wiki.dates import local_day
from lith.wiki.errors import NoVault
from lith.wiki.journal import NEW_LOG
from lith.wiki.manifest import MANIFEST, read_manifest
from lith.wiki.snapshot import load
from lith.wiki.transaction import Change, writing
from lith.wiki.vault import Vault, scan

_INDEX = b'---\ntype: meta\ntitle: "Index"\n---\n\n# Index\n'
_OVERVIEW = b'---\ntype: meta\ntitle: "Overview"\n---\n\n# Overview\n'


class Created(msgspec.Struct, frozen=True):
    """The vault's root and the files that were made."""

    root: str
    paths: list[str]


def init_vault(folder: Path, *, now: int, zone: tzinfo | None = None) -> Created:
    """Make `folder` a vault. A folder with pages but without `wiki/` keeps its layout; otherwise pages go under `wiki/`."""
    if folder.exists() and not folder.is_dir():
        raise NoVault(f"{folder} is not a folder")
    folder.mkdir(parents=True, exist_ok=True)
    root = folder.resolve()
    has_wiki = (root / "wiki").is_dir() and not (root / "wiki").is_symlink()
    flat = not has_wiki and bool(scan(Vault(root=root, base="")).pages)
    vault = Vault(root=root, base="" if flat else "wiki/")
    day = local_day(now, zone).isoformat()
    legacy = f"# Pages that are excused from having an address, one path per line.\n# rollout: {day}\n".encode()
    with writing(vault, now=now) as writer:
        snapshot = load(vault)
        manifest = read_manifest(vault)
        manifest.document.setdefault("version", 1)
        counter = derived_book(snapshot, manifest).next_number("c")
        wanted = {
            COUNTER: f"{counter}\n".encode(),
            LEGACY_PAGES: legacy,
            MANIFEST: manifest.encode(),
            f"{vault.base}index.md": _INDEX,
            f"{vault.base}log.md": NEW_LOG,
            f"{vault.base}overview.md": _OVERVIEW,
        }
        missing = [Change(path, None, data) for path, data in wanted.items() if writer.read(path) is None]
        written = writer.commit("init", missing)
    return Created(root=str(root), paths=written.paths)
