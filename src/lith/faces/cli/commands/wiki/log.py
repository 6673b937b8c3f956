"""`lith wiki log`."""

from lith.faces.cli.commands.wiki import choices
from lith.faces.cli.output import Output
from lith.faces.cli.views.wiki import note_vault
from lith.faces.cli.words import Argument, Command, Option, Values
from lith.ops.wiki.log import LogRequest, LogResult

PAGE = Option(("--page",), "pages", "A page that it touches. Repeat it for several.", many=True, metavar="PAGE")
BULLET = Option(("--bullet", "-b"), "bullets", "A line of the entry. Repeat it for several.", many=True, metavar="TEXT")


def request(values: Values) -> LogRequest:
    """The entry."""
    return LogRequest(
        vault=values.text("vault"),
        op=values.required("op"),
        title=" ".join(values.words("title")),
        bullets=values.words("bullets"),
        pages=values.words("pages"),
    )


def show(result: LogResult, out: Output) -> None:
    """The entry as it stands in the log."""
    note_vault(result.vault, out)
    for line in result.text.splitlines():
        out.line(line)


COMMAND = Command(
    operation="wiki log",
    request=request,
    show=show,
    arguments=(Argument("op", "OP"), Argument("title", "TITLE", many=True)),
    options=(PAGE, BULLET, choices.VAULT),
    details="OP is a word for what was done, such as save, research or note. The entry gets the moment and its own id.",
    examples=('lith wiki log save "Notes on retries" --page Retries', "lith wiki log note Read the paper -b 'Decision: use it'"),
)
