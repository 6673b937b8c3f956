"""The plan of a fold run: which batches would be folded at which level, and the pages that would be written. Writes nothing."""

import math
from collections.abc import Mapping, Sequence
from typing import Protocol

import msgspec

from lith.errors import UsageError
from lith.wiki.errors import FoldUnsound, PageBroken
from lith.wiki.fold.checks import check_fold, keep_cited
from lith.wiki.fold.extract import conflicts, extract
from lith.wiki.fold.ledger import LEDGER, FoldRecord, Ledger, read_ledger
from lith.wiki.fold.pages import Child, Fold, entry_child, fold_child, write_fold
from lith.wiki.logbook import FOLD_OP, Entry, parse_log
from lith.wiki.snapshot import Snapshot, load, read_bytes
from lith.wiki.transaction import current_digest
from lith.wiki.vault import PAGE_SUFFIX, Vault

EXPONENT = 4
MAX_EXPONENT = 8


class ProseWriter(Protocol):
    """A model that writes a fold's summary; every sentence must link a child as `[[target]]`, or it is dropped."""

    def write(self, children: Sequence[Child]) -> str:
        """Prose about the children."""
        ...


class FoldPlan(msgspec.Struct, frozen=True):
    """Folds to write, lowest level first; what stays unfolded per level; and the digests of the files it was made from."""

    folds: list[Fold]
    unfolded: dict[int, int]
    exponent: int
    state: dict[str, str | None]


class _Ground(msgspec.Struct, frozen=True):
    """What a plan stands on: the vault, its log entries, its ledger, and names and addresses of pages."""

    snapshot: Snapshot
    entries: list[Entry]
    ledger: Ledger
    names: Mapping[str, str]
    addresses: Mapping[str, str]


def log_path(vault: Vault) -> str:
    """Where the vault's log is."""
    return f"{vault.base}log.md"


def index_path(vault: Vault) -> str:
    """Where the vault's index is."""
    return f"{vault.base}index.md"


def plan_fold(vault: Vault, *, exponent: int = EXPONENT, everything: bool = False, writer: ProseWriter | None = None) -> FoldPlan:
    """Plan folds of 2**exponent items at every level; `everything` folds the remainders too. Raises `UsageError`, `FoldUnsound`."""
    if not 1 <= exponent <= MAX_EXPONENT:
        raise UsageError(f"k is {exponent}, but must be 1 to {MAX_EXPONENT}")
    ground = _ground(load(vault))
    total = len(ground.entries)
    ceiling = math.ceil(math.log2(total)) if total > 1 else 0
    made: list[Fold] = []
    unfolded: dict[int, int] = {}
    sources = {entry.id: entry.text for entry in ground.entries}
    by_id = {entry.id: entry for entry in ground.entries}
    waiting = unfolded_entries(ground.entries, ground.ledger)
    items = [_entry_child(ground, entry) for entry in waiting]
    unfolded[0] = len(items)
    for level in range(1, ceiling + 1):
        batches, rest = _batches(items, 1 << exponent, level, everything, bool(ground.ledger.at_level(level)))
        folds = [
            _compose(ground, level, exponent, batch, [by_id[child.id] for child in batch if child.id in by_id], sources, writer)
            for batch in batches
        ]
        made += folds
        sources |= {fold.id: fold.text for fold in folds}
        unfolded[level - 1] = rest
        items = _open_folds(ground, level, folds, batches, sources)
        if not items:
            break
        unfolded[level] = len(items)
    state = {path: current_digest(vault.at(path)) for path in (log_path(vault), index_path(vault), LEDGER)}
    return FoldPlan(folds=made, unfolded=unfolded, exponent=exponent, state=state)


def _entry_child(ground: _Ground, entry: Entry) -> Child:
    snapshot = ground.snapshot
    taken = extract(entry, snapshot.resolver, log_path(snapshot.vault))
    pages = [page for page in taken.pages if not snapshot.is_meta(page)]
    return entry_child(entry, msgspec.structs.replace(taken, pages=pages), _log_target(snapshot.vault))


def unfolded_entries(entries: Sequence[Entry], ledger: Ledger) -> list[Entry]:
    """The entries that no fold of level 1 holds, oldest first. An entry edited after its fold is still that entry."""
    folded = ledger.folded(1)
    present = {entry.id for entry in entries}
    edited = {child[:19] for child in folded if child not in present}
    return [entry for entry in entries if entry.id not in folded and entry.heading_key not in edited]


def foldable_entries(snapshot: Snapshot) -> list[Entry]:
    """The log's entries in their own order; those that folds added are left out."""
    path = log_path(snapshot.vault)
    if path not in snapshot.pages:
        return []
    for problem in snapshot.pages[path].problems:
        if problem.rule in {"page-too-large", "not-utf8"}:
            raise PageBroken(f"{path} cannot be read as a log: {problem.message}")
    entries = parse_log(read_bytes(snapshot.vault, path), snapshot.pages[path])
    return sorted((entry for entry in entries if entry.op.lower() != FOLD_OP), key=lambda entry: entry.order)


def _ground(snapshot: Snapshot) -> _Ground:
    names = {}
    for path in snapshot.pages:
        stem = path.rsplit("/", 1)[-1][: -len(PAGE_SUFFIX)]
        found = snapshot.resolver.resolve_name(stem)
        names[path] = stem if found.path == path else path[: -len(PAGE_SUFFIX)]
    addresses = {path: facts.plain_address for path, facts in snapshot.pages.items() if facts.address}
    return _Ground(snapshot, foldable_entries(snapshot), read_ledger(snapshot.vault), names, addresses)


def _log_target(vault: Vault) -> str:
    return log_path(vault)[: -len(PAGE_SUFFIX)]


def _batches(items: list[Child], size: int, level: int, everything: bool, stacked: bool) -> tuple[list[list[Child]], int]:
    """Full batches, and with `everything` the remainder; a lone top fold has nothing to be folded with."""
    full = len(items) - len(items) % size
    batches = [items[at : at + size] for at in range(0, full, size)]
    rest = items[full:]
    if everything and rest and (level == 1 or len(items) > 1 or stacked):
        batches.append(rest)
        rest = []
    return batches, len(rest)


def _compose(
    ground: _Ground,
    level: int,
    exponent: int,
    batch: list[Child],
    entries: list[Entry],
    sources: Mapping[str, str],
    writer: ProseWriter | None,
) -> Fold:
    said = {child.id: sources[child.id] for child in batch}
    prose = keep_cited(writer.write(batch), {child.id: child.link for child in batch}, said) if writer is not None else []
    fold = write_fold(
        level,
        exponent,
        batch,
        folder=f"{ground.snapshot.vault.base}folds/",
        names=ground.names,
        addresses=ground.addresses,
        conflicts=conflicts(entries),
        prose=prose,
    )
    problems = check_fold(fold.text, fold.children, said)
    if problems:
        raise FoldUnsound(f"{fold.id}: {problems[0]}", hint="nothing was written; the log entries named there need a look")
    return fold


def _open_folds(
    ground: _Ground, level: int, folds: list[Fold], batches: list[list[Child]], sources: dict[str, str]
) -> list[Child]:
    """The folds of a level that no higher fold holds, old ones and new ones, oldest range first."""
    held = ground.ledger.folded(level + 1)
    children = [fold_child(fold, _pages_of(batch)) for fold, batch in zip(folds, batches, strict=True)]
    for record in ground.ledger.at_level(level):
        if record.id in held or record.path not in ground.snapshot.pages:
            continue
        text = read_bytes(ground.snapshot.vault, record.path).decode("utf-8", "replace")
        sources[record.id] = text
        children.append(fold_child(_as_fold(record, text), _linked_pages(ground.snapshot, record)))
    return sorted(children, key=lambda child: (child.first, child.last, child.id))


def _as_fold(record: FoldRecord, text: str) -> Fold:
    return Fold(
        record.id, record.level, record.path, record.first, record.last, record.entries, record.children, record.addresses, text
    )


def _pages_of(batch: list[Child]) -> list[str]:
    return list(dict.fromkeys(page for child in batch for page in child.pages))


def _linked_pages(snapshot: Snapshot, record: FoldRecord) -> list[str]:
    """The content pages that a written fold page links."""
    found: dict[str, None] = {}
    for link in snapshot.pages[record.path].links:
        meaning = snapshot.resolve(link, record.path)
        if meaning.kind == "page" and not snapshot.is_meta(meaning.path):
            found.setdefault(meaning.path)
    return list(found)
