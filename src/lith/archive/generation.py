"""Generations: which segments make up the states of a file, read from the folders and the segments themselves.

No index is trusted for it: what is on the disk is what there is. A segment that a later one covers entirely is a leftover of a merge that
was interrupted, and is not part of the generation.
"""

import os
import stat
from collections.abc import Collection, Iterator
from pathlib import Path

import msgspec

from lith.archive import layout
from lith.archive.errors import ArchiveDamaged, NotArchived
from lith.archive.layout import FileKey
from lith.archive.segment import FORMAT, Segment, SegmentFacts, read_segment, rebuild_segment
from lith.records.address import SOURCES

_NO_BYTES = ""
_MEANWHILE = 5


class Generation(msgspec.Struct, frozen=True):
    """The byte-exact state of one file at one time, as segments in order.

    `problems` says what is wrong with it: a gap, an unreadable end of a segment, a segment of another file. `leftovers` are files in its
    folder that are not part of it.
    """

    key: FileKey
    number: int
    folder: Path
    segments: tuple[Segment, ...]
    problems: tuple[str, ...] = ()
    leftovers: tuple[Path, ...] = ()

    @property
    def length(self) -> int:
        """How many raw bytes it holds."""
        return self.segments[-1].facts.end if self.segments else 0

    @property
    def stored(self) -> int:
        """How many bytes its segments take on the disk."""
        return sum(segment.size for segment in self.segments)

    @property
    def chain(self) -> str:
        """The digest of the chain of its segments."""
        return self.segments[-1].facts.chain if self.segments else _NO_BYTES

    @property
    def whole(self) -> str | None:
        """The SHA-256 of all its bytes, where a segment states it."""
        return self.segments[-1].facts.whole if self.segments else None

    @property
    def at(self) -> int:
        """When the last of it was archived, in milliseconds UTC."""
        return self.segments[-1].facts.at if self.segments else 0


def find_generations(root: Path, key: FileKey) -> list[Generation]:
    """The generations of a file, oldest first. Raises `ArchiveRefused` where a symlink stands in the way, `OSError`."""
    folder = layout.file_dir(root, key)
    layout.check_inside(root, folder)
    found = [_load(key, number, path) for number, path in _numbered_folders(folder)]
    return [one for one in found if one.segments or one.problems]


def next_number(root: Path, key: FileKey) -> int:
    """The number of a new generation of a file: one that no folder has, be it empty."""
    return max((number for number, _ in _numbered_folders(layout.file_dir(root, key))), default=0) + 1


def find_empty(root: Path, key: FileKey) -> list[Path]:
    """Folders of generations that a run began and died before their first segment."""
    return [path for number, path in _numbered_folders(layout.file_dir(root, key)) if not _segment_files(path)]


def get_generation(root: Path, key: FileKey, number: int | None = None) -> Generation:
    """One generation of a file, the last without `number`. Raises `NotArchived`."""
    generations = find_generations(root, key)
    for generation in generations if number is not None else generations[-1:]:
        if number in {None, generation.number}:
            return generation
    known = ", ".join(str(one.number) for one in generations) or "none"
    raise NotArchived(
        f"the archive has no generation{'' if number is None else f' {number}'} of {key.path}", hint=f"generations there: {known}"
    )


def iter_generations(root: Path, source: str | None = None, session: str | None = None) -> Iterator[Generation]:
    """Every generation in the archive, or those of one client or session, by folder. Raises `ArchiveRefused`, `OSError`."""
    sources = [root / source] if source else [folder for folder in _folders(root) if folder.name in SOURCES]
    for source_folder in sources:
        sessions = [layout.session_dir(root, source_folder.name, session)] if session else _folders(source_folder)
        for session_folder in sessions:
            layout.check_inside(root, session_folder)
            for file_folder in _folders(session_folder):
                yield from _iter_below(file_folder)


class Mark(msgspec.Struct, frozen=True):
    """A generation as its folder alone shows it: `path` below the archive, number and size of its last segment file."""

    source: str
    path: str
    segment: int
    stored: int


def iter_marks(root: Path, sources: Collection[str] = SOURCES) -> Iterator[Mark]:
    """Every generation in the archive without opening a file: what an index needs to see whether anything changed. Raises `OSError`."""
    for source_folder in (folder for folder in _folders(root) if folder.name in SOURCES and folder.name in sources):
        for session_folder in _folders(source_folder):
            for file_folder in _folders(session_folder):
                for _, folder in _numbered_folders(file_folder):
                    files = _segment_files(folder)
                    if files:
                        number = layout.segment_number(files[-1].name) or 0
                        path = folder.relative_to(root).as_posix()
                        yield Mark(source_folder.name, path, number, files[-1].stat().st_size)


def load_generation(root: Path, path: str) -> Generation:
    """The generation in a folder, named by its path below the archive. Raises `NotArchived`, `ArchiveRefused`, `OSError`."""
    folder = root / path
    layout.check_inside(root, folder)
    number = layout.generation_number(folder.name)
    if number is None or not folder.is_dir():
        raise NotArchived(f"the archive has no generation at {path}")
    return _load(None, number, folder)


def _iter_below(file_folder: Path) -> Iterator[Generation]:
    """The generations in a folder whose key only its segments can tell."""
    for number, folder in _numbered_folders(file_folder):
        generation = _load(None, number, folder)
        if generation.segments or generation.problems:
            yield generation


def _load(key: FileKey | None, number: int, folder: Path) -> Generation:
    """A generation as it is; read again where a run took segments away in the meantime."""
    for _ in range(_MEANWHILE):
        files = _segment_files(folder)
        generation = _load_files(key, number, folder, files)
        if not generation.problems or all(file.exists() for file in files):
            break
    return generation


def _load_files(key: FileKey | None, number: int, folder: Path, files: list[Path]) -> Generation:
    problems: list[str] = []
    read: list[Segment | Path] = []
    for file in files:
        try:
            segment = read_segment(file)
        except (ArchiveDamaged, OSError) as error:
            problems.append(error.message if isinstance(error, ArchiveDamaged) else f"{file} cannot be read: {error.strerror}")
            read.append(file)
            continue
        own = FileKey(segment.facts.source, segment.facts.session, segment.facts.path)
        key = key or own
        if (own.source, own.path, own.main_session, segment.facts.generation) != (key.source, key.path, key.main_session, number):
            problems.append(f"{file} belongs to generation {segment.facts.generation} of {own.path}")
            continue
        read.append(segment)
    key = key or FileKey(folder.parents[2].name, folder.parents[1].name, folder.parent.name)
    segments, leftovers = _order(_rebuilt(read, key, number), problems, folder)
    return Generation(key, number, folder, tuple(segments), tuple(problems), tuple(leftovers))


def _rebuilt(read: list[Segment | Path], key: FileKey, number: int) -> list[Segment]:
    """Segments in order, those with an unreadable end made from their frames, as far as those can be read."""
    segments: list[Segment] = []
    for one in read:
        if isinstance(one, Segment):
            segments.append(one)
            continue
        before = segments[-1].facts if segments else None
        facts = SegmentFacts(
            format=FORMAT,
            source=key.source,
            session=key.session,
            path=key.path,
            generation=number,
            segment=layout.segment_number(one.name) or 0,
            offset=before.end if before else 0,
            length=0,
            sha256="",
            chain=before.chain if before else _NO_BYTES,
            at=before.at if before else 0,
        )
        try:
            segments.append(rebuild_segment(one, facts))
        except OSError:
            continue
    return segments


def _order(found: list[Segment], problems: list[str], folder: Path) -> tuple[list[Segment], list[Path]]:
    """The segments that make up the generation, from the front, and the files that are covered by later ones."""
    leftovers = []
    kept: list[Segment] = []
    for index, segment in enumerate(found):
        later = found[index + 1 :]
        if any(one.facts.offset <= segment.facts.offset and one.facts.end >= segment.facts.end for one in later):
            leftovers.append(segment.file)
            continue
        expected = kept[-1].facts.end if kept else 0
        if segment.facts.offset != expected:
            problems.append(f"{folder} has no bytes from {expected} to {segment.facts.offset}")
        kept.append(segment)
    return kept, leftovers


def _segment_files(folder: Path) -> list[Path]:
    with os.scandir(folder) as entries:
        names = sorted(
            entry.name for entry in entries if layout.segment_number(entry.name) and entry.is_file(follow_symlinks=False)
        )
    return [folder / name for name in sorted(names, key=lambda name: layout.segment_number(name) or 0)]


def _numbered_folders(folder: Path) -> list[tuple[int, Path]]:
    found = [(layout.generation_number(path.name), path) for path in _folders(folder)]
    return sorted((number, path) for number, path in found if number is not None)


def _folders(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            return [
                folder / name
                for name in sorted(entry.name for entry in entries if stat.S_ISDIR(entry.stat(follow_symlinks=False).st_mode))
            ]
    except FileNotFoundError:
        return []
