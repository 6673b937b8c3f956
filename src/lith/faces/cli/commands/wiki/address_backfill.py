"""`lith wiki address backfill`."""

from lith.faces.cli.commands.wiki import choices
from lith.faces.cli.output import Output, Styled, bold
from lith.faces.cli.views.wiki import counted, note_vault, show_plan
from lith.faces.cli.words import Command, Values
from lith.ops.wiki.address_backfill import AddressBackfillRequest, AddressBackfillResult


def request(values: Values) -> AddressBackfillRequest:
    """Of which vault."""
    return AddressBackfillRequest(vault=values.text("vault"), apply=values.flag("apply"))


def show(result: AddressBackfillResult, out: Output) -> None:
    """Each legacy page with its address."""
    note_vault(result.vault, out)
    verb = "gave" if result.applied else "would give"
    out.line(
        f"{verb} an address to {counted(result.total, 'page')}" if result.items else "no page is older than the vault's addresses"
    )
    for item in result.items:
        out.line("  ", bold(item.address), "  ", item.path)
    for page in result.skipped:
        out.line("  ", Styled("skipped", "yellow"), f"  {page.path}: {page.reason}")
    show_plan(result.next, out)


COMMAND = Command(
    operation="wiki address backfill",
    request=request,
    show=show,
    options=(choices.APPLY, choices.VAULT),
    details="Pages older than the vault's addresses get l- addresses, by day of creation, then first commit, then path.",
    examples=("lith wiki address backfill", "lith wiki address backfill --apply"),
)
