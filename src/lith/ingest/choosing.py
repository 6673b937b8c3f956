"""Which of its copies a record is shown by, and where it stands among the others. Called by `derive`.

A file and its archived generations are one lineage: the same transcript at several times. The oldest state says the order, and what later
ones bring comes behind what it followed there, so that a prune or a rewrite moves nothing.
"""

from collections.abc import Iterable, Mapping

import apsw
import msgspec

from lith.kernel.ids import Packed
from lith.store.map import copies as copies_store
from lith.store.map import originals as originals_store

_STATES = ("gone", "archived", "failed", "live")
"""Of a record or a session the last of these that a file of it has; a file that could not be read this time is still there."""


class Copy(msgspec.Struct, array_like=True, gc=False):
    """A copy as the map holds it, with the columns of `copies_store.iter_copies`; `state` becomes that of the record."""

    lineage: str
    archived: int
    place: str
    state: str
    hash: bytes
    copy_id: int
    record_id: Packed
    length: int
    type: str
    at: int
    timestamp: int | None
    parent: Packed | None
    logical_parent: Packed | None
    prompt_id: Packed | None
    message: int | None
    tool_use_id: str | None
    target: Packed | None
    flags: int
    usage: str | None
    attributes: str | None


def stronger(one: str, other: str) -> str:
    """The state of what two files hold."""
    strongest = max(one, other, key=_STATES.index)
    return "live" if strongest == "failed" else strongest


def best_copies(connection: apsw.Connection, transcript_id: int) -> list[Copy]:
    """The best copy of every record, in the order of first appearance, with the state of the record.

    A copy that a prune shortened never wins over its original; then the longest copy is the best one, of equals an archived one, the
    earliest. A record appears where its first copy does; between files, time decides, and within a lineage its oldest state.
    """
    found = (Copy(*row) for row in copies_store.iter_copies(connection, transcript_id))
    if copies_store.count_files(connection, transcript_id) <= 1:
        # In a single file the first copy comes first, and it may hold one record very many times: none but the best is kept.
        return list(_choose(found).values())
    rows = list(found)
    folders = {row.place.rpartition("/")[0] for row in rows if row.archived}
    if folders:
        _align(rows)
    if any((row.lineage, row.place) != (rows[0].lineage, rows[0].place) for row in rows):
        rows.sort(key=lambda copy: (copy.at, copy.lineage, not copy.archived, copy.place, copy.copy_id))
    best = _choose(rows)
    if folders and (shortened := originals_store.load_originals(connection, folders)):
        _put_originals(rows, best, shortened)
    return list(best.values())


def _choose(rows: Iterable[Copy]) -> dict[Packed, Copy]:
    """The best of the copies of every record, by its length, with the place of the first and the state of the strongest."""
    best: dict[Packed, Copy] = {}
    for row in rows:
        known = best.get(row.record_id)
        if known is None:
            best[row.record_id] = row
            continue
        better = row if (row.length, row.archived) > (known.length, known.archived) else known
        best[row.record_id] = msgspec.structs.replace(better, at=known.at, state=max(known.state, row.state, key=_STATES.index))
    return best


def _align(rows: Iterable[Copy]) -> None:
    """Give what a later state of a lineage has in common with an earlier one that one's place in time, and what is new one behind it."""
    lineage = place = ""
    highest = 0
    known: dict[Packed, int] = {}
    for row in rows:
        if row.lineage != lineage:
            lineage, place = row.lineage, ""
            known = {}
        if row.place != place:
            place, highest = row.place, 0
        row.at = known.get(row.record_id, row.at)
        highest = row.at = max(highest, row.at)
        row.at = known.setdefault(row.record_id, highest)


def _put_originals(rows: Iterable[Copy], best: dict[Packed, Copy], shortened: Mapping[bytes, bytes]) -> None:
    """Where the best copy of a record is one that a prune shortened, put the copy that it was shortened from in its place."""
    wanted = {
        (record_id, original): copy for record_id, copy in best.items() if (original := shortened.get(copy.hash)) is not None
    }
    for row in rows:
        if (row.record_id, row.hash) in wanted:
            copy = wanted.pop((row.record_id, row.hash))
            best[row.record_id] = msgspec.structs.replace(row, at=copy.at, state=copy.state)
