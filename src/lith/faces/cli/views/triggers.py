"""The triggers of folds."""

from collections.abc import Sequence

from lith.faces.cli.output import Output, Styled, dim
from lith.wiki.fold.triggers import Trigger


def show_triggers(triggers: Sequence[Trigger], out: Output) -> None:
    """Each trigger: whether it fires, and why."""
    width = max(len(trigger.name) for trigger in triggers)
    for trigger in triggers:
        mark = Styled("fires", "yellow") if trigger.fires else dim("quiet")
        first, *more = out.wrap(trigger.reason, indent=width + 9) or [""]
        out.line(f"{trigger.name:<{width}}  ", mark, "  ", first)
        for line in more:
            out.line(" " * (width + 9), line)
