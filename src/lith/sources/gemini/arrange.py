"""How the records of one session hang together: what is said again, and what was taken back.

Only the adapter calls it. Pure, and linear in the number of pieces. The first telling of a message stays, so that it keeps its place; a
later one adds the calls that the first did not have yet.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence

from lith.kernel.ids import Packed
from lith.records.arrangement import Arrangement, Outline, SessionPlan
from lith.records.record import Flag, Kind, SessionKind

_CONVERSATION, _ROLLBACK, _HEADER = int(Flag.CONVERSATION), int(Flag.ROLLBACK), int(Flag.HEADER)
_FIRST = ("cwd",)  # where a session changes its mind, it is the session of its first of these
_LAST = ("model",)


def arrange(transcript: str, outlines: Sequence[Outline]) -> Arrangement:
    """See `sources.base.Source.arrange`."""
    if not any(outline.flags & _CONVERSATION for outline in outlines):
        return Arrangement(sessions=(), session_of=(-1,) * len(outlines))
    return Arrangement(
        sessions=(_plan(transcript, outlines),),
        session_of=(0,) * len(outlines),
        hidden=_find_repeated(outlines),
        abandoned=_find_abandoned(outlines),
    )


def _plan(transcript: str, outlines: Sequence[Outline]) -> SessionPlan:
    facts: dict[str, str] = {}
    for outline in outlines:
        for name, value in outline.attributes:
            if name in _LAST or name not in facts:
                facts[name] = value
    parent, slash, agent = transcript.partition("/")
    is_agent = bool(slash) or facts.get("kind") == SessionKind.SUBAGENT
    known = [(name, facts[name]) for name in (*_FIRST, *_LAST) if name in facts]
    return SessionPlan(
        native_id=transcript,
        kind=SessionKind.SUBAGENT if is_agent else SessionKind.MAIN,
        parent=parent if slash else None,
        attributes=(*known, *([("agent", agent)] if slash else [])),
    )


def _find_repeated(outlines: Sequence[Outline]) -> frozenset[tuple[int, int]]:
    """The pieces that say again what their message, or the session, has said before."""
    hidden = set()
    said: set[Hashable] = set()
    called: defaultdict[Hashable, Counter[Hashable]] = defaultdict(Counter)
    for i, outline in enumerate(outlines):
        told: Counter[Hashable] = Counter()
        for p, piece in enumerate(outline.pieces):
            owner: Hashable = piece.message if piece.message is not None else outline.message
            if owner is None:
                owner = piece.text_hash if piece.kind is Kind.PROFILE else ("record", i)
            if piece.kind is Kind.CALL:
                call = piece.tool, piece.text_hash
                told[owner, call] += 1
                if told[owner, call] <= called[owner][call]:
                    hidden.add((i, p))
                else:
                    called[owner][call] += 1
            elif (owner, piece.kind) in said:
                hidden.add((i, p))
            else:
                said.add((owner, piece.kind))
    return frozenset(hidden)


def _find_abandoned(outlines: Sequence[Outline]) -> frozenset[int]:
    """The records from a message that was taken back up to the step back itself."""
    if not any(outline.flags & _ROLLBACK for outline in outlines):
        return frozenset()
    places: dict[Packed, int] = {}
    taken: list[tuple[int, int]] = []
    for i, outline in enumerate(outlines):
        places.setdefault(outline.record_id, i)
        start = places.get(outline.target) if outline.flags & _ROLLBACK and outline.target is not None else None
        if start is None:
            continue
        while taken and taken[-1][1] > start:
            start = min(start, taken.pop()[0])
        taken.append((start, i))
    return frozenset(k for start, end in taken for k in range(start, end) if outlines[k].message is not None)
