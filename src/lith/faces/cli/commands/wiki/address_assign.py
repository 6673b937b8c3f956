"""`lith wiki address assign`."""

from lith.faces.cli.commands.wiki import choices
from lith.faces.cli.output import Output, Styled, bold, dim
from lith.faces.cli.views.wiki import note_vault
from lith.faces.cli.words import Argument, Command, Values
from lith.ops.wiki.address_assign import AddressAssignRequest, AddressAssignResult


def request(values: Values) -> AddressAssignRequest:
    """Which pages."""
    return AddressAssignRequest(vault=values.text("vault"), pages=values.words("pages"))


def show(result: AddressAssignResult, out: Output) -> None:
    """Each page with its address."""
    note_vault(result.vault, out)
    for item in result.items:
        out.line(bold(item.address), "  ", item.path, "" if item.new else dim("  (had it)"))
    for page in result.skipped:
        out.line(Styled("skipped", "yellow"), f"  {page.path}: {page.reason}")
    if not result.items and not result.skipped:
        out.line("every page that needs an address has one")
    out.note(f"the next free address is {result.free}")


COMMAND = Command(
    operation="wiki address assign",
    request=request,
    show=show,
    arguments=(Argument("pages", "PAGE", many=True, required=False),),
    options=(choices.VAULT,),
    details=(
        "Without a PAGE, every page that needs one and has none gets an address, in the order of creation; pages older than the vault's "
        "addresses are left to backfill. One line is added to the frontmatter, every other byte stays."
    ),
    examples=("lith wiki address assign", 'lith wiki address assign "wiki/concepts/My Page.md"'),
)
