"""The one way this room writes: all files of an operation or none, under the vault's one lock.

An operation's new bytes go into one journal file; renaming it into place is the commit. Then each file is put in place by a
rename, and the journal is removed. A process that dies before the commit leaves the old state, one that dies after it leaves a
journal that the next command of any kind finishes (`recover`). A file that somebody else changed in between is never
overwritten: their bytes stay, ours are put aside in `.vault-meta/recovered/`.
"""

import contextlib
import hashlib
import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from lith.errors import Locked, StorageError
from lith.kernel.files import storage_errors, sync_dir, write_atomic
from lith.kernel.locks import exclusive
from lith.wiki.cache import local_dir
from lith.wiki.errors import PlanStale, VaultDamaged
from lith.wiki.vault import LOCAL, META, Vault, writable

WAIT_SECONDS = 60.0
_SYNC_EACH = 64
"""Up to so many files each is flushed by itself; beyond, the whole system is flushed once where it can be."""


class Change(msgspec.Struct, frozen=True):
    """One file of an operation: its bytes afterwards (None deletes it), and what it must be before.

    `before` is the SHA-256 of the bytes that the operation was planned on; None means that the file must not exist.
    """

    path: str
    before: str | None
    after: bytes | None
    mode: int | None = None


class Put(msgspec.Struct, frozen=True):
    """A change as the journal holds it: digests, and where its bytes are in the journal."""

    path: str
    before: str | None
    after: str | None
    start: int
    size: int
    mode: int | None


class _Header(msgspec.Struct, frozen=True):
    version: int
    now: int
    operation: str
    puts: list[Put]


class Written(msgspec.Struct, frozen=True):
    """What a commit did: the files in place, and those where somebody else's newer bytes were kept."""

    paths: list[str]
    kept: list[str]


def digest_of(data: bytes) -> str:
    """The SHA-256 of a file's bytes, as changes carry it."""
    return hashlib.sha256(data).hexdigest()


def current_digest(place: Path) -> str | None:
    """The digest of what is at a place now; None when there is nothing."""
    try:
        with place.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return None
    except (IsADirectoryError, PermissionError) as error:
        raise StorageError(f"could not read {place}: {error.strerror}") from error


class Writer:
    """The holder of a vault's lock; `writing` makes one."""

    def __init__(self, vault: Vault, now: int) -> None:
        self.vault = vault
        self._now = now

    def read(self, path: str) -> bytes | None:
        """The bytes of a vault file as they are now, or None."""
        place = writable(self.vault, path)
        with storage_errors(f"read {path}"):
            try:
                return place.read_bytes()
            except FileNotFoundError:
                return None

    def change(self, path: str, after: bytes | None, *, mode: int | None = None) -> Change:
        """A change from what the file is now."""
        return Change(path, current_digest(writable(self.vault, path)), after, mode)

    def commit(self, operation: str, changes: Sequence[Change]) -> Written:
        """Make all changes or none. Raises `PlanStale` when a file is not what its change was planned on."""
        wanted = [change for change in changes if _differs(change)]
        if len({change.path for change in wanted}) != len(wanted):
            raise PlanStale(f"{operation} would write one file twice")
        for change in wanted:
            if current_digest(writable(self.vault, change.path)) != change.before:
                raise PlanStale(f"{change.path} changed since the plan was made; nothing was written", hint="make the plan again")
        if not wanted:
            return Written([], [])
        header, blob = _pack(operation, self._now, wanted)
        write_atomic(_journal(self.vault), header + blob)
        return finish(self.vault)


@contextlib.contextmanager
def writing(vault: Vault, *, now: int, wait_seconds: float = WAIT_SECONDS) -> Iterator[Writer]:
    """Hold the vault's lock for the block, after finishing what a dead writer left. Raises `Locked`."""
    with storage_errors(f"write in the vault {vault.root}"):
        folder = local_dir(vault)
    with _locked(folder / "lock", wait_seconds, now):
        finish(vault)
        yield Writer(vault, now)


@contextlib.contextmanager
def _locked(path: Path, wait_seconds: float, now: int) -> Iterator[None]:
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(exclusive(path, wait_seconds=wait_seconds, now=now))
        except StorageError as error:
            # A lock that is not free in time is a TimeoutError, which is an OSError too.
            if isinstance(error.__cause__, TimeoutError):
                raise Locked(
                    "another process is writing in this vault", hint="wait until it has finished, then run it again"
                ) from error
            raise
        yield


def recover(vault: Vault) -> Written:
    """Finish what a dead writer left, if anything; every reading command calls this first."""
    if not vault.at(LOCAL).joinpath("journal").exists():
        return Written([], [])
    journal = _journal(vault)
    with _locked(journal.with_name("lock"), WAIT_SECONDS, 0):
        return finish(vault)


def finish(vault: Vault) -> Written:
    """Put every file of the journal in place and remove it. The caller holds the lock."""
    journal = _journal(vault)
    try:
        data = journal.read_bytes()
    except FileNotFoundError:
        return Written([], [])
    header, blob = _unpack(data, journal)
    done: list[str] = []
    kept: list[str] = []
    each = len(header.puts) <= _SYNC_EACH or not hasattr(os, "sync")
    with storage_errors(f"finish {header.operation} in {vault.root}"):
        for number, put in enumerate(header.puts):
            content = None if put.after is None else blob[put.start : put.start + put.size]
            (done if _place(vault, put, content, number, flush=each) else kept).append(put.path)
        if not each:
            os.sync()
        journal.unlink()
        sync_dir(journal.parent)
    return Written(done, kept)


def _journal(vault: Vault) -> Path:
    return writable(vault, f"{LOCAL}/journal")


def _differs(change: Change) -> bool:
    after = None if change.after is None else digest_of(change.after)
    return after != change.before


def _pack(operation: str, now: int, changes: Sequence[Change]) -> tuple[bytes, bytes]:
    puts: list[Put] = []
    start = 0
    for change in changes:
        size = len(change.after or b"")
        after = None if change.after is None else digest_of(change.after)
        puts.append(Put(change.path, change.before, after, start, size, change.mode))
        start += size
    blob = b"".join(change.after or b"" for change in changes)
    header = msgspec.json.encode(_Header(1, now, operation, puts))
    return header + b"\n" + digest_of(header + blob).encode() + b"\n", blob


def _unpack(data: bytes, journal: Path) -> tuple[_Header, bytes]:
    first, _, rest = data.partition(b"\n")
    checksum, _, blob = rest.partition(b"\n")
    try:
        if digest_of(first + blob).encode() != checksum:
            raise msgspec.DecodeError("the checksum does not fit")
        return msgspec.json.decode(first, type=_Header), blob
    except msgspec.MsgspecError as error:
        raise VaultDamaged(
            f"the journal {journal} of an unfinished write is damaged: {error}",
            hint="compare the vault with a backup or git, then remove that file",
        ) from error


def _place(vault: Vault, put: Put, content: bytes | None, number: int, *, flush: bool) -> bool:
    """Bring one file to its new state; False when somebody else's bytes are there and stay."""
    place = writable(vault, put.path)
    temp = place.with_name(f".lith-{number}-{(put.after or 'gone')[:12]}.tmp")
    now = current_digest(place)
    if now == put.after:
        temp.unlink(missing_ok=True)
        return True
    if now != put.before:
        temp.unlink(missing_ok=True)
        if content is not None:
            _put_aside(vault, put, content)
        return False
    if content is None:
        place.unlink()
        return True
    place.parent.mkdir(parents=True, exist_ok=True)
    mode = put.mode & 0o666 if put.mode is not None else stat.S_IMODE(place.stat().st_mode) if now is not None else None
    temp.unlink(missing_ok=True)
    handle = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        if flush:
            os.fsync(file.fileno())
    if mode is not None:
        temp.chmod(mode)
    temp.replace(place)
    if flush:
        sync_dir(place.parent)
    return True


def _put_aside(vault: Vault, put: Put, content: bytes) -> None:
    name = f"{(put.after or '')[:12]}-{put.path.rsplit('/', 1)[-1]}"
    aside = writable(vault, f"{META}/recovered/{name}")
    aside.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(aside, content)
