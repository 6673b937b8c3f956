"""Where the bytes of a record are. It opens no file: reading and checking them is for whoever asks.

Called by `ops` (`block`).
"""

import os

import apsw

from lith.errors import AmbiguousAddress, BadSelector, RecordNotFound
from lith.kernel.ids import unpack
from lith.records.address import parse_address
from lith.retrieval.answers import Place, RecordPlaces
from lith.retrieval.sessions import resolve_session
from lith.store.map import read
from lith.store.map.read import CopyRow

_LOOKED_AT = 200
_CANDIDATES = 8


def locate_record(connection: apsw.Connection, address: str) -> RecordPlaces:
    """The places of a record's bytes: `rec:<id>`, the id alone or a unique prefix of it, or a message, `REF#<seq>`.

    Only copies with the same bytes as the best one are listed. Raises `RecordNotFound`, `AmbiguousAddress`, `BadSelector`, and for a
    message what resolving its session raises.
    """
    rows = _find_rows(connection, address)
    if not rows:
        raise RecordNotFound(
            f"there is no record {address!r} in the map", hint="find gives the record of every result; sync takes in new ones"
        )
    ids = list(dict.fromkeys(row.record_id for row in rows))
    if len(ids) > 1:
        names = [f"rec:{unpack(one)}" for one in ids[:_CANDIDATES]]
        raise AmbiguousAddress(
            f"{address!r} fits several records: {', '.join(names)}" + (", …" if len(ids) > _CANDIDATES else ""),
            hint="give more of the id",
            next=[["lith", "block", name] for name in names],
        )
    best = min(rows, key=lambda row: (-row.length, row.state != "live", row.copy_id))
    copies = {row.copy_id: row for row in rows if row.hash == best.hash}
    for row in list(copies.values()):
        copies |= {other.copy_id: other for other in read.find_other_copies(connection, row) if other.hash == best.hash}
    ordered = sorted(copies.values(), key=lambda row: (row.state != "live", row.copy_id != best.copy_id, row.copy_id))
    return RecordPlaces(record=unpack(best.record_id), session_ref=best.session_ref, places=[_place(row) for row in ordered])


def _find_rows(connection: apsw.Connection, address: str) -> list[CopyRow]:
    parsed = parse_address(address)
    if parsed.kind == "message" and parsed.seq is not None:
        ref = resolve_session(connection, address)
        session = read.find_session(connection, ref)
        messages = read.load_messages(connection, session.session_id, first=parsed.seq, last=parsed.seq) if session else []
        if not messages:
            raise RecordNotFound(f"{ref} has no message #{parsed.seq}", next=[["lith", "read", ref]])
        own = read.find_records(connection, unpack(messages[0].record_id), _LOOKED_AT)
        here = [row for row in own if row.session_ref == ref]
        return here or own
    if parsed.kind == "rec" or (parsed.kind == "session" and parsed.source is None):
        return _preferring_exact(read.find_records(connection, parsed.id, _LOOKED_AT), parsed.id)
    raise BadSelector(
        f"{address!r} is not the address of a record", hint="a record is rec:<id>, a message claude_code:<session id>#12"
    )


def _preferring_exact(rows: list[CopyRow], typed: str) -> list[CopyRow]:
    exact = [row for row in rows if unpack(row.record_id) == typed]
    return exact or rows


def _place(row: CopyRow) -> Place:
    return Place(
        source=row.source,
        path=os.path.join(row.root, row.path),  # noqa: PTH118 -- a path of the map, which may be another system's
        state=row.state,
        offset=row.offset,
        length=row.length,
        line=row.line,
        hash=row.hash.hex(),
        dev=row.dev,
        inode=row.inode,
        size=row.size,
        mtime_ns=row.mtime_ns,
        ctime_ns=row.ctime_ns,
    )
