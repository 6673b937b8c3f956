"""Sub-agents whose records stand in their parent's file, as old clients wrote them: which record belongs to which of them.

Only the arrangement uses it. Such records carry no agent id; what they have is a chain of parents of their own.
"""

from collections.abc import Sequence

import msgspec

from lith.kernel.ids import unpack
from lith.records.arrangement import Outline
from lith.records.record import Flag, Kind, Role
from lith.sources.claude_code.graph import find_roots

_SIDECHAIN = int(Flag.SIDECHAIN)
_STARTERS = frozenset({"Task", "Agent"})
_NAME_LENGTH = 8


class Chain(msgspec.Struct):
    """One sub-agent: its name within the session, its records in order, and the tool use that started it as far as known."""

    name: str
    members: list[int]
    spawned_by: str | None = None


def group_sidechains(outlines: Sequence[Outline], parents: Sequence[int]) -> list[Chain]:
    """The sub-agents of a transcript, in order of appearance."""
    within = [bool(outline.flags & _SIDECHAIN) for outline in outlines]
    if not any(within):
        return []
    roots = _join_fragments(outlines, parents, find_roots(parents, within), within)
    members: dict[int, list[int]] = {}
    for i, root in enumerate(roots):
        if within[i]:
            members.setdefault(root, []).append(i)
    names = _name({root: unpack(outlines[root].record_id) for root in members})
    callers = _find_callers(outlines, set(members), within)
    return [Chain(names[root], records, callers.get(root)) for root, records in members.items()]


def _join_fragments(
    outlines: Sequence[Outline], parents: Sequence[int], roots: Sequence[int], within: Sequence[bool]
) -> list[int]:
    """`roots`, with the chains that lost their upper end joined to the sub-agent that they go on.

    A sub-agent begins with a prompt and has no parent, so a chain that begins otherwise, with a parent that is not here, is the
    rest of one: of that which made the tool call that it answers, else of that which wrote before it.
    """
    joined = list(roots)
    calls: dict[str, int] = {}
    target: dict[int, int] = {}
    latest = -1
    for i, outline in enumerate(outlines):
        if not within[i]:
            continue
        root = roots[i]
        if root == i and parents[i] < 0 and outline.parent and not _is_prompt(outline):
            found = calls.get(outline.tool_use_id, latest) if outline.tool_use_id else latest
            if found >= 0:
                target[i] = found
        latest = joined[i] = target.get(root, root)
        if outline.tool_use_id:
            calls.setdefault(outline.tool_use_id, latest)
    return joined


def _is_prompt(outline: Outline) -> bool:
    return any(piece.kind == Kind.MESSAGE and piece.role == Role.USER for piece in outline.pieces)


def _name(ids: dict[int, str]) -> dict[int, str]:
    """A name for each root: the beginning of its record id, and more of it where two begin alike."""
    names: dict[int, str] = {}
    taken: set[str] = set()
    for root, record_id in ids.items():
        digits = "".join(c for c in record_id.lower() if c in "0123456789abcdef") or "0"
        length = _NAME_LENGTH
        while (name := f"side-{digits[:length]}") in taken and length < len(digits):
            length += 1
        if name in taken:
            name = f"{name}-{root}"
        taken.add(name)
        names[root] = name
    return names


def _find_callers(outlines: Sequence[Outline], roots: set[int], within: Sequence[bool]) -> dict[int, str]:
    """The tool use that started each sub-agent: the oldest one that still waits for its answer and has started none yet."""
    waiting: dict[str, None] = {}
    callers: dict[int, str] = {}
    for i, outline in enumerate(outlines):
        call = outline.tool_use_id
        if within[i]:
            if i in roots and waiting:
                callers[i] = next(iter(waiting))
                del waiting[callers[i]]
        elif call and _starts_agent(outline):
            waiting[call] = None
        elif call:
            waiting.pop(call, None)
    return callers


def _starts_agent(outline: Outline) -> bool:
    """Whether the call that a record's tool use id names is one that starts a sub-agent."""
    first = next((piece for piece in outline.pieces if piece.kind == Kind.CALL), None)
    return first is not None and first.tool in _STARTERS
