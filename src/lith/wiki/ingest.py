"""Sources into the wiki: the raw bytes kept unchanged in `.raw/`, a page with address and provenance, a line in the manifest.

The same bytes again change nothing. A new version of a source is kept beside the old one; its page is written anew only when nobody
edited it. A page that was deleted on purpose stays deleted unless `restore` is asked for.
"""

import hashlib
from collections.abc import Sequence
from datetime import tzinfo
from pathlib import Path
from typing import Any

import msgspec

from lith.errors import StorageError, UsageError
from lith.kernel.files import is_within
from lith.wiki.address import state_changes
from lith.wiki.addresses import Book, format_address, read_book
from lith.wiki.dates import local_day
from lith.wiki.drafts import Draft, draft_path, log_change, page_text, plain
from lith.wiki.fold.extract import bullets, clip
from lith.wiki.fold.plan import log_path
from lith.wiki.journal import entry_text
from lith.wiki.manifest import Manifest, read_manifest
from lith.wiki.page import read_page
from lith.wiki.snapshot import Snapshot, load
from lith.wiki.transaction import Change, Writer, digest_of, writing
from lith.wiki.vault import RAW, Vault, fold_name, safe_name

MAX_SOURCE = 256 * 1024 * 1024
GENERATOR = "lith wiki ingest 1"
_READ_AS_TEXT = 1024 * 1024
_HASHES = {32: "md5", 40: "sha1", 64: "sha256"}


class Ingested(msgspec.Struct, frozen=True):
    """What became of one source: its raw path, its page and address, and the status.

    `created`; `updated` (a new version, the page was written anew); `revise` (a new version, but the page was edited by hand);
    `unchanged` (the same bytes); `deleted` (its page was deleted on purpose and stays so); `restored`.
    """

    source: str
    raw: str
    status: str
    page: str | None = None
    address: str | None = None


class IngestResult(msgspec.Struct, frozen=True):
    """All sources of one run, and every file it wrote."""

    items: list[Ingested]
    paths: list[str]


class _Run:
    """One ingest under the lock: what it knows and what it will write."""

    def __init__(self, writer: Writer, snapshot: Snapshot, manifest: Manifest, day: str, *, restore: bool) -> None:
        self.writer = writer
        self.vault = writer.vault
        self.snapshot = snapshot
        self.manifest = manifest
        self.book: Book = read_book(snapshot, manifest)
        self.number = self.book.next_number("c")
        self.taken = {fold_name(path) for path in snapshot.pages}
        self.day = day
        self.restore = restore
        self.changes: dict[str, Change] = {}

    def address(self, path: str) -> str:
        kept = self.book.address_for(path)
        if kept is None:
            kept = format_address("c", self.number)
            self.number += 1
        self.manifest.address_map[path] = kept
        return kept


def ingest_files(
    vault: Vault, files: Sequence[Path], *, now: int, zone: tzinfo | None = None, restore: bool = False
) -> IngestResult:
    """Take sources in, all or none. Writes at once. Raises `StorageError`, `UsageError`."""
    contents = [(file, _read(file)) for file in files]
    with writing(vault, now=now) as writer:
        run = _Run(writer, load(vault), read_manifest(vault), local_day(now, zone).isoformat(), restore=restore)
        items = [_take(run, file, data) for file, data in contents]
        fresh = [item for item in items if item.status not in {"unchanged", "deleted"} or item.raw in run.changes]
        if not fresh:
            return IngestResult(items, [])
        pages = [f"[[{item.page[:-3]}]]" for item in fresh if item.page]
        lines = [f"Source: {item.raw} ({item.status})" for item in fresh]
        title = fresh[0].source if len(fresh) == 1 else f"{len(fresh)} sources"
        text = entry_text("ingest", title, [*([f"Pages: {', '.join(pages)}"] if pages else []), *lines], now=now, zone=zone)
        changes = [*run.changes.values(), log_change(vault, writer.read(log_path(vault)), text)]
        changes += state_changes(writer, run.manifest, {"c": run.number})
        written = writer.commit("ingest", changes)
    return IngestResult(items, written.paths)


def _read(file: Path) -> bytes:
    if not file.is_file():
        raise UsageError(f"{file} is not a file that can be ingested")
    try:
        size = file.stat().st_size
        if size > MAX_SOURCE:
            raise UsageError(f"{file} has {size} bytes; a source may have {MAX_SOURCE}")
        return file.read_bytes()
    except OSError as error:
        raise StorageError(f"could not read {file}: {error.strerror}") from error


def _take(run: _Run, file: Path, data: bytes) -> Ingested:
    known = _same_bytes(run.manifest, data)
    if known is not None:
        return _again(run, file, data, known)
    name = _raw_name(run, file)
    previous = _latest(run.manifest, f"{RAW}/{name}")
    raw = _place_raw(run, file, name, data)
    record: dict[str, Any] = {
        "hash": digest_of(data),
        "bytes": len(data),
        "ingested_at": run.day,
        "pages_created": [],
        "pages_updated": [],
    }
    run.manifest.sources[raw] = record
    if previous is None:
        draft = _draft(file.name, raw, data)
        path = _free_path(run, draft)
        return _write(run, file, raw, draft, path, record, "created")
    record["version_of"] = f"{RAW}/{name}"
    pages = run.manifest.pages_of(previous)
    record["pages_created"] = pages
    draft = _draft(file.name, raw, data)
    if not pages or pages[0] not in run.snapshot.pages:
        if pages and run.restore:
            return _write(run, file, raw, draft, pages[0], record, "restored")
        return Ingested(file.name, raw, "deleted")
    facts = run.snapshot.pages[pages[0]]
    if facts.digest == run.manifest.sources[previous].get("page_digest"):
        return _write(run, file, raw, draft, pages[0], record, "updated")
    return Ingested(file.name, raw, "revise", pages[0], facts.plain_address or None)


def _again(run: _Run, file: Path, data: bytes, known: str) -> Ingested:
    """The same bytes once more: nothing, unless a deleted page is asked back."""
    pages = run.manifest.pages_of(known)
    gone = [page for page in pages if page not in run.snapshot.pages]
    if gone and run.restore:
        return _write(run, file, known, _draft(file.name, known, data), gone[0], run.manifest.sources[known], "restored")
    if pages and len(gone) == len(pages):
        return Ingested(file.name, known, "deleted")
    page = next((page for page in pages if page not in gone), None)
    address = run.snapshot.pages[page].plain_address if page else ""
    return Ingested(file.name, known, "unchanged", page, address or None)


def _write(run: _Run, file: Path, raw: str, draft: Draft, path: str, record: dict[str, Any], status: str) -> Ingested:
    facts = run.snapshot.pages.get(path)
    address = facts.plain_address if facts is not None and facts.address else run.address(path)
    data = page_text(draft, address=address, day=run.day, created=facts.created if facts is not None else None)
    run.changes[path] = Change(path, facts.digest if facts is not None else None, data)
    run.taken.add(fold_name(path))
    record["pages_created"] = list(dict.fromkeys([*record.get("pages_created", []), path]))
    record["page_digest"] = digest_of(data)
    return Ingested(file.name, raw, status, path, address)


def _same_bytes(manifest: Manifest, data: bytes) -> str | None:
    """The source in the manifest that has exactly these bytes; hashes of other programs (MD5, SHA-1) are understood."""
    digests: dict[str, str] = {}
    for source, record in manifest.sources.items():
        stored = str(record.get("hash", "")).removeprefix("sha256:").lower()
        kind = _HASHES.get(len(stored))
        if kind is None:
            continue
        if kind not in digests:
            digests[kind] = hashlib.new(kind, data, usedforsecurity=False).hexdigest()
        if digests[kind] == stored:
            return source
    return None


def _raw_name(run: _Run, file: Path) -> str:
    raw_root = run.vault.at(RAW)
    if is_within(file, raw_root) and not file.is_symlink():
        return file.resolve().relative_to(raw_root.resolve()).as_posix()
    return safe_name(file.stem) + "".join(char for char in file.suffix if char.isalnum() or char == ".")


def _latest(manifest: Manifest, raw: str) -> str | None:
    """The newest known version of a source, by the order of the manifest."""
    versions = [
        key for key, record in manifest.sources.items() if fold_name(str(record.get("version_of", key))) == fold_name(raw)
    ]
    return versions[-1] if versions else None


def _place_raw(run: _Run, file: Path, name: str, data: bytes) -> str:
    """Where the bytes are kept: under their name, or beside it when the name holds other bytes."""
    raw = f"{RAW}/{name}"
    for candidate in (raw, _versioned(raw, digest_of(data))):
        old = run.writer.read(candidate)
        pending = run.changes.get(candidate)
        if old is None and pending is None:
            run.changes[candidate] = Change(candidate, None, data, mode=0o444)
            return candidate
        if old == data or (pending is not None and pending.after == data):
            return candidate
    raise UsageError(f"{file} cannot be kept: {raw} and its version by hash hold other bytes")


def _versioned(raw: str, digest: str) -> str:
    stem, dot, suffix = raw.rpartition(".")
    return f"{stem}.{digest[:8]}.{suffix}" if dot and "/" not in suffix else f"{raw}.{digest[:8]}"


def _free_path(run: _Run, draft: Draft) -> str:
    path = draft_path(run.vault, draft)
    number = 2
    while fold_name(path) in run.taken:
        path = draft_path(run.vault, msgspec.structs.replace(draft, title=f"{draft.title} ({number})"))
        number += 1
    return path


def _draft(name: str, raw: str, data: bytes) -> Draft:
    """The page of a source: where it is kept, its outline and its opening, word for word."""
    title = Path(name).stem
    outline: list[str] = []
    opening: list[str] = []
    if b"\0" not in data[:_READ_AS_TEXT]:
        facts = read_page(data[:_READ_AS_TEXT].decode("utf-8", "ignore").encode(), title)
        title = plain(facts.title) or title
        tops = [heading.text for heading in facts.headings if heading.level == 1]
        title = plain(tops[0]) if facts.title == Path(name).stem and tops and plain(tops[0]) else title
        outline = [f"{'  ' * (heading.level - 1)}- {plain(heading.text)}" for heading in facts.headings[:40]]
        opening = [
            f"> {plain(clip(text))}" for text in bullets(data[facts.body : facts.body + 4000].decode("utf-8", "ignore"))[:3]
        ]
    digest = digest_of(data)
    lines = [f"# {title}", "", f"Source: [[{raw}]] ({len(data)} bytes, SHA-256 `{digest[:16]}`)"]
    if opening:
        lines += ["", "## Opening", "", "\n>\n".join(opening)]
    if outline:
        lines += ["", "## Outline", "", *outline]
    fields: dict[str, str | list[str]] = {"source": raw, "source_hash": f"sha256:{digest}", "generator": GENERATOR}
    return Draft(title=title[:200], body="\n".join(lines), type="source", folder="sources", fields=fields)
