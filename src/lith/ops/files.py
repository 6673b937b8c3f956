"""`files`: the sessions that touched a file or a folder."""

import os

import msgspec

from lith.errors import UsageError
from lith.ops.runtime import Runtime
from lith.ops.selection import Selection, to_scope
from lith.retrieval import vocabulary
from lith.retrieval.vocabulary import FilesResult

__all__ = ["DEFAULT_LIMIT", "FilesRequest", "FilesResult", "files"]

DEFAULT_LIMIT = 20


class FilesRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The sessions of a selection that touched `path`: as typed (the end of a path will do), or the path that it is from here."""

    path: str
    selection: Selection = Selection()
    limit: int = DEFAULT_LIMIT


def files(request: FilesRequest, runtime: Runtime) -> FilesResult:
    """Sessions, the latest first. Raises `UsageError`, `BadSelector`, `NoMap` and what else reading the map raises."""
    paths = _spellings(request.path, runtime)
    scope = to_scope(request.selection, runtime)
    with runtime.reading() as connection:
        return vocabulary.list_files(connection, paths, scope, limit=request.limit, data_dir=runtime.data_dir_word)


def _spellings(path: str, runtime: Runtime) -> list[str]:
    """A path as it may stand in transcripts: as typed, and absolute and without symlinks."""
    if not path.strip(" ./"):
        if path.strip() not in {".", "./"}:
            raise UsageError("files needs a path", hint="name a file or a folder, or the end of its path")
        return [os.path.realpath(runtime.cwd)]
    typed = str(runtime.home / path[2:]) if path.startswith("~/") else path
    near = runtime.near  # what was typed is looked for even where there is no working directory
    return [typed] if near is None else [typed, os.path.realpath(near / typed)]
