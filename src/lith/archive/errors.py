"""What can go wrong with the archive, for whoever asked."""

from lith.errors import LithError


class ArchiveDamaged(LithError):
    """Bytes in the archive are not what was written there."""

    code = "archive_damaged"


class NotArchived(LithError):
    """The archive holds no such session, file or generation."""

    code = "not_archived"


class ArchiveRefused(LithError):
    """The archive will not take or give this: a symlink, a special file, a name that leads out, a target that exists."""

    code = "archive_refused"


class FileUnsteady(LithError):
    """A live file shrank or was replaced while it was being read; nothing was stored of it."""

    code = "file_unsteady"
