"""`lith wiki address rebuild`."""

from lith.faces.cli.commands.wiki import choices
from lith.faces.cli.output import Output
from lith.faces.cli.views.wiki import note_vault
from lith.faces.cli.words import Command, Values
from lith.ops.wiki.address_rebuild import AddressRebuildRequest, AddressRebuildResult


def request(values: Values) -> AddressRebuildRequest:
    """Of which vault."""
    return AddressRebuildRequest(vault=values.text("vault"))


def show(result: AddressRebuildResult, out: Output) -> None:
    """Each counter before and after."""
    note_vault(result.vault, out)
    for counter in result.items:
        before = "was lost" if counter.before is None else f"said {counter.before}"
        stays = counter.before == counter.after
        out.line(f"{counter.kind}-  {before}, " + ("which is right" if stays else f"says {counter.after} now"))


COMMAND = Command(
    operation="wiki address rebuild",
    request=request,
    show=show,
    options=(choices.VAULT,),
    details="From the pages and the manifest. A counter is never lowered: numbers of deleted pages are not given again.",
    examples=("lith wiki address rebuild",),
)
