"""`wiki log`: one entry for the wiki's log, at once."""

from lith.ops.runtime import Runtime
from lith.ops.wiki.place import VaultRequest, VaultResult, opened, page_word
from lith.wiki import add_log


class LogRequest(VaultRequest, frozen=True, kw_only=True):
    """An entry: operation, title, bullets, and the pages that it touches, by path or name."""

    op: str
    title: str
    bullets: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()


class LogResult(VaultResult, frozen=True, kw_only=True):
    """The entry as it stands in the log."""

    id: str
    path: str
    text: str


def log(request: LogRequest, runtime: Runtime) -> LogResult:
    """Add an entry. Raises `UsageError`, `PageNotFound`, `Locked`."""
    with opened(request, runtime) as vault:
        pages = [page_word(page, vault, runtime) for page in request.pages]
        added = add_log(vault, request.op, request.title, request.bullets, pages, now=runtime.clock())
    return LogResult(vault=str(vault.root), id=added.id, path=added.path, text=added.text)
