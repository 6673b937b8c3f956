"""`archive verify`: is every byte in the archive what was written, does the map have every record, and what would damage cost?"""

import msgspec

from lith.archive import iter_marks
from lith.keep import Proof, prove
from lith.ops.keep.ports import MapDoor
from lith.ops.keep.targets import Named, find_archived, resolve
from lith.ops.runtime import Runtime
from lith.records.address import session_ref
from lith.store.map.generations import find_marks


class ArchiveVerifyRequest(msgspec.Struct, frozen=True, kw_only=True):
    """All of the archive, or one session of it; `deep` reads every byte and counts every record."""

    session: str | None = None
    deep: bool = False


class Doubt(msgspec.Struct, frozen=True, kw_only=True):
    """What is not as it should be.

    `reason` is `structure`, `chain`, `frame`, `digest` or `unindexed`; `start` and `end` are the raw bytes that are hit, `records` the ids
    of the records in them, `lost` those that no other place was found to hold.
    """

    session_ref: str | None = None
    path: str
    generation: int | None = None
    reason: str
    detail: str
    start: int | None = None
    end: int | None = None
    records: list[str] = []
    lost: list[str] = []


class ArchiveVerifyResult(msgspec.Struct, frozen=True, kw_only=True):
    """What was counted; `sound` says that there is no doubt. `records` are counted with `deep` only."""

    sound: bool
    deep: bool
    files: int
    generations: int
    segments: int
    length: int
    stored: int
    records: int
    leftovers: list[str]
    doubts: list[Doubt]
    next: list[list[str]]


def archive_verify(request: ArchiveVerifyRequest, runtime: Runtime) -> ArchiveVerifyResult:
    """Verify. Raises `NoMap` and what else reading the map raises, `NotArchived`, `ArchiveRefused`."""
    session = None if request.session is None else resolve(runtime, request.session)
    if session is not None:
        find_archived(runtime, session)
    with runtime.reading():
        proof = prove(
            runtime.archive_dir,
            MapDoor(runtime),
            source=session.source if session else None,
            session=session.native_id if session else None,
            deep=request.deep,
        )
        doubts = _doubts(proof)
        if not request.deep:
            doubts += _unseen(runtime, session)
    return ArchiveVerifyResult(
        sound=not doubts,
        deep=request.deep,
        files=proof.report.files,
        generations=proof.report.generations,
        segments=proof.report.segments,
        length=proof.report.length,
        stored=proof.report.stored,
        records=proof.records,
        leftovers=proof.report.leftovers,
        doubts=doubts,
        next=_next(doubts, runtime),
    )


def _doubts(proof: Proof) -> list[Doubt]:
    found = [
        Doubt(
            session_ref=session_ref(loss.damage.key.source, loss.damage.key.session),
            path=loss.damage.key.path,
            generation=loss.damage.generation,
            reason=loss.damage.reason,
            detail=loss.damage.detail,
            start=loss.damage.start,
            end=loss.damage.end,
            records=list(loss.records),
            lost=list(loss.lost),
        )
        for loss in proof.losses
    ]
    found += [
        Doubt(path=one.path, generation=one.generation, reason="unindexed", detail=f"the map lacks {one.records} of its records")
        for one in proof.unindexed
    ]
    return found


def _unseen(runtime: Runtime, session: Named | None) -> list[Doubt]:
    """Generations that the map does not know as they are now, by their folders alone."""
    if not runtime.archive_dir.is_dir():
        return []
    known = find_marks(runtime.read_map())
    own = None if session is None else {one.folder for one in find_archived(runtime, session)}
    return [
        Doubt(path=mark.path, reason="unindexed", detail="the map does not have it as it is now")
        for mark in iter_marks(runtime.archive_dir)
        if (mark.path, mark.segment, mark.stored) not in known and (own is None or runtime.archive_dir / mark.path in own)
    ]


def _next(doubts: list[Doubt], runtime: Runtime) -> list[list[str]]:
    reasons = {doubt.reason for doubt in doubts}
    commands = []
    if "unindexed" in reasons:
        commands.append(runtime.argv("sync"))
    if reasons - {"unindexed"}:
        commands.append(runtime.argv("archive", "run", "--full"))
    return commands
