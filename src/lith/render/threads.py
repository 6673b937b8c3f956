"""A thread as one text that keeps to a budget of tokens. Pure.

Long messages lose their middle first; where that is not enough, entries go from the middle of the thread, so that the prompt and the
outcome stay. Whatever is missing says how to get it.
"""

from collections.abc import Sequence

import msgspec

from lith.kernel.tokens import estimate_tokens
from lith.render.entries import Entry
from lith.retrieval.fitting import share_tokens
from lith.scrub import wrap_sentinel

MIN_BUDGET = 200
CAP = 1.5
"""An answer is never longer than so many times its budget."""

_LEAST = 72  # tokens of a shortened message, its mark included
_MARK = 32  # tokens of a mark with the address of a record
_HEAD_SHARE = 0.4  # of the room for entries; the end of a thread says what came of it
_TRIES = 10


class Rendered(msgspec.Struct, frozen=True):
    """A text, about how many tokens it is, and how many entries were shortened or left out."""

    text: str
    tokens: int
    shortened: int = 0
    left_out: int = 0


def render_thread(
    head: Sequence[str], entries: Sequence[Entry], *, budget: int, arcs: Sequence[str], more: str, wrap: bool = False
) -> Rendered:
    """A thread within a budget of tokens, of at least `MIN_BUDGET`; never more than `CAP` times it.

    `head` are lines that stand before, `more` is the command that gives more of it. With `wrap` the text is framed as recalled from `arcs`.
    """
    room = budget
    for _ in range(_TRIES):
        body, shortened, left_out = _compose(head, entries, room, more)
        text = wrap_sentinel(body, arcs) if wrap else body
        tokens = estimate_tokens(text)
        if tokens <= CAP * budget:
            return Rendered(text, tokens, shortened, left_out)
        room = room * 3 // 4
    return _cut_hard(body, budget, arcs, more, wrap=wrap, counts=(shortened, left_out))


def _compose(head: Sequence[str], entries: Sequence[Entry], budget: int, more: str) -> tuple[str, int, int]:
    heads = [_head(entry) for entry in entries]
    frames = [estimate_tokens(line) + 2 for line in heads]
    sizes = [estimate_tokens(entry.text) for entry in entries]
    room = budget - estimate_tokens("\n".join(head)) - _MARK
    kept = list(range(len(entries)))
    if sum(frames) + sum(sizes) > room:
        kept = _choose(entries, [frame + min(size, _LEAST) for frame, size in zip(frames, sizes, strict=True)], room)
    favourite = next((k for k in range(len(kept) - 1, -1, -1) if entries[kept[k]].said), None)
    left = max(room - sum(frames[i] for i in kept), 0)
    shares = share_tokens([sizes[i] for i in kept], left, favourite=favourite)
    lines = list(head)
    shortened = 0
    for k, i in enumerate(kept):
        missing = i - (kept[k - 1] + 1 if k else 0)
        if missing:
            lines += ["", f"[… {missing} entries left out: {more}]"]
        text, cut = _shorten(entries[i], sizes[i], shares[k])
        shortened += cut
        if entries[i].said:
            lines.append("")
        lines.append(heads[i])
        if text:
            lines.append(text)
    missing = len(entries) - (kept[-1] + 1 if kept else 0)
    if missing:
        lines += ["", f"[… {missing} entries left out: {more}]"]
    return "\n".join(lines), shortened, len(entries) - len(kept)


def _head(entry: Entry) -> str:
    return f"{entry.head} {_mark(entry)}" if entry.cut else entry.head


def _mark(entry: Entry) -> str:
    return f"[truncated — block {entry.record}]"


def _choose(entries: Sequence[Entry], costs: Sequence[int], room: int) -> list[int]:
    """The entries that stay: the first and the last message, then from both ends towards the middle as far as there is room."""
    if sum(costs) <= room:
        return list(range(len(entries)))
    said = [i for i, entry in enumerate(entries) if entry.said]
    kept = {said[0], said[-1]} if said else set()
    left = room - sum(costs[i] for i in kept)
    budgets = [int(left * _HEAD_SHARE), left - int(left * _HEAD_SHARE)]
    for order, share in ((range(len(entries)), budgets[0]), (range(len(entries) - 1, -1, -1), budgets[1])):
        room_here = share
        for i in order:
            if i in kept:
                continue
            room_here -= costs[i]
            if room_here < 0:
                break
            kept.add(i)
    return sorted(kept)


def _shorten(entry: Entry, size: int, tokens: int) -> tuple[str, bool]:
    """The text of an entry in about so many tokens, without its middle where it is longer."""
    if size <= tokens:
        return entry.text, False
    mark = f"\n{_mark(entry)}\n"
    goal = max(tokens - _MARK, _LEAST - _MARK)
    keep = len(entry.text) * goal // max(size, 1)
    for _ in range(4):
        text = _without_middle(entry.text, keep, mark)
        found = estimate_tokens(text)
        if found <= goal + _MARK or keep < 16:
            break
        keep = keep * goal // found
    return text, True


def _without_middle(text: str, keep: int, mark: str) -> str:
    front = keep * 3 // 5
    return f"{text[:front].rstrip()}{mark}{text[len(text) - (keep - front) :].lstrip()}"


def _cut_hard(body: str, budget: int, arcs: Sequence[str], more: str, *, wrap: bool, counts: tuple[int, int]) -> Rendered:
    """The last resort for lines that are long beyond measure: the middle of the whole text goes."""
    keep = len(body)
    while True:
        keep = keep * 3 // 4
        cut = _without_middle(body, keep, f"\n[… cut: {more}]\n")
        text = wrap_sentinel(cut, arcs) if wrap else cut
        tokens = estimate_tokens(text)
        if tokens <= CAP * budget or keep < 16:
            return Rendered(text, tokens, *counts)
