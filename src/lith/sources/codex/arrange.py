"""How the records of one thread hang together: its session, what is said twice, and the turns that were taken back.

Only the adapter calls it. Pure, and linear in the number of records.
"""

from collections.abc import Sequence

from lith.records.arrangement import Arrangement, Outline, SessionPlan
from lith.records.record import Flag, Kind, Label, Role, SessionKind
from lith.sources.codex.session import INHERITED, REVIEW_MODEL
from lith.sources.codex.twins import Group, Place, find_injected, find_repeated_calls, group_texts

_CONVERSATION, _ROLLBACK, _HEADER = int(Flag.CONVERSATION), int(Flag.ROLLBACK), int(Flag.HEADER)
_FIRST = ("cwd", "branch", "repository", "agent")  # where a session changes its mind, it is the session of its first of these
_LAST = ("version", "model")
_KINDS = {kind.value: kind for kind in SessionKind}


def arrange(transcript: str, outlines: Sequence[Outline]) -> Arrangement:
    """See `sources.base.Source.arrange`."""
    if not any(outline.flags & _CONVERSATION for outline in outlines):
        return Arrangement(sessions=(), session_of=(-1,) * len(outlines))
    groups = group_texts(outlines)
    hidden = {place for group in groups for place in group.spare()}
    inherited = frozenset(i for i, outline in enumerate(outlines) if INHERITED in outline.attributes)
    hidden |= find_injected(outlines, groups, inherited)
    hidden |= find_repeated_calls(outlines)
    return Arrangement(
        sessions=(_plan(transcript, outlines, inherited),),
        session_of=(0,) * len(outlines),
        hidden=frozenset(hidden),
        abandoned=_find_abandoned(outlines, groups, hidden),
    )


def _plan(transcript: str, outlines: Sequence[Outline], inherited: frozenset[int]) -> SessionPlan:
    """The session, as its first header describes it; what later records say of it counts where the header is silent."""
    facts: dict[str, str] = {}
    headed = False
    for i, outline in enumerate(outlines):
        if i in inherited:
            continue
        for name, value in outline.attributes:
            if name in _LAST or name not in facts:
                facts[name] = value
        if outline.flags & _HEADER and not headed:
            headed = True
            facts |= dict(outline.attributes)
    kind = _KINDS.get(facts.get("kind", ""), SessionKind.MAIN)
    if facts.get("model") == REVIEW_MODEL:
        kind = SessionKind.REVIEW
    return SessionPlan(
        native_id=transcript,
        kind=kind,
        parent=facts.get("parent"),
        attributes=tuple((name, facts[name]) for name in (*_FIRST, *_LAST) if name in facts),
        family=facts.get("parent", transcript),  # a child copies its parent's history and gives the copies new times
    )


def _find_abandoned(outlines: Sequence[Outline], groups: Sequence[Group], hidden: set[Place]) -> frozenset[int]:
    """The records of turns that were taken back: from their prompt up to the record that says so."""
    if not any(outline.flags & _ROLLBACK for outline in outlines):
        return frozenset()
    prompts = sorted(group.start for group in groups if _is_prompt(group, outlines) and not hidden.issuperset(group.places))
    taken: list[tuple[int, int]] = []
    live: list[int] = []
    following = iter(prompts)
    upcoming = next(following, None)
    for i, outline in enumerate(outlines):
        while upcoming is not None and upcoming <= i:
            live.append(upcoming)
            upcoming = next(following, None)
        turns = _turns_taken_back(outline)
        if turns and live:
            first = max(len(live) - turns, 0)
            start = live[first]
            del live[first:]
            while taken and taken[-1][0] >= start:
                taken.pop()
            taken.append((start, i))
    return frozenset(k for start, end in taken for k in range(start, end) if not _stays(outlines[k]))


def _is_prompt(group: Group, outlines: Sequence[Outline]) -> bool:
    i, j = group.places[0]
    piece = outlines[i].pieces[j]
    return piece.kind == Kind.MESSAGE and piece.role == Role.USER


def _turns_taken_back(outline: Outline) -> int:
    if not outline.flags & _ROLLBACK:
        return 0
    number = dict(outline.attributes).get("rollback", "")
    return int(number) if number.isdecimal() else 0


def _stays(outline: Outline) -> bool:
    """Whether a record is about the session, not about a turn."""
    return bool(outline.flags & (_HEADER | _ROLLBACK)) or any(piece.label == Label.TITLE for piece in outline.pieces)
