"""The parent graph of a transcript as plain lists of indexes.

Only the arrangement uses it. Everything is iterative, since a chain is as long as its session, and ends on cycles.
"""

from collections.abc import Iterator, Sequence

from lith.kernel.ids import Packed
from lith.records.arrangement import Outline


def find_parents(outlines: Sequence[Outline]) -> list[int]:
    """The index of each record's parent, through a compaction wall where it stands behind one; -1 where there is none here."""
    index: dict[Packed, int] = {}
    for i, outline in enumerate(outlines):
        index.setdefault(outline.record_id, i)
    parents = []
    for i, outline in enumerate(outlines):
        parent = index.get(outline.parent, -1) if outline.parent else -1
        if parent < 0 and outline.logical_parent:
            parent = index.get(outline.logical_parent, -1)
        parents.append(parent if parent != i else -1)
    return parents


def find_children(parents: Sequence[int]) -> list[list[int]]:
    """The children of each record, in order."""
    children: list[list[int]] = [[] for _ in parents]
    for i, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(i)
    return children


def find_reach(parents: Sequence[int]) -> list[int]:
    """The index of the last record in the tree below each record, itself included."""
    children = find_children(parents)
    reach = list(range(len(parents)))
    order = [i for i, parent in enumerate(parents) if parent < 0]
    for i in order:  # grows while it runs: parents before children
        order.extend(children[i])
    for i in reversed(order):
        if parents[i] >= 0:
            reach[parents[i]] = max(reach[parents[i]], reach[i])
    return reach


def iter_below(parents: Sequence[int], roots: Sequence[int]) -> Iterator[int]:
    """Every record in the trees below `roots`, once, the roots included."""
    children = find_children(parents)
    seen = set()
    waiting = list(roots)
    while waiting:
        i = waiting.pop()
        if i not in seen:
            seen.add(i)
            waiting.extend(children[i])
            yield i


def find_roots(parents: Sequence[int], within: Sequence[bool]) -> list[int]:
    """The first record of the chain that each record hangs on, going up only through records that are `within`.

    A cycle has no first record; its earliest one stands for it. Records that are not `within` stand for themselves.
    """
    roots = [-1] * len(parents)
    for start in range(len(parents)):
        path = []
        i = start
        while roots[i] < 0:
            path.append(i)
            roots[i] = start + len(parents)  # a mark: on the path that is walked now
            parent = parents[i]
            if not within[i] or parent < 0 or not within[parent]:
                break
            i = parent
        root = roots[i]
        if root == start + len(parents):  # the path ended here, or came back to itself
            root = i if i == path[-1] else min(path[path.index(i) :])
        for j in path:
            roots[j] = root
    return roots
