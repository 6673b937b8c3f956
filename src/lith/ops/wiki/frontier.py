"""`wiki frontier`: what to research next, and the choice of it. It proposes; the user chooses."""

from collections.abc import Callable, Sequence

from lith.ops.runtime import Runtime
from lith.ops.wiki.place import VaultRequest, VaultResult, command, opened, page_word
from lith.wiki import choose_topic, rank_frontier
from lith.wiki.frontier import TOP, Scored, Topic

Ask = Callable[[Sequence[Scored]], str | None]
"""Asks a person for a topic, given the list; None where the person wants none."""


class FrontierRequest(VaultRequest, frozen=True, kw_only=True):
    """The best `top` pages, or one `page`. `choose` is a number of the list, a page or a topic in words; empty means to ask."""

    top: int = TOP
    page: str | None = None
    aliases: bool = False
    explain: bool = False
    choose: str | None = None


class FrontierResult(VaultResult, frozen=True, kw_only=True):
    """The best pages out of `total` scoreable ones; `topic` is what was chosen, `asked` says that a person was asked.

    `explain` asks a face for the numbers behind scores.
    """

    items: list[Scored]
    total: int
    explain: bool = False
    topic: Topic | None = None
    asked: bool = False
    next: list[list[str]] | None = None


def frontier(request: FrontierRequest, runtime: Runtime, *, ask: Ask | None = None) -> FrontierResult:
    """Score the pages, and choose one if asked to. Raises `UsageError`, `PageNotFound`. An error is never a topic."""
    with opened(request, runtime) as vault:
        page = None if request.page is None else page_word(request.page, vault, runtime)
        found = rank_frontier(vault, now=runtime.clock(), top=request.top, page=page, aliases=request.aliases)
        choice = request.choose
        if choice == "" and ask is not None:
            choice = ask(found.items)
        topic = choose_topic(vault, choice, now=runtime.clock(), top=request.top, aliases=request.aliases) if choice else None
    waiting = request.choose == "" and ask is None
    return FrontierResult(
        vault=str(vault.root),
        items=found.items,
        total=found.total,
        explain=request.explain,
        topic=topic,
        asked=request.choose == "" and ask is not None,
        next=[command(request, runtime, "frontier", "--choose", "1")] if waiting and found.items else None,
    )
