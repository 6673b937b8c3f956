"""`lith wiki fold triggers`."""

from lith.faces.cli.commands.wiki import choices
from lith.faces.cli.output import Output
from lith.faces.cli.views.triggers import show_triggers
from lith.faces.cli.views.wiki import note_vault, show_next
from lith.faces.cli.words import Command, Values
from lith.ops.wiki.fold_triggers import FoldTriggersRequest, FoldTriggersResult
from lith.wiki.fold.plan import EXPONENT


def request(values: Values) -> FoldTriggersRequest:
    """Of which vault, measured how."""
    return FoldTriggersRequest(
        vault=values.text("vault"), exponent=values.number("exponent") or EXPONENT, model=choices.model_choice(values)
    )


def show(result: FoldTriggersResult, out: Output) -> None:
    """A line per trigger, with its reason."""
    note_vault(result.vault, out)
    show_triggers(result.items, out)
    show_next(result.next, out)


COMMAND = Command(
    operation="wiki fold triggers",
    request=request,
    show=show,
    options=(choices.EXPONENT, *choices.MODELS, choices.VAULT),
    details="A full batch, more tokens than a context should hold, entries that say something new, and entries that wait for long.",
    examples=("lith wiki fold triggers", "lith wiki fold triggers --model nomic-embed-text"),
)
