"""The one tree of errors that lith raises on purpose.

Every error has a stable `code` (a slug that scripts may rely on), a message, a hint for a person, and `next`: commands, as
argv, that
help. Rooms raise these; faces print them. Nothing here prints or exits.
"""

from collections.abc import Sequence


class LithError(Exception):
    """An error with a cause that the user can act on.

    `code` is a stable slug, `exit_status` what the process ends with, `hint` one sentence of advice, `next` a list of argv
    (each begins with `lith`) that would help.
    """

    code = "error"
    exit_status = 1

    def __init__(self, message: str, *, hint: str | None = None, next: Sequence[Sequence[str]] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.next: list[list[str]] = [list(argv) for argv in next]


class UsageError(LithError):
    """The words of the command are wrong: a value that does not exist, options that exclude each other."""

    code = "usage"
    exit_status = 2


class ConfigError(LithError):
    """The config file or an environment variable holds something that cannot be used."""

    code = "bad_config"


class MissingExtra(LithError):
    """A command needs an optional dependency that is not installed."""

    code = "missing_extra"


class NoMap(LithError):
    """There is no map yet: nothing has been synced in this data directory."""

    code = "no_map"


class MapTooNew(LithError):
    """The map was written by a newer lith."""

    code = "map_too_new"


class MapNeedsSync(LithError):
    """The map is of an older schema, or a writer died in the middle of a commit; a sync repairs both."""

    code = "map_needs_sync"


class MapDamaged(LithError):
    """The map is not a database that lith can read."""

    code = "map_damaged"


class Locked(LithError):
    """Another lith process holds the lock or the database for longer than a command should wait."""

    code = "locked"


class StorageError(LithError):
    """The disk refused: no space, no permission, an input/output error."""

    code = "storage"


class UnknownSource(UsageError):
    """A client name that lith does not know."""

    code = "unknown_source"


class BadSelector(UsageError):
    """An address, a date or another selector that cannot be understood."""

    code = "bad_selector"


class SessionNotFound(LithError):
    """No session in the map has this address."""

    code = "session_not_found"


class RecordNotFound(LithError):
    """No record in the map has this address."""

    code = "record_not_found"


class AnchorNotFound(LithError):
    """The session exists, but not the message or the query that the command was asked to open it at."""

    code = "anchor_not_found"


class AmbiguousAddress(LithError):
    """A prefix fits several addresses; the message lists the candidates."""

    code = "ambiguous_address"


class StaleSource(LithError):
    """The raw file is not what the map was made from, so its bytes cannot be trusted to be the record."""

    code = "stale_source"


class VectorsDamaged(LithError):
    """A folder of vectors cannot be read, or holds those of another model; they can be made anew."""

    code = "vectors_damaged"


class ThreadNotFound(LithError):
    """No thread in the map has this address."""

    code = "thread_not_found"
