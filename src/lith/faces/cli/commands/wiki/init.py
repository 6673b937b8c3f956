"""`lith wiki init`."""

from lith.faces.cli.commands.wiki import choices
from lith.faces.cli.output import Output
from lith.faces.cli.views.wiki import counted, show_next, show_paths
from lith.faces.cli.words import Argument, Command, Values
from lith.ops.wiki.init import InitRequest, InitResult


def request(values: Values) -> InitRequest:
    """Which folder."""
    return InitRequest(folder=values.text("folder"), vault=values.text("vault"))


def show(result: InitResult, out: Output) -> None:
    """What was made."""
    if result.items:
        out.line(f"made {counted(result.total, 'file')} in ", result.vault)
        show_paths(result.items, out)
    else:
        out.line("this vault lacks nothing: ", result.vault)
    show_next(result.next, out)


COMMAND = Command(
    operation="wiki init",
    request=request,
    show=show,
    arguments=(Argument("folder", "FOLDER", required=False),),
    options=(choices.VAULT,),
    details=(
        "FOLDER is the working directory unless it is named. A folder of notes keeps its layout, a new vault gets its pages below wiki/. "
        "Nothing that exists is changed."
    ),
    examples=("lith wiki init notes", "lith wiki init --vault ."),
)
