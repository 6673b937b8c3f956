"""How the records of one session hang together: the branch that is the conversation, and the branches that were left.

Only the adapter calls it. Pure, and linear in the number of records; no shape of the tree (phantom parents, cycles) loses a record.
"""

from collections.abc import Sequence

from lith.kernel.ids import Packed
from lith.records.arrangement import Arrangement, Outline, SessionPlan
from lith.records.record import Flag, Label

_CONVERSATION, _HEADER = int(Flag.CONVERSATION), int(Flag.HEADER)
_FIRST = ("cwd",)  # where a session changes its mind, it is the session of its first of these
_LAST = ("model",)
_TYPE_HEADER = "session"


def arrange(transcript: str, outlines: Sequence[Outline]) -> Arrangement:
    """See `sources.base.Source.arrange`."""
    if not any(outline.flags & _CONVERSATION for outline in outlines):
        return Arrangement(sessions=(), session_of=(-1,) * len(outlines))
    return Arrangement(
        sessions=(_plan(transcript, outlines),),
        session_of=(0,) * len(outlines),
        abandoned=_find_abandoned(outlines),
    )


def _plan(transcript: str, outlines: Sequence[Outline]) -> SessionPlan:
    facts: dict[str, str] = {}
    for outline in outlines:
        for name, value in outline.attributes:
            if name in _LAST or name not in facts:
                facts[name] = value
    return SessionPlan(
        native_id=transcript,
        parent=facts.get("parent"),
        attributes=tuple((name, facts[name]) for name in (*_FIRST, *_LAST) if name in facts),
        family=facts.get("parent", transcript),  # a fork copies its parent's history into records of its own
    )


def _find_abandoned(outlines: Sequence[Outline]) -> frozenset[int]:
    """The records off the path from the last entry to its root, as far as they provably were left.

    They hang on a record of that path, or on a root of their own while the path reached a root too: Pi begins anew at the root when the
    first prompt is taken back. What hangs on a parent that is not here stays: its place is not known. The oldest sessions have no tree.
    """
    parents = _find_parents(outlines)
    if all(parent < 0 for parent in parents):
        return frozenset()
    live, top = _walk_up(parents, next(i for i in range(len(outlines) - 1, -1, -1) if _is_entry(outlines[i]) or i == 0))
    left: dict[int, bool] = dict.fromkeys(live, False)
    reached_root = not outlines[top].parent
    for start in range(len(outlines)):
        path = []
        i = start
        while i not in left:
            path.append(i)
            left[i] = False  # a mark: on the path that is walked now; a cycle ends here, and stays
            if parents[i] < 0:
                left[i] = reached_root and not outlines[i].parent
                break
            i = parents[i]
        hangs_off = left[i] or i in live
        for j in path:
            left[j] = hangs_off
    return frozenset(i for i, is_left in left.items() if is_left and i not in live and not _stays(outlines[i]))


def _find_parents(outlines: Sequence[Outline]) -> list[int]:
    """The index of each record's parent; -1 where there is none here."""
    index: dict[Packed, int] = {}
    for i, outline in enumerate(outlines):
        index.setdefault(outline.record_id, i)
    parents = (index.get(outline.parent, -1) if outline.parent else -1 for outline in outlines)
    return [parent if parent != i else -1 for i, parent in enumerate(parents)]


def _walk_up(parents: Sequence[int], leaf: int) -> tuple[set[int], int]:
    """The path from a leaf, and its uppermost record."""
    path: set[int] = set()
    i = top = leaf
    while i >= 0 and i not in path:
        path.add(i)
        top = i
        i = parents[i]
    return path, top


def _is_entry(outline: Outline) -> bool:
    """Whether a record stands in the tree, as all do but the header."""
    return outline.type != _TYPE_HEADER


def _stays(outline: Outline) -> bool:
    """Whether a record is about the session, not about a branch."""
    return not _is_entry(outline) or bool(outline.flags & _HEADER) or any(p.label == Label.TITLE for p in outline.pieces)
