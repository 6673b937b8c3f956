"""Names in the archive: from (source, session, path) to a folder, and never out of it.

`<archive>/<source>/<session>/<file>/<generation>/<segment>.zst`. Pure but for `check_inside`, which looks for symlinks. Nothing that a
transcript says reaches the file system without passing here.
"""

import hashlib
import re
import stat
from pathlib import Path

import msgspec

from lith.archive.errors import ArchiveRefused
from lith.records.address import check_source

SUFFIX = ".zst"
CATALOGUE = "catalogue.sqlite"
LOCK = "archive.lock"
RECEIPTS = "receipts"

_PLAIN = re.compile(r"[a-z0-9_-][a-z0-9._-]{0,99}\Z")
_NUMBER = re.compile(r"[0-9]{6,9}\Z")
_SEGMENT = re.compile(r"([0-9]{6,9})\.zst\Z")
_NOT_SAFE = re.compile(r"[^A-Za-z0-9._-]")
_READABLE = 60


class FileKey(msgspec.Struct, frozen=True, order=True):
    """One file of one session: `session` is the native id (`<session>` or `<session>/<agent>`), `path` the path below its root."""

    source: str
    session: str
    path: str

    @property
    def main_session(self) -> str:
        """The session that owns the file: the part of the id before a sub-agent's."""
        return self.session.partition("/")[0]


def valid_text(name: str) -> str:
    """A name as text that can be stored: bytes that are no text become escapes."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return name.encode("utf-8", "surrogatepass").decode("utf-8", "backslashreplace")
    return name


def safe_name(name: str) -> str:
    """A folder name for an id: itself where it is plain, else a readable part of it and a hash of all of it."""
    if _PLAIN.match(name) and not name.endswith("."):
        return name
    return hashed_name(name, name)


def hashed_name(readable: str, whole: str) -> str:
    """A folder name that two different `whole` never share, also where a file system ignores case."""
    digest = hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{_NOT_SAFE.sub('_', readable[:_READABLE]).lstrip('.') or '_'}~{digest}"


def session_dir(root: Path, source: str, session: str) -> Path:
    """The folder of a session. Raises `UnknownSource`."""
    return root / check_source(source) / safe_name(session.partition("/")[0])


def file_dir(root: Path, key: FileKey) -> Path:
    """The folder of a file. Its name ends in a hash of the path, so that equal names in two folders stay apart."""
    return session_dir(root, key.source, key.session) / hashed_name(key.path.rsplit("/", 1)[-1], key.path)


def generation_name(number: int) -> str:
    """The folder name of a generation."""
    return f"{number:06d}"


def segment_name(number: int) -> str:
    """The file name of a segment."""
    return f"{number:06d}{SUFFIX}"


def generation_number(name: str) -> int | None:
    """The number in a generation's folder name; None for any other name."""
    return int(name) if _NUMBER.match(name) else None


def segment_number(name: str) -> int | None:
    """The number in a segment's file name; None for any other name."""
    match = _SEGMENT.match(name)
    return int(match[1]) if match else None


def check_inside(root: Path, path: Path) -> None:
    """Make sure that no existing folder between `root` and `path` is a symlink. Raises `ArchiveRefused`."""
    current = root
    for part in path.relative_to(root).parts:
        if part in {"..", "."}:
            raise ArchiveRefused(f"{path} leads out of the archive")
        current = current / part
        try:
            mode = current.lstat().st_mode
        except FileNotFoundError:
            return
        if stat.S_ISLNK(mode):
            raise ArchiveRefused(
                f"{current} is a symlink", hint="the archive holds no symlinks; put the real folder in its place"
            )
