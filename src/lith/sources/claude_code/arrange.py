"""How the records of one transcript hang together: its sessions, what is said twice, and the branches that were left.

Only the adapter calls it. Pure, and linear in the number of records; no shape of the parent graph (phantom parents, forks, cycles)
loses a record.
"""

from collections import defaultdict, deque
from collections.abc import Sequence

from lith.kernel import ids
from lith.records.arrangement import Arrangement, Outline, SessionPlan
from lith.records.record import Flag, Kind, Role, SessionKind
from lith.sources.claude_code.graph import find_parents, find_reach, iter_below
from lith.sources.claude_code.sidechains import group_sidechains

_SIDECHAIN, _TURN, _CONVERSATION = int(Flag.SIDECHAIN), int(Flag.TURN), int(Flag.CONVERSATION)
_WARMUP = "Warmup"
_WARMUP_HASH = ids.small_hash(_WARMUP)
_QUEUED = "attachment/queued_command"
_FIRST = ("cwd", "branch")  # where a session changes its mind, it is the session of its first of these
_LAST = ("version", "model")


def arrange(transcript: str, outlines: Sequence[Outline]) -> Arrangement:
    """See `sources.base.Source.arrange`."""
    if not outlines:
        return Arrangement(sessions=(), session_of=())
    parents = find_parents(outlines)
    session_of = [-1] * len(outlines)
    sessions: list[SessionPlan] = []
    session, slash, agent = transcript.partition("/")
    if slash:
        members = list(range(len(outlines)))
        if any(outline.flags & _CONVERSATION for outline in outlines):
            _add(sessions, session_of, _plan_agent(transcript, session, [("agent", agent)], outlines, members), members)
    else:
        members = [i for i, outline in enumerate(outlines) if not outline.flags & _SIDECHAIN]
        if any(outlines[i].flags & _CONVERSATION for i in members):
            plan = SessionPlan(native_id=transcript, attributes=_gather(outlines, members))
            _add(sessions, session_of, plan, members)
        for chain in group_sidechains(outlines, parents):
            if not any(outlines[i].flags & _CONVERSATION for i in chain.members):
                continue
            native_id = f"{transcript}/{chain.name}"
            known = [("agent", chain.name), *([("spawned_by", chain.spawned_by)] if chain.spawned_by else [])]
            _add(sessions, session_of, _plan_agent(native_id, transcript, known, outlines, chain.members), chain.members)
    return Arrangement(
        sessions=tuple(sessions),
        session_of=tuple(session_of),
        hidden=_find_repeated_prompts(outlines),
        abandoned=_find_abandoned(outlines, parents),
    )


def _add(sessions: list[SessionPlan], session_of: list[int], plan: SessionPlan, members: Sequence[int]) -> None:
    for i in members:
        session_of[i] = len(sessions)
    sessions.append(plan)


def _plan_agent(
    native_id: str, parent: str, known: list[tuple[str, str]], outlines: Sequence[Outline], members: Sequence[int]
) -> SessionPlan:
    """The session of a sub-agent; one whose first words are the client's warm-up is none of anybody's work."""
    first = next((piece for i in members for piece in outlines[i].pieces if piece.kind == Kind.MESSAGE), None)
    warm = first is not None and first.role == Role.USER and first.length == len(_WARMUP) and first.text_hash == _WARMUP_HASH
    return SessionPlan(
        native_id=native_id,
        kind=SessionKind.WARMUP if warm else SessionKind.SUBAGENT,
        parent=parent,
        attributes=(*_gather(outlines, members), *known),
    )


def _gather(outlines: Sequence[Outline], members: Sequence[int]) -> tuple[tuple[str, str], ...]:
    """The session's own attributes, from those of its records."""
    facts: dict[str, str] = {}
    for i in members:
        for name, value in outlines[i].attributes:
            if name in _LAST or (name in _FIRST and name not in facts):
                facts[name] = value
    return tuple((name, facts[name]) for name in (*_FIRST, *_LAST) if name in facts)


def _find_repeated_prompts(outlines: Sequence[Outline]) -> frozenset[tuple[int, int]]:
    """Pieces of queued prompts that come again as a record of their own before a person says anything else."""
    waiting: defaultdict[tuple[int, int], deque[tuple[int, int]]] = defaultdict(deque)
    hidden = set()
    for i, outline in enumerate(outlines):
        if outline.type not in {"user", _QUEUED} or outline.flags & _SIDECHAIN:
            continue
        for p, piece in enumerate(outline.pieces):
            if piece.kind != Kind.MESSAGE:
                continue
            same = piece.text_hash, piece.length
            if outline.type == _QUEUED:
                waiting[same].append((i, p))
            elif waiting.get(same):
                hidden.add(waiting[same].popleft())
            elif outline.flags & _TURN:
                waiting.clear()
    return frozenset(hidden)


def _find_abandoned(outlines: Sequence[Outline], parents: Sequence[int]) -> frozenset[int]:
    """Records below a person's prompt that the person took back: a later prompt has the same parent, and nothing was added since."""
    rivals: defaultdict[int, list[int]] = defaultdict(list)
    for i, outline in enumerate(outlines):
        if outline.flags & _TURN and parents[i] >= 0:
            rivals[parents[i]].append(i)
    contested = [siblings for siblings in rivals.values() if len(siblings) > 1]
    if not contested:
        return frozenset()
    reach = find_reach(parents)
    roots = [turn for siblings in contested for turn in siblings[:-1] if reach[turn] < siblings[-1]]
    return frozenset(iter_below(parents, roots))
