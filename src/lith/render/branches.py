"""Which records of a thread are its conversation, and which stand on a branch beside it. Pure.

The conversation is the chain from the leaf up. Clients fork the graph where nothing was left: parallel calls, the blocks of one message.
These are put back; what still hangs off the chain, below a record of it, is a branch. Records whose parents are not known are no branch.
"""

from collections.abc import Sequence

import msgspec

from lith.kernel.ids import Packed

SIDE, ABANDONED = "side branch", "abandoned branch"


class Node(msgspec.Struct, frozen=True, array_like=True):
    """A record in the graph; `talks` says that it belongs to the conversation proper."""

    record_id: Packed
    parent: Packed | None
    logical_parent: Packed | None
    message: int | None
    tool_use_id: str | None
    talks: bool
    abandoned: bool


def label_branches(nodes: Sequence[Node], leaf: Packed) -> list[str | None]:
    """For each record, the branch that it stands on; None for the conversation. Linear in the number of records, whatever the graph."""
    index: dict[Packed, int] = {}
    for i, node in enumerate(nodes):
        index.setdefault(node.record_id, i)
    parents = [_find_parent(node, i, index) for i, node in enumerate(nodes)]
    chain = _find_chain(nodes, parents, index.get(leaf, len(nodes) - 1))
    hangs: list[bool | None] = [None] * len(nodes)
    for start in range(len(nodes)):
        path = []
        i = start
        while i >= 0 and i not in chain and hangs[i] is None:
            hangs[i] = False  # a mark: a cycle ends here, and hangs on nothing
            path.append(i)
            i = parents[i]
        below = i >= 0 and (i in chain or bool(hangs[i]))
        for j in path:
            hangs[j] = below
    return [
        ABANDONED if node.abandoned else SIDE if node.talks and i not in chain and hangs[i] else None
        for i, node in enumerate(nodes)
    ]


def _find_parent(node: Node, own: int, index: dict[Packed, int]) -> int:
    for parent in (node.parent, node.logical_parent):
        found = index.get(parent, own) if parent is not None else own
        if found != own:
            return found
    return -1


def _find_chain(nodes: Sequence[Node], parents: Sequence[int], leaf: int) -> set[int]:
    """The records from the leaf up, with the other blocks of their messages and the answers to their calls."""
    chain: set[int] = set()
    i = leaf
    while i >= 0 and i not in chain:
        chain.add(i)
        i = parents[i]
    for _ in range(2):  # the blocks of a message make calls, which have answers
        messages = {nodes[i].message for i in chain} - {None}
        calls = {nodes[i].tool_use_id for i in chain} - {None}
        chain.update(i for i, node in enumerate(nodes) if node.message in messages or node.tool_use_id in calls)
    return chain
