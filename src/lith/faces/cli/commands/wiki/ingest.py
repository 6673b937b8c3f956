"""`lith wiki ingest`."""

from lith.faces.cli.commands.wiki import choices
from lith.faces.cli.layout import columns
from lith.faces.cli.output import Output, dim
from lith.faces.cli.views.wiki import note_vault
from lith.faces.cli.words import Argument, Command, Option, Values
from lith.ops.wiki.ingest import WikiIngestRequest, WikiIngestResult

RESTORE = Option(("--restore",), "restore", "Bring pages back that were deleted on purpose.", shape="flag")
_SAY = {
    "revise": "the source changed, and its page was edited: update the page by hand",
    "deleted": "the page was deleted on purpose and stays so; --restore brings it back",
}


def request(values: Values) -> WikiIngestRequest:
    """Which files."""
    return WikiIngestRequest(vault=values.text("vault"), files=values.words("files"), restore=values.flag("restore"))


def show(result: WikiIngestResult, out: Output) -> None:
    """What became of each source."""
    note_vault(result.vault, out)
    for line in columns([(item.status, item.address or "", item.page or item.source) for item in result.items]):
        out.line(line)
    for status in dict.fromkeys(item.status for item in result.items if item.status in _SAY):
        out.line(dim(f"{status}: {_SAY[status]}"))


COMMAND = Command(
    operation="wiki ingest",
    request=request,
    show=show,
    arguments=(Argument("files", "FILE", many=True),),
    options=(RESTORE, choices.VAULT),
    details=(
        "The bytes are kept in .raw/, read-only, with a hash; a page with address, provenance and outline is made below sources/. The same "
        "bytes again change nothing."
    ),
    examples=("lith wiki ingest paper.md notes.txt", "lith wiki ingest --restore paper.md"),
)
