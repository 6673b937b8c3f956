"""`lith wiki fold run`."""

from lith.faces.cli.commands.wiki import choices
from lith.faces.cli.layout import columns
from lith.faces.cli.output import Output, Styled, bold, dim
from lith.faces.cli.views.wiki import counted, note_vault, show_plan
from lith.faces.cli.words import Command, Option, Values
from lith.ops.wiki.fold_run import FoldRunRequest, FoldRunResult
from lith.wiki.fold.plan import EXPONENT

ALL = Option(("--all",), "everything", "Fold the remainders too, not full batches only.", shape="flag")
SHOW = Option(("--show",), "show", "Give the text of the pages too.", shape="flag")
GIT = Option(("--git",), "git", "Commit exactly what was written to git.", shape="flag")


def request(values: Values) -> FoldRunRequest:
    """What to fold."""
    return FoldRunRequest(
        vault=values.text("vault"),
        exponent=values.number("exponent") or EXPONENT,
        everything=values.flag("everything"),
        show=values.flag("show"),
        apply=values.flag("apply"),
        git=values.flag("git"),
    )


def show(result: FoldRunResult, out: Output) -> None:
    """A line per fold, and what stays unfolded."""
    note_vault(result.vault, out)
    verb = "wrote" if result.applied else "would write"
    out.line(f"{verb} {counted(result.total, 'fold')}" if result.items else "nothing to fold")
    rows = [(f"level {fold.level}", fold.first, "to", fold.last, f"{fold.entries} entries", fold.path) for fold in result.items]
    for line in columns(rows, right=frozenset({4})):
        out.line("  ", line)
    for fold in result.items:
        if fold.text is not None:
            out.line()
            out.line(bold(fold.path))
            out.paragraph(fold.text, indent=2)
    # a lone fold at the top waits for nothing
    rest = {level: count for level, count in result.unfolded.items() if count > 1 or (count and level == 0)}
    if rest:
        size = 1 << result.exponent
        said = ", ".join(f"{count} {'entries' if level == 0 else f'folds of level {level}'}" for level, count in rest.items())
        out.line(dim(f"left for later: {said} (a batch is {size}; --all takes them too)"))
    if result.commit:
        out.line(dim("commit "), result.commit)
    if result.warning:
        out.line(Styled(result.warning, "yellow"))
    show_plan(result.next, out)


COMMAND = Command(
    operation="wiki fold run",
    request=request,
    show=show,
    options=(ALL, choices.EXPONENT, SHOW, choices.APPLY, GIT, choices.VAULT),
    details=(
        "Full batches of log entries get a page below folds/ that quotes and links each of them; folds stack in the same way. The entries "
        "stay where they are. Pages, index lines, log entries and the ledger are written together or not at all."
    ),
    examples=("lith wiki fold run", "lith wiki fold run --all --show", "lith wiki fold --all --apply --git"),
)
