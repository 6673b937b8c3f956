"""Where a vault is, what lies in it, and which paths may be touched.

Every verb of the room begins here. This module lists names and stats; it never reads a page and never follows a symlink.
"""

import os
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import msgspec

from lith.kernel.files import is_within, storage_errors
from lith.wiki.errors import NoVault, OutsideVault

MARKERS = (".obsidian", ".vault-meta", "wiki")
META = ".vault-meta"
LOCAL = f"{META}/local"
"""What belongs to this machine only (caches, lock, journal); it carries its own `.gitignore`."""
RAW = ".raw"
PAGE_SUFFIX = ".md"
TEMPLATE_FOLDERS = frozenset({"templates", "_templates", "template", "_template"})

_HIDDEN = re.compile(r"(?i)\.|git~\d")
_HIDDEN_FILES = frozenset({f"{RAW}/.manifest.json", f"{LOCAL}/.gitignore"})
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$")
_FORBIDDEN = re.compile(r'[<>:"|?*\x00-\x1f\\]')


class Vault(msgspec.Struct, frozen=True):
    """A vault: its root (resolved), and `base`, the folder of its wiki files (`wiki/`, or empty for a plain folder)."""

    root: Path
    base: str

    def at(self, relative: str) -> Path:
        """The place of a vault path (slashes) on this disk."""
        return self.root.joinpath(*relative.split("/"))


class FileStat(msgspec.Struct, frozen=True, gc=False):
    """What a stat says about a file: enough to know that it is unchanged."""

    mtime_ns: int
    size: int


class Refusal(msgspec.Struct, frozen=True):
    """A path that the scan left out, and why."""

    path: str
    reason: str


class Scan(msgspec.Struct, frozen=True):
    """Everything a scan saw: pages with their stats, other files, and what was refused."""

    pages: dict[str, FileStat]
    files: list[str]
    refused: list[Refusal]


def find_vault(start: Path, explicit: Path | None = None) -> Vault:
    """The vault at `explicit`, or the nearest folder at or above `start` that has a marker. Raises `NoVault`."""
    if explicit is not None:
        if not explicit.is_dir():
            raise NoVault(f"{explicit} is not a folder", hint="give the vault's folder to --vault")
        return _vault(explicit)
    here = start.resolve()
    for folder in (here, *here.parents):
        if any((folder / marker).is_dir() for marker in MARKERS):
            return _vault(folder)
    raise NoVault(
        f"no vault at or above {start}",
        hint="a vault has a folder .obsidian, .vault-meta or wiki; or name one with --vault",
        next=[["lith", "wiki", "init", "--vault", "."]],
    )


def _vault(folder: Path) -> Vault:
    root = folder.resolve()
    wiki = root / "wiki"
    return Vault(root=root, base="wiki/" if wiki.is_dir() and not wiki.is_symlink() else "")


def scan(vault: Vault) -> Scan:
    """List the vault: one stat per page, no content read; hidden folders, templates and symlinks are left out."""
    pages: dict[str, FileStat] = {}
    files: list[str] = []
    refused: list[Refusal] = []
    with storage_errors(f"list the vault {vault.root}"):
        for entry, path in _walk(vault.root, refused):
            if not path.lower().endswith(PAGE_SUFFIX):
                files.append(path)
                continue
            stat = entry.stat(follow_symlinks=False)
            pages[path] = FileStat(mtime_ns=stat.st_mtime_ns, size=stat.st_size)
    files.sort()
    refused.sort(key=lambda refusal: refusal.path)
    return Scan(pages=dict(sorted(pages.items())), files=files, refused=refused)


def _walk(root: Path, refused: list[Refusal]) -> Iterator[tuple["os.DirEntry[str]", str]]:
    pending = [(str(root), "")]
    while pending:
        folder, prefix = pending.pop()
        try:
            entries = list(os.scandir(folder))
        except OSError as error:
            if not prefix:
                raise
            refused.append(Refusal(prefix.rstrip("/"), f"cannot be listed: {error.strerror}"))
            continue
        for entry in entries:
            name = entry.name
            if name.startswith("."):
                continue
            path = prefix + name
            if any("\ud800" <= char <= "\udfff" for char in name):
                shown = os.fsencode(path).decode("utf-8", "replace")
                refused.append(Refusal(shown, "the name is not UTF-8"))
            elif entry.is_symlink():
                refused.append(Refusal(path, "a symlink: a vault holds its own files only"))
            elif entry.is_dir(follow_symlinks=False):
                if name.lower() not in TEMPLATE_FOLDERS:
                    pending.append((entry.path, path + "/"))
            elif entry.is_file(follow_symlinks=False):
                yield entry, path
            elif name.lower().endswith(PAGE_SUFFIX):
                refused.append(Refusal(path, "not a regular file"))


def confine(vault: Vault, path: str | Path) -> str:
    """The vault path of what a user typed (relative to the root, or absolute inside it). Raises `OutsideVault`."""
    typed = Path(path)
    if typed.is_absolute():
        try:
            relative = typed.resolve().relative_to(vault.root)
        except (ValueError, OSError, RuntimeError) as error:
            raise OutsideVault(f"{path} is not in the vault {vault.root}") from error
        return relative.as_posix()
    pure = PurePosixPath(str(path).replace(os.sep, "/"))
    if ".." in pure.parts or pure.is_absolute() or (pure.parts and pure.parts[0].endswith(":")):
        raise OutsideVault(f"{path} leaves the vault")
    return pure.as_posix()


def writable(vault: Vault, relative: str) -> Path:
    """The place of a vault path that lith may write: inside, through no symlink, and in no hidden folder but its own.

    A vault may come from a stranger: nothing in it (a journal, a ledger, a manifest) may lead a write into `.git`, `.obsidian` or the like.
    Raises `OutsideVault`.
    """
    clean = confine(vault, relative)
    if clean not in _HIDDEN_FILES and any(
        _HIDDEN.match(part) for part in clean.removeprefix(RAW + "/").removeprefix(META + "/").split("/")
    ):
        raise OutsideVault(f"{relative} is in a hidden folder, where lith writes nothing")
    place = vault.at(clean)
    walk = place
    while walk != vault.root:
        if walk.is_symlink():
            raise OutsideVault(f"{relative} goes through a symlink", hint="lith writes only to the vault's own files")
        walk = walk.parent
    if not is_within(place, vault.root):
        raise OutsideVault(f"{relative} leaves the vault")
    return place


def fold_name(text: str) -> str:
    """The form in which names are compared: composed (NFC) and without case."""
    return unicodedata.normalize("NFC", text).lower()


def name_problem(name: str) -> str | None:
    """Why a file name does not survive every system a vault is synced to; None when it does."""
    if _FORBIDDEN.search(name):
        return "has a character that Windows forbids"
    if _RESERVED.match(name):
        return "is a device name on Windows"
    if name != name.rstrip(" ."):
        return "ends with a space or a dot"
    if len(name.encode("utf-8", "surrogatepass")) > 240:
        return "is longer than file systems allow"
    return None


def safe_name(title: str) -> str:
    """A file name (without suffix) for a title: readable, and valid on every system."""
    name = unicodedata.normalize("NFC", title)
    name = re.sub(r"[\[\]#^]", " ", _FORBIDDEN.sub(" ", name.replace("/", " ")))
    name = re.sub(r"\s+", " ", name).strip(" .")
    while len(name.encode("utf-8", "ignore")) > 120:
        name = name[:-1].rstrip(" .")
    name = name.encode("utf-8", "ignore").decode("utf-8")
    if not name or _RESERVED.match(name):
        name = f"Page {name}".strip()
    return name
