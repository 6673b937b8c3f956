"""`lith wiki fold levels`."""

from lith.faces.cli.commands.wiki import choices
from lith.faces.cli.layout import columns
from lith.faces.cli.output import Output, bold, dim
from lith.faces.cli.views.wiki import note_vault
from lith.faces.cli.words import Command, Option, Values
from lith.ops.wiki.fold_levels import FoldLevelsRequest, FoldLevelsResult

LEVEL = Option(("--level",), "level", "Only the folds of this level.", shape="number", metavar="N", least=1)


def request(values: Values) -> FoldLevelsRequest:
    """Of which vault."""
    return FoldLevelsRequest(vault=values.text("vault"), level=values.number("level"))


def show(result: FoldLevelsResult, out: Output) -> None:
    """The folds, the highest level first."""
    note_vault(result.vault, out)
    if not result.items:
        out.line("there are no folds yet: lith wiki fold shows what would be folded" if not result.depth else "no folds there")
    refs = {fold.id: fold.ref for fold in result.items}
    for level in dict.fromkeys(fold.level for fold in result.items):
        folds = [fold for fold in result.items if fold.level == level]
        out.line(bold(f"level {level}"), dim(f"  {len(folds)}"))
        rows = [
            (
                fold.ref,
                f"{fold.first} to {fold.last}",
                f"{fold.entries} entries",
                f"in {refs.get(fold.held_by, fold.held_by)}" if fold.held_by else "",
                fold.path,
            )
            for fold in folds
        ]
        for line in columns(rows, right=frozenset({2})):
            out.line("  ", line)


COMMAND = Command(
    operation="wiki fold levels",
    request=request,
    show=show,
    options=(LEVEL, choices.VAULT),
    details="Level 1 holds log entries, each higher one holds folds of the level below.",
    examples=("lith wiki fold levels", "lith wiki fold levels --level 2 --json"),
)
