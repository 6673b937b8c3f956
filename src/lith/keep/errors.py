"""Why a session is not pruned, not put back, or not vouched for."""

from lith.errors import LithError


class CannotPrune(LithError):
    """The file is none that lith may rewrite: a symlink that leads out, another owner, no permission, another client's format."""

    code = "cannot_prune"


class SessionLive(LithError):
    """The session is in use, or was a moment ago; nothing overrides this."""

    code = "session_live"


class TornLine(LithError):
    """The last line of the file is half written."""

    code = "torn_line"


class FileChanged(LithError):
    """The file is not what the plan was made from."""

    code = "file_changed"


class GateRefused(LithError):
    """A record has no immutable copy that could be proven; `records` names those that lack one."""

    code = "evict_gate"

    def __init__(self, message: str, records: list[str], *, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.records = records


class InvalidPruned(LithError):
    """The pruned file would not be what a client expects; it was thrown away."""

    code = "invalid_pruned"


class UndoRefused(LithError):
    """The last prune cannot be undone: there was none, or the file was rewritten since."""

    code = "undo_refused"
