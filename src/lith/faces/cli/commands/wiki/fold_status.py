"""`lith wiki fold status`."""

from lith.faces.cli.commands.wiki import choices
from lith.faces.cli.layout import columns
from lith.faces.cli.output import Output, Styled, dim
from lith.faces.cli.views.triggers import show_triggers
from lith.faces.cli.views.wiki import counted, note_vault, show_next
from lith.faces.cli.words import Command, Values
from lith.ops.wiki.fold_status import FoldStatusRequest, FoldStatusResult
from lith.wiki.fold.plan import EXPONENT


def request(values: Values) -> FoldStatusRequest:
    """Of which vault, measured how."""
    return FoldStatusRequest(
        vault=values.text("vault"), exponent=values.number("exponent") or EXPONENT, model=choices.model_choice(values)
    )


def show(result: FoldStatusResult, out: Output) -> None:
    """The levels, then the triggers."""
    note_vault(result.vault, out)
    rows: list[tuple[str, str, str]] = [("", "there are", "not folded")]
    for level in result.levels:
        name = "log entries" if level.level == 0 else f"folds, level {level.level}"
        rows.append((name, f"{level.items:,}", f"{level.waiting:,}"))
    header, *lines = columns(rows, right=frozenset({1, 2}))
    out.line(dim(header))
    for line in lines:
        out.line(line)
    out.line()
    show_triggers(result.triggers, out)
    if result.changed:
        said = f"{counted(len(result.changed), 'folded entry', 'folded entries')} changed since: lith wiki lint names the stale folds"
        out.line(Styled(said, "yellow"))
    show_next(result.next, out)


COMMAND = Command(
    operation="wiki fold status",
    request=request,
    show=show,
    options=(choices.EXPONENT, *choices.MODELS, choices.VAULT),
    details="Nothing folds by itself: a trigger that fires is a reason to run lith wiki fold.",
    examples=("lith wiki fold status", "lith wiki fold status --json"),
)
