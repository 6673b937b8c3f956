"""`lith wiki address verify`."""

from lith.faces.cli.commands.wiki import choices
from lith.faces.cli.output import Output, Styled, bold, dim
from lith.faces.cli.views.wiki import counted, note_vault, show_next
from lith.faces.cli.words import Command, Values
from lith.ops.wiki.address_verify import AddressVerifyRequest, AddressVerifyResult

_STYLES = {"error": "red", "warning": "yellow", "info": "dim"}


def request(values: Values) -> AddressVerifyRequest:
    """Of which vault."""
    return AddressVerifyRequest(vault=values.text("vault"))


def show(result: AddressVerifyResult, out: Output) -> None:
    """What is wrong, or that nothing is."""
    note_vault(result.vault, out)
    for issue in result.items:
        out.line(Styled(issue.severity, _STYLES[issue.severity]), " ", bold(issue.rule), "  ", issue.path)
        for line in out.wrap(issue.message, indent=2):
            out.line("  ", line)
    out.line(
        f"{counted(result.checked, 'page')} with an address, "
        + (counted(result.total, "problem") if result.items else "nothing wrong"),
        dim(f"; free: {', '.join(result.free)}"),
    )
    show_next(result.next, out)


def status(result: AddressVerifyResult, _: Values) -> int:
    """1 where an address is wrong."""
    return 1 if result.errors else 0


COMMAND = Command(
    operation="wiki address verify",
    request=request,
    show=show,
    options=(choices.VAULT,),
    details="Exit status 1: something is wrong that lint calls an error. Citations with the hash of an older text are information.",
    examples=("lith wiki address verify", "lith wiki address verify --json"),
    status=status,
)
