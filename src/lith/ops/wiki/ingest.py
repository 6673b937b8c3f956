"""`wiki ingest`: sources into the wiki, raw bytes kept, a page with address and provenance; at once."""

from lith.ops.runtime import Runtime
from lith.ops.wiki.place import VaultRequest, VaultResult, opened, typed_path
from lith.wiki import ingest_files
from lith.wiki.ingest import Ingested


class WikiIngestRequest(VaultRequest, frozen=True, kw_only=True):
    """Files by path; `restore` brings pages back that were deleted on purpose."""

    files: tuple[str, ...]
    restore: bool = False


class WikiIngestResult(VaultResult, frozen=True, kw_only=True):
    """What became of each source, and every file that was written."""

    items: list[Ingested]
    total: int
    paths: list[str]


def ingest(request: WikiIngestRequest, runtime: Runtime) -> WikiIngestResult:
    """Take sources in, all or none. Raises `UsageError`, `StorageError`, `Locked`."""
    with opened(request, runtime) as vault:
        files = [typed_path(file, runtime) for file in request.files]
        done = ingest_files(vault, files, now=runtime.clock(), restore=request.restore)
    return WikiIngestResult(vault=str(vault.root), items=done.items, total=len(done.items), paths=done.paths)
