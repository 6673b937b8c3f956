"""What a prune would do to a transcript: which records go, which parents the others get, what that saves. Pure but for reading the file.

`decide` needs the rows only; `plan_prune` also runs every edit to count it. Nothing is written here.
"""

import os
import stat
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

import msgspec

from lith.archive import FileKey
from lith.keep.cache import CacheNote, note_cache
from lith.keep.errors import CannotPrune
from lith.keep.measure import CONTEXT_KINDS, KINDS, measure
from lith.keep.outline import Outline, Row, read_outline
from lith.keep.rewriting import Decisions, iter_rewritten
from lith.keep.rules import Scene, active_rules
from lith.kernel.files import storage_errors
from lith.kernel.tokens import estimate_tokens_bytes

LIMIT = 2_000
"""Characters that a pruned tool result or input keeps."""
SOURCES = ("claude_code",)


class RuleCount(msgspec.Struct, frozen=True):
    """What one rule does: records removed and shortened, bytes and tokens of the model's context that it saves."""

    name: str
    says: str
    removed: int
    shortened: int
    bytes: int
    tokens: int


class KindCount(msgspec.Struct, frozen=True):
    """Bytes of one kind, and estimated tokens where a model is sent them, before and after."""

    kind: str
    bytes_before: int
    bytes_after: int
    tokens_before: int
    tokens_after: int


class PrunePlan(msgspec.Struct, frozen=True, kw_only=True):
    """An itemised preview, and all that `apply_prune` needs to do exactly this or refuse.

    `size`, `sha256`, `dev` and `inode` say what file it was made from. `records` counts physical lines. Every record that is removed or
    shortened stays recallable by its id, from the archive.
    """

    key: FileKey
    path: str
    mode: str
    rules: tuple[RuleCount, ...]
    switches: dict[str, bool]
    limit: int
    dev: int
    inode: int
    size: int
    sha256: str
    bytes_before: int
    bytes_after: int
    kinds: tuple[KindCount, ...]
    records: int
    removed: int
    shortened: int
    recallable: int
    torn: bool
    cache: CacheNote

    @property
    def changes(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.removed or self.shortened)


def plan_prune(
    key: FileKey, path: Path, *, now: int, mode: str = "resume", switches: Mapping[str, bool] | None = None, limit: int = LIMIT
) -> PrunePlan:
    """Plan the prune of one live file. Raises `CannotPrune`, `UsageError`, `StorageError`."""
    if key.source not in SOURCES:
        raise CannotPrune(f"transcripts of {key.source} are not pruned", hint=f"lith prunes those of {', '.join(SOURCES)}")
    rules = active_rules(mode, switches or {})
    with storage_errors(f"read {path}"), path.open("rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise CannotPrune(f"{path} is not a regular file")
        outline = read_outline(file, status.st_size)
        decisions = decide(outline, mode=mode, switches=switches or {}, limit=limit)
        tally = _Tally(decisions)
        _count(file, outline, decisions, tally)
    return PrunePlan(
        key=key,
        path=str(path),
        mode=mode,
        rules=tuple(
            RuleCount(
                rule.name,
                rule.says,
                tally.removed[rule.name],
                tally.shortened[rule.name],
                tally.bytes[rule.name],
                tally.tokens[rule.name],
            )
            for rule in rules
        ),
        switches=dict(switches or {}),
        limit=limit,
        dev=status.st_dev,
        inode=status.st_ino,
        size=outline.size,
        sha256=outline.sha256,
        bytes_before=outline.size,
        bytes_after=tally.after,
        kinds=tally.kinds(),
        records=len(outline.rows),
        removed=len(decisions.removed),
        shortened=tally.changed,
        recallable=len(decisions.removed) + tally.changed,
        torn=outline.torn,
        cache=note_cache(path, now=now, modified=status.st_mtime_ns // 1_000_000, tokens=tally.context_tokens()),
    )


def decide(outline: Outline, *, mode: str, switches: Mapping[str, bool], limit: int) -> Decisions:
    """Which rows go, and what the parents of the others become; a pure function of the rows and the settings."""
    rules = active_rules(mode, switches)
    rows = outline.rows
    scene = Scene(
        limit,
        last_turn=max((row.index for row in rows if row.prompt), default=-1),
        last_wall=max((row.index for row in rows if row.wall), default=-1),
    )
    chosen: dict[int, str] = {}
    for rule in rules:
        for index in rule.select(rows, scene) if rule.select else ():
            chosen.setdefault(index, rule.name)
    _spare(rows, chosen)
    heirs = find_heirs(rows, chosen)
    return Decisions(rules=rules, scene=scene, removed=chosen, heirs=heirs)


def _spare(rows: Sequence[Row], chosen: dict[int, str]) -> None:
    """Take back what must stay: rows that a row which stays names, rows that are not unique, and the ends of broken chains."""
    by_uuid = Counter(row.uuid for row in rows if row.uuid)
    for index in list(chosen):
        row = rows[index]
        parent = row.parent or row.logical
        if row.odd or (row.uuid and (by_uuid[row.uuid] > 1 or (parent and parent not in by_uuid))):
            del chosen[index]
    place = {row.uuid: row.index for row in rows if row.uuid}
    for index in _find_cycles(rows, place, chosen):
        del chosen[index]
    waiting = [row.index for row in rows if row.index not in chosen]
    while waiting:
        for ref in rows[waiting.pop()].refs:
            index = place.get(ref, -1)
            if index in chosen:
                del chosen[index]
                waiting.append(index)


def _up(row: Row, place: Mapping[str, int]) -> int:
    """The row above; -1 where there is none."""
    parent = row.parent or row.logical
    return place.get(parent, -1) if parent else -1


def _find_cycles(rows: Sequence[Row], place: Mapping[str, int], chosen: Mapping[int, str]) -> set[int]:
    """The rows that go and are their own ancestors over rows that go."""
    walked: dict[int, int] = {}
    found: set[int] = set()
    for start in chosen:
        path = []
        at = start
        while at in chosen and at not in walked:
            walked[at] = start
            path.append(at)
            at = _up(rows[at], place)
        if walked.get(at) == start and at in path:
            found.update(path[path.index(at) :])
    return found


def find_heirs(rows: Sequence[Row], chosen: Mapping[int, str]) -> dict[str, str | None]:
    """For the id of each row that goes, the nearest ancestor that stays; None where there is none."""
    removed = {uuid: row for index in chosen if (uuid := (row := rows[index]).uuid)}
    heirs: dict[str, str | None] = {}
    for start, first in removed.items():
        path = [start]
        up = first.parent or first.logical
        while up in removed and up not in heirs:
            path.append(up)
            up = removed[up].parent or removed[up].logical
        heir = None if up is None else heirs.get(up, up)
        heirs.update(dict.fromkeys(path, heir))
    return heirs


class _Tally:
    """Counts of a plan, gathered line by line."""

    def __init__(self, decisions: Decisions) -> None:
        self.removed = Counter(decisions.removed.values())
        self.shortened: Counter[str] = Counter()
        self.bytes: Counter[str] = Counter()
        self.tokens: Counter[str] = Counter()
        self.before: Counter[str] = Counter()
        self.left: Counter[str] = Counter()
        self.after = 0
        self.changed = 0

    def context_tokens(self) -> int:
        """Estimated tokens of what a model is sent afterwards."""
        return sum(estimate_tokens_bytes(self.left[kind]) for kind in CONTEXT_KINDS)

    def kinds(self) -> tuple[KindCount, ...]:
        """Every kind that occurs."""
        return tuple(
            KindCount(
                kind, self.before[kind], self.left[kind], *(_tokens(kind, counts[kind]) for counts in (self.before, self.left))
            )
            for kind in KINDS
            if self.before[kind]
        )


def _tokens(kind: str, size: int) -> int:
    return estimate_tokens_bytes(size) if kind in CONTEXT_KINDS else 0


def _count(file: BinaryIO, outline: Outline, decisions: Decisions, tally: _Tally) -> None:
    for rewritten in iter_rewritten(file, outline, decisions):
        row, data, new = rewritten.row, rewritten.data, rewritten.new
        kinds = measure(data, row.type)
        tally.before.update(kinds)
        if new is None:
            rule = decisions.removed[row.index]
            tally.bytes[rule] += len(data)
            tally.tokens[rule] += sum(_tokens(kind, size) for kind, size in kinds.items())
            continue
        tally.after += len(new)
        tally.left.update(kinds if new is data else measure(new, row.type))
        tally.changed += bool(rewritten.saved)
        for name, (saved, tokens) in rewritten.saved.items():
            tally.shortened[name] += 1
            tally.bytes[name] += saved
            tally.tokens[name] += tokens
