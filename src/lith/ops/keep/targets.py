"""From the words of a person to what they mean here: a session, its archived files, the live file of it.

The other modules of this folder call it.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from lith.archive import FileKey, Generation, NotArchived, iter_generations, load_generation
from lith.errors import BadSelector, NoMap, SessionNotFound
from lith.keep import CannotPrune
from lith.ops.keep.items import find_owner, load_owners
from lith.ops.roots import plan_roots
from lith.ops.runtime import Runtime
from lith.records.address import parse_address, session_ref
from lith.retrieval import resolve_session
from lith.sources.registry import SOURCES
from lith.store.map.files import GENERATION, TRANSCRIPT, find_files_of


class Named(msgspec.Struct, frozen=True):
    """A session: the client, and the native id that it has there."""

    source: str
    native_id: str

    @property
    def ref(self) -> str:
        """Its address."""
        return session_ref(self.source, self.native_id)


class LiveFile(msgspec.Struct, frozen=True):
    """A live transcript: where it is, and its name in the archive."""

    key: FileKey
    path: Path


def resolve(runtime: Runtime, word: str) -> Named:
    """The session of an address or a prefix, by the map, else by the archive. Raises `SessionNotFound`, `BadSelector` and the like."""
    parsed = parse_address(word)
    if parsed.kind != "session":
        raise BadSelector(f"{word!r} is not the address of a session", hint="a session is claude_code:<session id>")
    try:
        with runtime.reading() as connection:
            source, _, native_id = resolve_session(connection, word).partition(":")
            return Named(source, native_id)
    except (NoMap, SessionNotFound):
        named = {
            Named(one.key.source, session)
            for one in iter_generations(runtime.archive_dir)
            for session in (one.key.session, one.key.main_session)
            if parsed.source in {None, one.key.source} and session.startswith(parsed.id)
        }
        exact = {one for one in named if one.native_id == parsed.id} or named
        if len(exact) != 1:
            raise
        return exact.pop()


def find_archived(runtime: Runtime, session: Named) -> list[Generation]:
    """The generations of all files of a session, or of a sub-agent's, oldest first. Raises `NotArchived`."""
    root = runtime.archive_dir
    found = {one.folder: one for one in iter_generations(root, session.source, session.native_id)}
    if "/" in session.native_id:
        found = {folder: one for folder, one in found.items() if one.key.session == session.native_id}
    try:
        with runtime.reading() as connection:
            rows = find_files_of(connection, session.source, session.native_id, GENERATION)
    except NoMap:
        rows = []
    for row in rows:
        if root / row.path not in found and (root / row.path).is_dir():
            found[root / row.path] = load_generation(root, row.path)
    if not found:
        raise NotArchived(
            f"the archive holds nothing of {session.ref}",
            hint="archive run takes in every session that is there",
            next=[runtime.argv("archive", "run")],
        )
    return sorted(found.values(), key=lambda one: (one.key.path, one.number))


def main_file(generations: Sequence[Generation], session: Named) -> list[Generation]:
    """The generations of the session's own transcript; of several the one whose name has the session's id."""
    own = [one for one in generations if one.key.session == session.native_id and ".jsonl" in one.key.path]
    paths = sorted(
        {one.key.path for one in own or generations}, key=lambda path: (session.native_id not in path, len(path), path)
    )
    return [one for one in generations if one.key.path == paths[0]]


def find_live(runtime: Runtime, word: str) -> LiveFile:
    """The live transcript that an address or a path means. Raises `CannotPrune`, `SessionNotFound`, `BadSelector`, `NoMap`."""
    path = runtime.path(word)
    if "/" in word and ":" not in word.partition("/")[0] and path.exists():
        return _live_at(runtime, path)
    session = resolve(runtime, word)
    with runtime.reading() as connection:
        rows = find_files_of(connection, session.source, session.native_id, TRANSCRIPT)
    there = [Path(row.root) / row.path for row in rows if (Path(row.root) / row.path).is_file()]
    # A fork carries records of the session that it left, and so do other files: only a file that bears the session's name is its own.
    there = [path for path in there if session.native_id.rpartition("/")[2] in path.name]
    there = there or _find_by_archive(runtime, session)
    if len(there) != 1:
        named = ", ".join(map(str, there)) or "none"
        raise CannotPrune(
            f"{session.ref} has {len(there)} live files",
            hint=f"name one of them: {named}" if there else "there is nothing to change; restore -o gives its archived states",
            next=[runtime.argv("archive", "list", session.ref)],
        )
    return _live_at(runtime, there[0])


def _find_by_archive(runtime: Runtime, session: Named) -> list[Path]:
    """Where the transcript of a session is that the archive knows, and the map does not yet."""
    try:
        path = main_file(find_archived(runtime, session), session)[0].key.path
    except NotArchived:
        return []
    places = [spec.path / path for spec in plan_roots(runtime, (session.source,))]
    return [place for place in places if place.is_file()]


def _live_at(runtime: Runtime, path: Path) -> LiveFile:
    real = path.resolve()
    for spec in plan_roots(runtime):
        root = spec.path.resolve()
        if real.is_relative_to(root):
            relative = real.relative_to(root).as_posix()
            try:
                owner = find_owner(SOURCES[spec.source], root, relative, load_owners(runtime))
            except OSError as error:
                raise CannotPrune(f"{path} cannot be read: {error.strerror or error}") from error
            return LiveFile(FileKey(spec.source, owner, relative), path)
    raise CannotPrune(f"{path} is in no folder of sessions", hint="name the folder with --root NAME=PATH")
