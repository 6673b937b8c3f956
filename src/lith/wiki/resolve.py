"""The one resolver: which page or file a link means.

Exact path, then unique stem, then alias, all compared composed and without case. Several candidates are an answer of their own
(`ambiguous`), never a guess. It knows names only and never opens a page.
"""

import posixpath
from collections.abc import Callable, Iterable, Mapping
from urllib.parse import unquote

import msgspec

from lith.wiki.links import MARKDOWN, Link
from lith.wiki.vault import PAGE_SUFFIX, fold_name

PAGE = "page"
FILE = "file"
AMBIGUOUS = "ambiguous"
DEAD = "dead"


class Resolution(msgspec.Struct, frozen=True, gc=False):
    """What a link means: `kind` is page, file, ambiguous or dead; `how` is path, stem, alias or self."""

    kind: str
    path: str = ""
    how: str = ""
    candidates: tuple[str, ...] = ()


_DEAD = Resolution(DEAD)


class Resolver:
    """Answers for one state of a vault; build a new one when names change."""

    def __init__(self, pages: Mapping[str, Iterable[str]], files: Iterable[str], exists: Callable[[str], bool]) -> None:
        """`pages` maps page paths to their aliases; `exists` answers for hidden paths (`.raw/…`) that no scan lists."""
        self._exact = {path: path for path in pages}
        self._by_path: dict[str, list[str]] = {}
        self._by_stem: dict[str, list[str]] = {}
        self._by_alias: dict[str, list[str]] = {}
        self._files: dict[str, str] = {}
        self._by_basename: dict[str, list[str]] = {}
        folders = {path.rpartition("/")[0] for path in (*pages, *files)}
        self._folders = {fold_name(folder[:at]) for folder in folders for at in (*_slashes(folder), len(folder))}
        self._exists = exists
        self._memo: dict[str, Resolution] = {}
        for path, aliases in pages.items():
            key = fold_name(path[: -len(PAGE_SUFFIX)])
            self._by_path.setdefault(key, []).append(path)
            self._by_stem.setdefault(key.rsplit("/", 1)[-1], []).append(path)
            for alias in aliases:
                owners = self._by_alias.setdefault(fold_name(alias), [])
                if path not in owners:
                    owners.append(path)
        for path in files:
            key = fold_name(path)
            self._files.setdefault(key, path)
            self._by_basename.setdefault(key.rsplit("/", 1)[-1], []).append(path)

    def resolve(self, link: Link, source: str) -> Resolution:
        """What `link` on the page `source` means."""
        known = self._memo.get(link.target)
        if known is not None and link.kind != MARKDOWN:
            return known  # the memo holds only targets that mean the same on every page
        if not link.target:
            return Resolution(PAGE, source, "self")
        if link.kind == MARKDOWN:
            return self._markdown(link.target, source)
        if link.target.startswith("."):
            relative = self._relative(link.target, source)
            return relative if relative.kind != DEAD else self.resolve_name(link.target)
        known = self._memo[link.target] = self.resolve_name(link.target)
        return known

    def resolve_name(self, name: str) -> Resolution:
        """What a name or path means, as a wikilink target; percent escapes count only where the name itself finds nothing."""
        found = self._name(name)
        if found.kind == DEAD and "%" in name:
            plain = unquote(name)
            if plain != name and "\0" not in plain:
                return self._name(plain)
        return found

    def _name(self, name: str) -> Resolution:
        target = name.strip().lstrip("/")
        page = self._page(target)
        if page.kind == DEAD and fold_name(target).endswith(PAGE_SUFFIX):
            page = self._page(target[: -len(PAGE_SUFFIX)])
        if page.kind != DEAD:
            return page
        return self._file(target)

    def _page(self, target: str) -> Resolution:
        if target + PAGE_SUFFIX in self._exact:
            return Resolution(PAGE, target + PAGE_SUFFIX, "path")
        key = fold_name(target)
        if key in self._by_path:
            return _one_of(self._by_path[key], "path")
        if "/" in key:
            tail = "/" + key
            matches = [path for path in self._by_stem.get(key.rsplit("/", 1)[-1], ()) if _ends_with(path, tail)]
            if matches:
                return _one_of(matches, "path")
        elif key in self._by_stem:
            return _one_of(self._by_stem[key], "stem")
        if key in self._by_alias:
            return _one_of(self._by_alias[key], "alias")
        return _DEAD

    def _file(self, target: str) -> Resolution:
        key = fold_name(target)
        if key in self._files:
            return Resolution(FILE, self._files[key], "path")
        named = self._by_basename.get(key.rsplit("/", 1)[-1], [])
        matches = [path for path in named if fold_name(path).endswith("/" + key)]
        if matches:
            return Resolution(FILE, min(matches), "path" if "/" in key else "stem")
        if target.startswith(".") and self._hidden(target):
            return Resolution(FILE, posixpath.normpath(target), "path")
        return _DEAD

    def _hidden(self, path: str) -> bool:
        clean = posixpath.normpath(path)
        return not clean.startswith("..") and self._exists(clean)

    def _relative(self, target: str, source: str) -> Resolution:
        joined = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        if joined.startswith(".."):
            return _DEAD
        for name in (joined, joined[: -len(PAGE_SUFFIX)] if joined.lower().endswith(PAGE_SUFFIX) else joined):
            key = fold_name(name)
            if name + PAGE_SUFFIX in self._exact:
                return Resolution(PAGE, name + PAGE_SUFFIX, "path")
            if key in self._by_path:
                return _one_of(self._by_path[key], "path")
        key = fold_name(joined)
        if key in self._files:
            return Resolution(FILE, self._files[key], "path")
        if key in self._folders or joined == "." or self._hidden(joined):
            return Resolution(FILE, joined, "path")
        return _DEAD

    def _markdown(self, target: str, source: str) -> Resolution:
        if not target.startswith("/"):
            found = self._relative(target, source)
            if found.kind != DEAD:
                return found
        if ".." in target.split("/"):
            return _DEAD
        if target.startswith("/") and fold_name(target.strip("/")) in self._folders:
            return Resolution(FILE, target.strip("/"), "path")
        return self._name(target.strip("/"))

    def twins(self) -> Iterable[tuple[str, list[str]]]:
        """Stems that several pages share, with those pages."""
        return ((stem, sorted(paths)) for stem, paths in sorted(self._by_stem.items()) if len(paths) > 1)

    def names(self) -> Iterable[tuple[str, str]]:
        """Every name that resolves to one page: (compared form, page), stems first."""
        for table in (self._by_stem, self._by_alias):
            for name, paths in table.items():
                if len(paths) == 1:
                    yield name, paths[0]


def _slashes(path: str) -> list[int]:
    return [at for at, char in enumerate(path) if char == "/"]


def _one_of(paths: list[str], how: str) -> Resolution:
    if len(paths) == 1:
        return Resolution(PAGE, paths[0], how)
    return Resolution(AMBIGUOUS, how=how, candidates=tuple(sorted(paths)))


def _ends_with(path: str, tail: str) -> bool:
    return ("/" + fold_name(path[: -len(PAGE_SUFFIX)])).endswith(tail)
