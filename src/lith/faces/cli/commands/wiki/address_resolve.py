"""`lith wiki address resolve`."""

from lith.faces.cli.commands.wiki import choices
from lith.faces.cli.output import Output
from lith.faces.cli.words import Argument, Command, Values
from lith.ops.wiki.address_resolve import AddressResolveRequest, AddressResolveResult


def request(values: Values) -> AddressResolveRequest:
    """Which address."""
    return AddressResolveRequest(vault=values.text("vault"), address=values.required("address"))


def show(result: AddressResolveResult, out: Output) -> None:
    """The page; where it is and what else it is called are notes."""
    names = [result.address, result.hashed, *([result.folded] if result.folded else [])]
    out.note(f"{result.path}  ({', '.join(names)})")
    if result.stale:
        out.note("the page has changed since that hash was written down")
    for line in result.text.splitlines():
        out.line(line)


COMMAND = Command(
    operation="wiki address resolve",
    request=request,
    show=show,
    arguments=(Argument("address", "ADDRESS"),),
    options=(choices.VAULT,),
    details=(
        "ADDRESS is c-000042 or c-42, a unique beginning, one with a hash (c-000042:h7f3c2), or one as a fold saw it (f1.2/c-000042). "
        "The page goes to standard output, its path to standard error."
    ),
    examples=("lith wiki address resolve c-42", "lith wiki address resolve l-7 --json"),
)
