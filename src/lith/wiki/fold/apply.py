"""Writing folds and taking them back: fold pages, index lines, log entries and the ledger, all or nothing."""

from collections.abc import Sequence

import msgspec

from lith.errors import UsageError
from lith.wiki.errors import FoldInUse, PlanStale
from lith.wiki.fold.ledger import LEDGER, FoldRecord, Ledger, decode_ledger, encode_ledger
from lith.wiki.fold.pages import Fold
from lith.wiki.fold.plan import FoldPlan, index_path, log_path
from lith.wiki.gitdates import run_git
from lith.wiki.index import add_lines, remove_line
from lith.wiki.logbook import insert_entries
from lith.wiki.snapshot import load
from lith.wiki.transaction import Change, Writer, current_digest, digest_of, writing
from lith.wiki.vault import Vault, writable

SECTION = "Folds"


class Applied(msgspec.Struct, frozen=True):
    """What a fold run or an undo wrote: fold ids, and every file of the transaction; `commit` when git holds it."""

    folds: list[str]
    paths: list[str]
    commit: str | None = None


class Undo(msgspec.Struct, frozen=True):
    """The plan of an undo: folds to remove, highest level first, and the digests of the files it was made from."""

    folds: list[str]
    paths: list[str]
    state: dict[str, str | None]


def apply_fold(vault: Vault, plan: FoldPlan, *, now: int, git: bool = False) -> Applied:
    """Write a planned run in one transaction. Raises `PlanStale` when log, index or ledger changed since."""
    if not plan.folds:
        return Applied([], [])
    with writing(vault, now=now) as writer:
        _check_state(writer, plan.state)
        log, index = writer.read(log_path(vault)) or b"", writer.read(index_path(vault))
        ledger = _ledger(writer)
        created = list(ledger.created) + ([] if index is not None or ledger.folds else [index_path(vault)])
        index, lines, heading = add_lines(index or b"", SECTION, [index_line(fold) for fold in plan.folds])
        log, entries = insert_entries(log, [log_entry(fold) for fold in plan.folds])
        section = ledger.index_section or heading
        records = list(ledger.folds)
        pages: list[Change] = []
        for fold, line, entry in zip(plan.folds, lines, entries, strict=True):
            data = fold.text.encode()
            ordinal = Ledger(folds=records).next_ordinal(fold.level)
            records.append(_record(fold, ordinal, digest_of(data), line, entry.decode()))
            pages.append(Change(fold.path, None, data))
        after = Ledger(folds=records, index_section=section, created=created)
        changes = [*pages, writer.change(index_path(vault), index), writer.change(log_path(vault), log)]
        changes.append(writer.change(LEDGER, encode_ledger(after)))
        written = writer.commit("fold", changes)
    commit = _git_commit(vault, written.paths, f"wiki: fold {len(plan.folds)}") if git else None
    return Applied([fold.id for fold in plan.folds], written.paths, commit)


def index_line(fold: Fold) -> str:
    """The fold's line in the index."""
    return f"- [[{fold.id}]] (level {fold.level}, {fold.first} to {fold.last}, {_entries(fold.entries)})"


def log_entry(fold: Fold) -> str:
    """The fold's entry in the log; it bears the date of the last child."""
    noun = "log entries" if fold.level == 1 else f"folds of level {fold.level - 1}"
    return (
        f"## [{fold.last}] fold | Level {fold.level}, {_entries(fold.entries)}\n"
        f"- Page: [[{fold.id}]]\n- Range: {fold.first} to {fold.last}\n- Children: {len(fold.children)} {noun}"
    )


def _entries(count: int) -> str:
    return "1 entry" if count == 1 else f"{count} entries"


def plan_undo(vault: Vault, folds: Sequence[str] = (), *, everything: bool = False) -> Undo:
    """Plan to remove the named folds (ids or `f1.2`), or all. Raises `FoldInUse` for one that a higher fold holds or that was edited."""
    load(vault)
    with_state = {path: current_digest(vault.at(path)) for path in (log_path(vault), index_path(vault), LEDGER)}
    place = vault.at(LEDGER)
    ledger = decode_ledger(place.read_bytes()) if place.exists() else Ledger()
    wanted = ledger.folds if everything else [_named(ledger, name) for name in folds]
    if not wanted and not everything:
        raise UsageError("name a fold to undo, or ask for all of them", next=[["lith", "wiki", "fold", "status"]])
    ids = {record.id for record in wanted}
    for record in wanted:
        holder = ledger.folded(record.level + 1).get(record.id)
        if holder is not None and holder not in ids:
            raise FoldInUse(f"{record.id} is held by {holder}", hint="undo that one first, or both together")
        if current_digest(writable(vault, record.path)) not in {record.digest, None}:
            raise FoldInUse(
                f"{record.path} was edited since it was written", hint="move the edit elsewhere, or delete the page by hand"
            )
    ordered = sorted(wanted, key=lambda record: (-record.level, -record.ordinal))
    return Undo([record.id for record in ordered], [record.path for record in ordered], with_state)


def apply_undo(vault: Vault, plan: Undo, *, now: int) -> Applied:
    """Remove planned folds with their index lines and log entries, in one transaction. Raises `PlanStale`, `FoldInUse`."""
    if not plan.folds:
        return Applied([], [])
    with writing(vault, now=now) as writer:
        _check_state(writer, plan.state)
        ledger = _ledger(writer)
        log, index = writer.read(log_path(vault)) or b"", writer.read(index_path(vault)) or b""
        changes: list[Change] = []
        for id in plan.folds:
            record = ledger.get(id)
            if record is None:
                raise PlanStale(f"{id} is gone already", hint="make the plan again")
            log = _cut(log, record.log_text.encode(), f"the log entry of {id}")
            index = remove_line(index, record.index_text)
            if writer.read(record.path) is not None:
                changes.append(Change(record.path, record.digest, None))
        after = ledger.without(plan.folds)
        if not after.folds and ledger.index_section:
            index = index.replace(ledger.index_section.encode(), b"", 1)
        gone = not after.folds and index_path(vault) in ledger.created and not index.strip()
        changes.append(writer.change(index_path(vault), None if gone else index))
        changes.append(writer.change(log_path(vault), log))
        changes.append(writer.change(LEDGER, encode_ledger(after) if after.folds else None))
        written = writer.commit("fold undo", changes)
    return Applied(list(plan.folds), written.paths)


def _named(ledger: Ledger, name: str) -> FoldRecord:
    exact = [record for record in ledger.folds if name in {record.id, f"f{record.level}.{record.ordinal}"}]
    matches = exact or [record for record in ledger.folds if record.id.startswith(name)]
    if len(matches) != 1:
        what = "no fold" if not matches else "the beginning of several folds"
        raise UsageError(f"{name!r} is {what}", hint="lith wiki fold status lists them")
    return matches[0]


def _cut(data: bytes, piece: bytes, what: str) -> bytes:
    if not piece or piece not in data:
        raise FoldInUse(f"{what} was edited since it was written", hint="remove it by hand, then run the undo again")
    return data.replace(piece, b"", 1)


def _record(fold: Fold, ordinal: int, digest: str, line: str, entry: str) -> FoldRecord:
    return FoldRecord(
        id=fold.id, level=fold.level, ordinal=ordinal, path=fold.path, first=fold.first, last=fold.last, entries=fold.entries,
        children=fold.children, addresses=fold.addresses, digest=digest, index_text=line, log_text=entry,
    )  # fmt: skip


def _ledger(writer: Writer) -> Ledger:
    data = writer.read(LEDGER)
    return Ledger() if data is None else decode_ledger(data)


def _check_state(writer: Writer, state: dict[str, str | None]) -> None:
    for path, digest in state.items():
        if current_digest(writer.vault.at(path)) != digest:
            raise PlanStale(f"{path} changed since the plan was made; nothing was written", hint="make the plan again")


def _git_commit(vault: Vault, paths: Sequence[str], message: str) -> str | None:
    """Commit exactly these files; None when git does not take them (no repository, ignored files, a hook's refusal)."""
    if run_git(vault.root, ["add", "--", *paths]) is None:
        return None
    if run_git(vault.root, ["commit", "-q", "-m", message, "--", *paths]) is None:
        return None
    head = run_git(vault.root, ["rev-parse", "HEAD"])
    return head.decode("ascii", "replace").strip() if head else None
