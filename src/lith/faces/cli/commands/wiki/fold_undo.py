"""`lith wiki fold undo`."""

from lith.faces.cli.commands.wiki import choices
from lith.faces.cli.output import Output
from lith.faces.cli.views.wiki import counted, note_vault, show_plan
from lith.faces.cli.words import Argument, Command, Option, Values
from lith.ops.wiki.fold_undo import FoldUndoRequest, FoldUndoResult

ALL = Option(("--all",), "everything", "All folds.", shape="flag")


def request(values: Values) -> FoldUndoRequest:
    """Which folds."""
    return FoldUndoRequest(
        vault=values.text("vault"),
        folds=values.words("folds"),
        everything=values.flag("everything"),
        apply=values.flag("apply"),
    )


def show(result: FoldUndoResult, out: Output) -> None:
    """The pages that go."""
    note_vault(result.vault, out)
    verb = "removed" if result.applied else "would remove"
    lines = (
        "with its line in the index and its log entry" if result.total == 1 else "with their lines in the index and log entries"
    )
    out.line(f"{verb} {counted(result.total, 'fold')}, {lines}" if result.items else "there is no fold to take back")
    for fold in result.items:
        out.line("  ", fold.path)
    show_plan(result.next, out)


COMMAND = Command(
    operation="wiki fold undo",
    request=request,
    show=show,
    arguments=(Argument("folds", "FOLD", many=True, required=False),),
    options=(ALL, choices.APPLY, choices.VAULT),
    details="FOLD is an id, its unique beginning, or a short name such as f1.2. A fold that a higher one holds is undone after that one.",
    examples=("lith wiki fold undo f1.2", "lith wiki fold undo --all --apply"),
)
