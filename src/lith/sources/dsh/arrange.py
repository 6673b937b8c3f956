"""How the records of one session hang together: a log has one session, and no branches.

Only the adapter calls it. Pure, and linear in the number of records.
"""

from collections.abc import Sequence

from lith.records.arrangement import Arrangement, Outline, SessionPlan
from lith.records.record import Flag, Kind, Label, SessionKind

_CONVERSATION = int(Flag.CONVERSATION)
_FIRST = ("cwd", "agent")  # where a session changes its mind, it is the session of its first of these
_LAST = ("model",)


def arrange(transcript: str, outlines: Sequence[Outline]) -> Arrangement:
    """See `sources.base.Source.arrange`."""
    if not any(outline.flags & _CONVERSATION for outline in outlines):
        return Arrangement(sessions=(), session_of=(-1,) * len(outlines))
    return Arrangement(
        sessions=(_plan(transcript, outlines),),
        session_of=(0,) * len(outlines),
        hidden=_find_repeated(outlines),
    )


def _plan(transcript: str, outlines: Sequence[Outline]) -> SessionPlan:
    facts: dict[str, str] = {}
    for outline in outlines:
        for name, value in outline.attributes:
            if name in _LAST or name not in facts:
                facts[name] = value
    return SessionPlan(
        native_id=transcript,
        kind=SessionKind.SUBAGENT if facts.get("kind") == SessionKind.SUBAGENT else SessionKind.MAIN,
        parent=facts.get("parent"),
        attributes=tuple((name, facts[name]) for name in (*_FIRST, *_LAST) if name in facts),
        family=facts.get("parent", transcript),  # a fork copies its parent's history into records of its own
    )


def _find_repeated(outlines: Sequence[Outline]) -> frozenset[tuple[int, int]]:
    """Titles that were given at the very moment of an equal one: the same event, in a log of another format."""
    hidden: set[tuple[int, int]] = set()
    told: set[tuple[int | None, int]] = set()
    for i, outline in enumerate(outlines):
        for p, piece in enumerate(outline.pieces):
            if piece.kind is not Kind.PROFILE or piece.label is not Label.TITLE:
                continue
            title = outline.timestamp, piece.text_hash
            if title in told:
                hidden.add((i, p))
            told.add(title)
    return frozenset(hidden)
