"""Which files on this machine belong to which session: what an archive run is about.

A session owns its transcripts, those of its sub-agents, and what its client keeps beside them. Whose a transcript is, its first record
says; whose another file is, the folder or the name that it shares with a transcript.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path

from lith.archive import ArchiveItem
from lith.errors import NoMap
from lith.ingest.project import open_regular
from lith.keep import iter_named
from lith.kernel.zstd import SUFFIXES, ZstdReader
from lith.ops.roots import plan_roots
from lith.ops.runtime import Runtime
from lith.sources.base import Candidate, Source
from lith.sources.registry import SOURCES
from lith.store.map.files import find_owners

_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_TROUBLE = frozenset({"outside_root", "broken_link", "folder", "special_file", "unreadable", "unreadable_name"})
_OF_NO_SESSION = frozenset({"memory", "index", "history"})

Owners = Mapping[tuple[str, str, str], str]


def find_items(runtime: Runtime, sources: tuple[str, ...] = (), since: int | None = None) -> list[ArchiveItem]:
    """Every file of every session below the roots, by root and path; with `since` (milliseconds) those that changed since.

    Raises `UnknownSource`, `ConfigError` and what reading the map raises, but for one that is not there.
    """
    owners = load_owners(runtime)
    items = chain.from_iterable(
        _iter_root(SOURCES[spec.source], Path(spec.path).resolve(), owners) for spec in plan_roots(runtime, sources)
    )
    return [item for item in items if since is None or _changed_since(item.absolute, since)]


def load_owners(runtime: Runtime) -> Owners:
    """The session of each file, as far as the map knows it."""
    try:
        with runtime.reading() as connection:
            return find_owners(connection)
    except NoMap:
        return {}


def find_owner(source: Source, root: Path, relative: str, owners: Owners) -> str:
    """The session (native id) that a transcript belongs to. Raises `OSError` where the map does not know and it cannot be read."""
    known = owners.get((source.name, str(root), relative))
    if known is not None:
        return known
    return _read_owner(source, root, relative) or source.file_context(relative, b"").transcript


def _iter_root(source: Source, root: Path, owners: Owners) -> Iterator[ArchiveItem]:
    if not root.is_dir():
        return
    beside: list[Candidate] = []
    by_place: dict[str, str] = {}
    for candidate in source.iter_candidates(root):
        if candidate.skip is not None:
            beside.append(candidate)
        elif not candidate.path.is_symlink():
            try:
                session = find_owner(source, root, candidate.relative, owners)
            except OSError:
                session = source.file_context(candidate.relative, b"").transcript  # the run says what is wrong with it
            by_place.setdefault(_stem(candidate.relative), session)
            yield ArchiveItem(source.name, session, candidate.relative, candidate.path)
    for candidate in beside:
        if candidate.skip in _TROUBLE | _OF_NO_SESSION or candidate.path.is_symlink() or not candidate.path.is_file():
            continue
        owner = _owner_beside(source.name, candidate.relative, by_place)
        if owner is None and ".jsonl" in candidate.path.name:
            owner = _owner_by_record(source, root, candidate.relative)
        if owner is not None:
            yield ArchiveItem(source.name, owner, candidate.relative, candidate.path)


def _owner_beside(source: str, relative: str, by_place: Mapping[str, str]) -> str | None:
    """The session of a file that is no transcript; None for one that belongs to none."""
    place = _stem(relative)
    if place in by_place:
        return by_place[place]
    folder = relative.rpartition("/")[0]
    while folder:
        if folder in by_place:
            return by_place[folder]
        if source == "dsh" and f"{folder}/session" in by_place:
            return by_place[f"{folder}/session"]
        name = folder.rpartition("/")[2]
        if _ID.fullmatch(name):
            return name
        folder = folder.rpartition("/")[0]
    found = _ID.search(relative.rpartition("/")[2])
    return found[0] if found else None


def _owner_by_record(source: Source, root: Path, relative: str) -> str | None:
    """The session that the first record of a file in an unknown place names; None for a file without records."""
    try:
        return _read_owner(source, root, relative)
    except OSError:
        return None


def _read_owner(source: Source, root: Path, relative: str) -> str | None:
    raw = open_regular(root / relative)
    with ZstdReader(raw) if relative.endswith(SUFFIXES) else raw as file:
        for _, record in iter_named(source.name, relative, file):
            if record is not None:
                return record.transcript
    return None


def _stem(relative: str) -> str:
    """A path without the endings of its name."""
    folder, slash, name = relative.rpartition("/")
    return f"{folder}{slash}{name.partition('.')[0] or name}"


def _changed_since(path: Path, since: int) -> bool:
    try:
        return path.stat().st_mtime_ns // 1_000_000 >= since
    except OSError:
        return True
