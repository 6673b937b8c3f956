"""How the records of one transcript hang together: which session each belongs to, and what is said twice.

An adapter computes an `Arrangement` from the `Outline`s of a transcript's records, the same from a full read and from the
map, because an
outline holds what the map keeps of a record, and no text.
"""

import msgspec

from lith.kernel.ids import Packed
from lith.records.record import Kind, Label, Role, SessionKind, Usage


class PieceOutline(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A piece without its text: `text_hash` is `kernel.ids.small_hash` of the text, `length` its length in characters,
    `message` the hash of its message id where the record holds several messages.
    """

    kind: Kind
    role: Role | None
    label: Label | None
    tool: str | None
    order: int
    native: bool
    text_hash: int
    length: int
    message: int | None = None


class Outline(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What the map keeps of one record, its best copy, in the order of first appearance.

    Ids are packed (`kernel.ids.pack`): compare them, and unpack what a person will read. `message` is a hash of the client's message id
    (`kernel.ids.small_hash`), None where it wrote none. `at` is the running maximum of the timestamps in its file up to here, in
    milliseconds, `timestamp` its own.
    """

    record_id: Packed
    type: str
    at: int
    timestamp: int | None
    parent: Packed | None
    logical_parent: Packed | None
    prompt: Packed | None
    message: int | None
    tool_use_id: str | None
    target: Packed | None
    flags: int
    usage: Usage | None
    attributes: tuple[tuple[str, str], ...]
    pieces: tuple[PieceOutline, ...]


class SessionPlan(msgspec.Struct, frozen=True):
    """One session of a transcript. `native_id` is its id without the client's name, `parent` the native id of its parent session.

    `attributes` are the session's own: `cwd`, `branch`, `version`, `model`, `agent`, `spawned_by`, … The first `cwd` and `branch` and the
    last `version` and `model` are the session's. Sessions of one `family`
    hold copies of each other's messages as new records, so that equal text is a copy; without one, a copy has the record id of its
    original.
    """

    native_id: str
    kind: SessionKind = SessionKind.MAIN
    parent: str | None = None
    attributes: tuple[tuple[str, str], ...] = ()
    family: str | None = None


class Arrangement(msgspec.Struct, frozen=True):
    """The answer of an adapter for one transcript.

    `sessions` are its sessions (none: the file holds no conversation). `session_of[i]` is the index in `sessions` of record
    i, or -1 for a
    record that belongs to the transcript but to no session. `hidden` are (record index, piece index) of pieces not to
    show: the same text in another form. `abandoned` are indexes of records on a branch that the user left or rolled back.
    """

    sessions: tuple[SessionPlan, ...]
    session_of: tuple[int, ...]
    hidden: frozenset[tuple[int, int]] = frozenset()
    abandoned: frozenset[int] = frozenset()
