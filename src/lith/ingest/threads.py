"""Threads: which arc of work each record of a transcript belongs to. Pure.

An arc is one prompt of a person and all that followed from it. `derive` calls this with the outlines of a transcript in the order of first
appearance. A record is placed by what stands before it, never by what comes later, so that a thread keeps its address and its records while
the session grows; and every record is in exactly one thread, whatever the graph of parents looks like.

What can still move a record, or rename a thread: records that come to stand before others (a second file of the session with older
times); a later record that shows an earlier text to be nobody's prompt; and a prompt that a client writes in two forms, of which the first
counts as injected text, and as a record of the thread before, until the second is there. Both stand side by side.
"""

from collections.abc import Sequence

import msgspec

from lith.kernel.ids import Packed, derive, pack, unpack
from lith.records.address import session_ref
from lith.records.arrangement import Arrangement, Outline
from lith.records.record import Flag, Kind, Role, SessionKind

ARC = "arc"
PREAMBLE = "preamble"
"""The thread of what stands before the first prompt of a session, or in no session at all."""

_TURN, _CONVERSATION, _META = int(Flag.TURN), int(Flag.CONVERSATION), int(Flag.META)
_UNATTACHED = b"\0unattached"  # no record id holds a NUL character
_PREAMBLE = b"\0preamble"


class Thread(msgspec.Struct, array_like=True):
    """One thread. `session` is the index of its session in the arrangement, -1 for records of no session; times are milliseconds UTC.

    `first` is the record that it begins with, `leaf` the last one of the conversation in it that was not taken back.
    """

    thread_id: Packed
    kind: str
    session: int
    first: Packed
    leaf: Packed
    first_at: int | None = None
    last_at: int | None = None
    records: int = 0


class Threads(msgspec.Struct, frozen=True):
    """The threads of a transcript; `thread_of` is parallel to its records."""

    threads: list[Thread]
    thread_of: list[int]


def assign_threads(source: str, transcript: str, outlines: Sequence[Outline], arrangement: Arrangement) -> Threads:
    """Put every record of a transcript into its thread; linear in the number of records."""
    scopes = [*(session_ref(source, plan.native_id) for plan in arrangement.sessions), session_ref(source, transcript)]
    starts = _find_starts(outlines, arrangement)
    threads = _Threads(scopes)
    place, begins = threads.place, starts.get
    for i, session in enumerate(arrangement.session_of):
        place(outlines[i], session, begins(i))
    _describe(threads.found, threads.thread_of, outlines, arrangement.abandoned)
    return Threads(threads.found, threads.thread_of)


class _Running:
    """What later records of a session may refer to, each with its thread; and the thread that runs now (-1: none yet)."""

    __slots__ = ("calls", "messages", "prompts", "records", "thread")

    def __init__(self) -> None:
        self.thread = -1
        self.records: dict[Packed, int] = {}
        self.prompts: dict[Packed, int] = {}
        self.messages: dict[int, int] = {}
        self.calls: dict[str, int] = {}


class _Threads:
    """The threads so far."""

    def __init__(self, scopes: Sequence[str]) -> None:
        self._scopes = scopes
        self._running = [_Running() for _ in scopes]  # the last one is of records that are in no session
        self._known: dict[Packed, int] = {}
        self.found: list[Thread] = []
        self.thread_of: list[int] = []

    def place(self, outline: Outline, session: int, begins: bool | None) -> None:
        """Put the next record into a thread. `begins` is None where it is no prompt, and False where its thread began before."""
        running = self._running[session]
        if begins:
            thread = running.thread = self._open(ARC, session, outline, _bytes_of(outline.record_id))
        else:
            thread = _find(running, outline)
            if thread < 0:
                thread = running.thread
            if thread < 0:
                thread = running.thread = self._open(PREAMBLE, session, outline, _PREAMBLE if session >= 0 else _UNATTACHED)
        self.thread_of.append(thread)
        running.records.setdefault(outline.record_id, thread)
        if begins is not None and outline.prompt is not None:
            running.prompts[outline.prompt] = thread
        if outline.message is not None:
            running.messages.setdefault(outline.message, thread)
        if outline.tool_use_id is not None:
            running.calls.setdefault(outline.tool_use_id, thread)

    def _open(self, kind: str, session: int, outline: Outline, content: bytes) -> int:
        thread_id = pack(derive(self._scopes[session], content))
        known = self._known.get(thread_id)
        if known is None:
            known = self._known[thread_id] = len(self.found)
            self.found.append(Thread(thread_id, kind, session, outline.record_id, outline.record_id))
        return known


def _find(running: _Running, outline: Outline) -> int:
    """The thread that a record says it belongs to; -1 where it does not say, or names what is not there yet."""
    found = -1
    if outline.prompt is not None:
        found = running.prompts.get(outline.prompt, -1)
    if found < 0 and outline.message is not None:
        found = running.messages.get(outline.message, -1)  # the blocks of one message belong together, wherever they hang
    if found < 0 and outline.parent is not None:
        found = running.records.get(outline.parent, -1)
    if found < 0 and outline.logical_parent is not None:
        found = running.records.get(outline.logical_parent, -1)
    if found < 0 and outline.tool_use_id is not None:
        found = running.calls.get(outline.tool_use_id, -1)
    return found


def _bytes_of(record_id: Packed) -> bytes:
    return unpack(record_id).encode("utf-8", "surrogatepass")


class _Told:
    """What was said last in a session: the prompt of the arc that runs, and texts that a later record may turn out to repeat."""

    __slots__ = ("matched", "prompt", "waiting")

    def __init__(self) -> None:
        self.prompt: tuple[int, int] | None = None
        self.matched = False
        self.waiting: dict[tuple[int, int], int] = {}


def _find_starts(outlines: Sequence[Outline], arrangement: Arrangement) -> dict[int, bool]:
    """The records that are prompts, and whether they begin an arc.

    A prompt that a client writes in two forms begins it once, with the earlier form, whichever of them is shown: so the arc is the same
    before and after the second form was written.
    """
    agents = [plan.kind is not SessionKind.MAIN for plan in arrangement.sessions]
    told: dict[int, _Told] = {}
    starts: dict[int, bool] = {}
    for i, (outline, session) in enumerate(zip(outlines, arrangement.session_of, strict=True)):
        turn = outline.flags & _TURN
        if session < 0 or not outline.flags & (_TURN | _CONVERSATION):
            continue
        own = [(j, piece) for j, piece in enumerate(outline.pieces) if piece.kind == Kind.MESSAGE and piece.role == Role.USER]
        last = told.get(session)
        if not turn and not (own and agents[session]):
            if last is not None:
                last.matched = True  # an answer stands between: what comes now is no second form of the prompt
            continue
        if last is None:
            last = told[session] = _Told()
        shown = [piece for j, piece in own if (i, j) not in arrangement.hidden]
        words = (shown or [piece for _, piece in own])[:1]
        said = (words[0].text_hash, words[0].length) if words else None
        if shown or not own:
            starts[i] = False
            starts[i if said is None else last.waiting.get(said, i)] = True
            last.matched = said in last.waiting
            last.prompt = said
            last.waiting.clear()
        elif said == last.prompt and not last.matched:
            last.matched = True
        elif said is not None:
            last.waiting.setdefault(said, i)
    return starts


def _describe(
    threads: Sequence[Thread], thread_of: Sequence[int], outlines: Sequence[Outline], abandoned: frozenset[int]
) -> None:
    """Fill in what the records of each thread say together."""
    rank = [-1] * len(threads)
    for i, number in enumerate(thread_of):
        thread, outline = threads[number], outlines[i]
        thread.records += 1
        moment = outline.timestamp
        if moment is not None:
            thread.first_at = moment if thread.first_at is None else min(thread.first_at, moment)
            thread.last_at = moment if thread.last_at is None else max(thread.last_at, moment)
        talks = outline.flags & _CONVERSATION and not outline.flags & _META
        own = 0 if not talks else 1 if i in abandoned else 2
        if own >= rank[number]:
            rank[number] = own
            thread.leaf = outline.record_id
