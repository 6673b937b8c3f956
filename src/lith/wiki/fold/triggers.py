"""What would make a fold due, and why: the batch size, and three adaptive triggers. Reads only; nothing fires by itself."""

from collections.abc import Sequence
from datetime import date, tzinfo

import msgspec

from lith.kernel.tokens import estimate_tokens
from lith.wiki.dates import local_day, read_day
from lith.wiki.embedder import Embedder, unit_vectors
from lith.wiki.fold.ledger import FoldRecord, read_ledger
from lith.wiki.fold.plan import EXPONENT, foldable_entries, unfolded_entries
from lith.wiki.logbook import Entry
from lith.wiki.snapshot import load, read_bytes
from lith.wiki.vault import Vault

TOKEN_BUDGET = 8_000
NOVELTY = 0.5
STALE_DAYS = 14
MAX_SUMMARIES = 64


class Trigger(msgspec.Struct, frozen=True):
    """One trigger: its measured value, its limit, whether it would fire, and a sentence."""

    name: str
    fires: bool
    value: float | None
    limit: float
    reason: str


class Level(msgspec.Struct, frozen=True):
    """One level: how many folds it has, how many of them (or entries, at level 0) wait to be folded."""

    level: int
    items: int
    waiting: int


class FoldStatus(msgspec.Struct, frozen=True):
    """The state of a vault's folds: levels, triggers, the folds themselves, and entries that changed after their fold."""

    entries: int
    levels: list[Level]
    triggers: list[Trigger]
    folds: list[str]
    changed: list[str]


def fold_status(
    vault: Vault,
    *,
    now: int,
    zone: tzinfo | None = None,
    exponent: int = EXPONENT,
    embedder: Embedder | None = None,
) -> FoldStatus:
    """What is folded, what waits, and which trigger would fire. Novelty is measured only with an embedder."""
    snapshot = load(vault)
    ledger = read_ledger(vault)
    entries = foldable_entries(snapshot)
    waiting = unfolded_entries(entries, ledger)
    size = 1 << exponent
    levels = [Level(0, len(entries), len(waiting))]
    for level in range(1, ledger.depth() + 1):
        held = ledger.folded(level + 1)
        folds = ledger.at_level(level)
        levels.append(Level(level, len(folds), sum(1 for fold in folds if fold.id not in held)))
    due = [level for level in levels if level.waiting >= size]
    batch = Trigger(
        "batch", bool(due), max(level.waiting for level in levels), size,
        f"level {due[0].level} has {due[0].waiting} items, a batch is {size}" if due else f"no level has {size} items to fold",
    )  # fmt: skip
    summaries = [
        read_bytes(vault, fold.path).decode("utf-8", "replace")
        for fold in ledger.at_level(1)[-MAX_SUMMARIES:]
        if fold.path in snapshot.pages
    ]
    today = local_day(now, zone)
    triggers = [
        batch,
        _token_trigger(waiting),
        _novelty_trigger(waiting, summaries, embedder),
        _stale_trigger(waiting, ledger.folds, today),
    ]
    present = {entry.id for entry in entries}
    changed = sorted(child for child in ledger.folded(1) if child not in present)
    return FoldStatus(len(entries), levels, triggers, [fold.id for fold in ledger.folds], changed)


def _token_trigger(waiting: Sequence[Entry]) -> Trigger:
    total = sum(estimate_tokens(entry.text) for entry in waiting)
    return Trigger("tokens", total > TOKEN_BUDGET, total, TOKEN_BUDGET, f"the unfolded entries are about {total} tokens")


def _novelty_trigger(waiting: Sequence[Entry], summaries: Sequence[str], embedder: Embedder | None) -> Trigger:
    if embedder is None:
        return Trigger("novelty", False, None, NOVELTY, "not measured: no embedding model was given")
    if not waiting or not summaries:
        return Trigger("novelty", False, None, NOVELTY, "there is nothing to compare yet")
    new, old = unit_vectors(embedder, [entry.text for entry in waiting]), unit_vectors(embedder, summaries)
    distance = float(1.0 - (new @ old.T).max(axis=1).mean())
    return Trigger(
        "novelty", distance >= NOVELTY, distance, NOVELTY,
        f"the unfolded entries are on average {distance:.2f} away from the nearest of {len(summaries)} summaries",
    )  # fmt: skip


def _stale_trigger(waiting: Sequence[Entry], folds: Sequence[FoldRecord], today: date) -> Trigger:
    if not waiting:
        return Trigger("staleness", False, 0, STALE_DAYS, "every entry is folded")
    last = max((fold.last for fold in folds if fold.level == 1), default=None) or waiting[0].date
    since = read_day(last) or today
    days = max(0, (today - since).days)
    what = "the last folded entry" if folds else "the first entry"
    return Trigger(
        "staleness", days >= STALE_DAYS, days, STALE_DAYS, f"{what} is {days} days old and {len(waiting)} entries wait"
    )
