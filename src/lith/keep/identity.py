"""What a record is called and whose a file is, by the client's own adapter.

`diff` and `proof` name records with it; `ops` hands `identify_backup` to the import of backups.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from lith.archive import FileKey, iter_generations
from lith.kernel import ids
from lith.kernel.jsonl import Huge, LineReader, Readable, iter_line_spans
from lith.records.record import Problem, Record
from lith.sources.base import FileContext
from lith.sources.registry import SOURCES, get_source

_NOT_IN_FOLDERS = re.compile(r"[^A-Za-z0-9]")


class Named(msgspec.Struct, frozen=True):
    """A record of a transcript: its id and type as the client has them, its place, its content hash."""

    record_id: str
    type: str
    line: int
    offset: int
    length: int
    hash: bytes


def iter_named(source: str, relative: str, file: Readable, end: int | None = None) -> Iterator[tuple[Named, Record | None]]:
    """Every record of a transcript in order, with what the adapter made of it; what it makes nothing of is named by its hash.

    Raises `UnknownSource` and what reading raises.
    """
    adapter = get_source(source)
    context: FileContext | None = None
    for item in LineReader(file, end=end, final=True):
        if isinstance(item, Huge):
            pieces = [(item.span, item.data, item.sha256[: ids.DIGEST_BYTES])]
        else:
            spans = iter_line_spans(item.data, item.offset, item.line)
            parts = [(span, item.data[span.offset - item.offset : span.offset - item.offset + span.length]) for span in spans]
            pieces = [(span, data, ids.digest(data)) for span, data in parts]
        for span, data, found in pieces:
            if span.kind != "object":
                continue
            context = context or adapter.file_context(relative, data)
            try:
                parsed: Record | Problem = adapter.parse(data, context, found)
            except (msgspec.DecodeError, RecursionError):
                parsed = Problem(reason="undecodable", offset=0, length=0)
            record = parsed if isinstance(parsed, Record) else None
            name = record.record_id if record else found.hex()
            yield Named(name, record.type if record else "", span.line, span.offset, span.length, found), record


def identify_backup(path: Path, archive: Path) -> FileKey | None:
    """Whose transcript a backup is, by its records; None for a file that none of the clients wrote. Raises `OSError`.

    It gets the path under which the session is archived already, else the one that its client would give it.
    """
    for source in SOURCES:
        with path.open("rb") as file:
            for _, record in iter_named(source, path.name, file):
                if record is None or not get_source(source).knows_type(record.type):
                    break
                if record.attributes or record.parent is not None:
                    return _place(source, record, path, archive)
    return None


def _place(source: str, record: Record, path: Path, archive: Path) -> FileKey:
    for generation in iter_generations(archive, source, record.transcript):
        known = generation.key
        if known.session == record.transcript and ".jsonl" in known.path:
            return known
    if source != "claude_code" or "/" in record.transcript:
        return FileKey(source, record.transcript, path.name)
    folder = _NOT_IN_FOLDERS.sub("-", dict(record.attributes).get("cwd", ""))
    return FileKey(source, record.transcript, f"{folder}/{record.transcript}.jsonl" if folder else f"{record.transcript}.jsonl")
