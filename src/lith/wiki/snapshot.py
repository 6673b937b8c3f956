"""The state of a vault at one moment: every page's facts, every file's name, and what links mean.

Every reading command begins with `load`. A second run over an unchanged vault opens no page: the cache knows what each said.
"""

import contextlib
import gc
from collections.abc import Iterator
from datetime import date, tzinfo
from functools import cached_property

from lith.kernel.files import is_within, storage_errors
from lith.wiki import cache, dates
from lith.wiki.gitdates import read_git_dates
from lith.wiki.links import Link
from lith.wiki.page import MAX_PAGE, Facts, read_page
from lith.wiki.resolve import Resolution, Resolver
from lith.wiki.transaction import recover
from lith.wiki.vault import PAGE_SUFFIX, FileStat, Refusal, Vault, scan

META_NAMES = frozenset({"_index", "index", "log", "hot", "overview", "dashboard", "Wiki Map", "getting-started"})
META_TYPES = frozenset({"meta", "fold"})
META_FOLDERS = ("folds/", "meta/")


class Snapshot:
    """A vault as it was read; its pages are in path order."""

    def __init__(
        self,
        vault: Vault,
        pages: dict[str, Facts],
        stats: dict[str, FileStat],
        files: list[str],
        refused: list[Refusal],
        read: int,
    ) -> None:
        self.vault = vault
        self.pages = pages
        self.stats = stats
        self.files = files
        self.refused = refused
        self.pages_read = read
        """How many pages had to be opened; 0 when the cache knew all of them."""

    @cached_property
    def resolver(self) -> Resolver:
        """The resolver of this state."""
        return Resolver({path: facts.aliases for path, facts in self.pages.items()}, self.files, self._exists)

    def resolve(self, link: Link, source: str) -> Resolution:
        """What a link on the page `source` means."""
        return self.resolver.resolve(link, source)

    def _exists(self, path: str) -> bool:
        place = self.vault.at(path)
        return place.is_file() and is_within(place, self.vault.root)

    @cached_property
    def git_dates(self) -> dict[str, tuple[int, int]]:
        """First and last commit of each path, in seconds; read only when asked for."""
        return read_git_dates(self.vault)

    def updated(self, path: str, zone: tzinfo | None = None) -> date:
        """The day a page was last worked on: `updated`, else `created`, else git, else the file's time."""
        facts = self.pages[path]
        named = dates.read_day(facts.updated, zone) or dates.read_day(facts.created, zone)
        return named or self._other_day(path, last=True, zone=zone)

    def created(self, path: str, zone: tzinfo | None = None) -> date:
        """The day a page was made: `created`, else its first commit, else the file's time."""
        return dates.read_day(self.pages[path].created, zone) or self._other_day(path, last=False, zone=zone)

    def _other_day(self, path: str, *, last: bool, zone: tzinfo | None) -> date:
        commits = self.git_dates.get(path)
        if commits is not None:
            return dates.local_day(commits[1 if last else 0] * 1000, zone)
        return dates.day_of_ns(self.stats[path].mtime_ns, zone)

    def is_meta(self, path: str) -> bool:
        """Whether a page is about the wiki itself: by type, by name, or by folder; such pages have no score and no address."""
        if path.startswith(self._meta_folders) or any(kind.lower() in META_TYPES for kind in self.pages[path].types):
            return True
        return path.rsplit("/", 1)[-1][: -len(PAGE_SUFFIX)] in META_NAMES

    @cached_property
    def _meta_folders(self) -> tuple[str, ...]:
        return tuple(base + folder for base in ("wiki/", self.vault.base) for folder in META_FOLDERS)

    @cached_property
    def content(self) -> list[str]:
        """The pages that are not about the wiki itself, in path order."""
        return [path for path in self.pages if not self.is_meta(path)]


@contextlib.contextmanager
def many_values() -> Iterator[None]:
    """For a block that makes many small values that live on, none of them in a cycle: the collector would only walk them."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def load(vault: Vault, *, use_cache: bool = True) -> Snapshot:
    """Read a vault: stats of all files, content only of pages that changed since the last time. Raises `StorageError`."""
    recover(vault)
    with many_values():
        return _load(vault, use_cache=use_cache)


def _load(vault: Vault, *, use_cache: bool) -> Snapshot:
    seen = scan(vault)
    rows = cache.read_rows(vault) if use_cache else {}
    pages: dict[str, Facts] = {}
    changed: dict[str, tuple[FileStat, Facts]] = {}
    refused = list(seen.refused)
    stats: dict[str, FileStat] = {}
    for path, stat in seen.pages.items():
        row = rows.get(path)
        facts = cache.decode_facts(row[1]) if row is not None and row[0] == stat else None
        if facts is None:
            facts = _read(vault, path, refused)
            if facts is None:
                continue
            changed[path] = (stat, facts)
        pages[path] = facts
        stats[path] = stat
    gone = [path for path in rows if path not in pages]
    if use_cache and (changed or gone):
        cache.write_rows(vault, changed, gone)
    return Snapshot(vault, pages, stats, seen.files, refused, len(changed))


def _read(vault: Vault, path: str, refused: list[Refusal]) -> Facts | None:
    stem = path.rsplit("/", 1)[-1][: -len(PAGE_SUFFIX)]
    try:
        with vault.at(path).open("rb") as file:
            data = file.read(MAX_PAGE + 1)
    except FileNotFoundError:
        return None  # deleted between the scan and now
    except OSError as error:
        refused.append(Refusal(path, f"cannot be read: {error.strerror}"))
        return None
    return read_page(data, stem)


def read_bytes(vault: Vault, path: str) -> bytes:
    """The bytes of a page or state file of the vault. Raises `StorageError`."""
    with storage_errors(f"read {path}"):
        return vault.at(path).read_bytes()
