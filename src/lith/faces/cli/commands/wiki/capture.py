"""`lith wiki capture`."""

from lith.faces.cli import options
from lith.faces.cli.commands.wiki import choices
from lith.faces.cli.layout import shorten
from lith.faces.cli.output import Output, Styled, bold, dim
from lith.faces.cli.views.wiki import counted, note_vault, show_plan
from lith.faces.cli.words import Argument, Command, Option, Values
from lith.ops.selection import Selection
from lith.ops.wiki.capture import DEFAULT_LIMIT, FOLDER, WRITTEN, Captured, CaptureRequest, CaptureResult

FOLDER_OPTION = Option(
    ("--folder",), "folder", f"Where the pages go, below the wiki's folder [default: {FOLDER}].", metavar="PATH"
)
RESTORE = Option(("--restore",), "restore", "Bring pages back that were deleted on purpose.", shape="flag")
SHOW = Option(("--show",), "show", "Give the text of the pages too.", shape="flag")
_SAY = {
    "unchanged": "the page says all that the session has",
    "edited": "the session has grown, but somebody edited the page: update it by hand",
    "deleted": "the page was deleted on purpose and stays so; --restore brings it back",
    "empty": "nothing was said in it",
}


def request(values: Values) -> CaptureRequest:
    """Which sessions."""
    return CaptureRequest(
        vault=values.text("vault"),
        addresses=values.words("addresses"),
        selection=Selection(
            sources=values.words("source"),
            project=values.text("project"),
            cwd=values.text("cwd"),
            since=values.text("since"),
            until=values.text("until"),
        ),
        limit=values.number("limit") or DEFAULT_LIMIT,
        cursor=values.text("cursor"),
        folder=values.text("folder") or FOLDER,
        restore=values.flag("restore"),
        show=values.flag("show"),
        apply=values.flag("apply"),
    )


def show(result: CaptureResult, out: Output) -> None:
    """A few lines per page: its place and what it claims."""
    note_vault(result.vault, out)
    written = [item for item in result.items if item.status in WRITTEN]
    verb = "wrote" if result.applied else "would write"
    out.line(
        f"{verb} {counted(len(written), 'page')} of {counted(len(result.items), 'session or thread', 'sessions or threads')}"
    )
    for item in result.items:
        _show_item(item, out)
    for status in dict.fromkeys(item.status for item in result.items if item.status in _SAY):
        out.line(dim(f"{status}: {_SAY[status]}"))
    if result.next_cursor:
        out.note(f"{len(result.items)} of {result.total} sessions; more: repeat the command with --cursor {result.next_cursor}")
    show_plan(result.next, out)


def _show_item(item: Captured, out: Output) -> None:
    style = "green" if item.status in WRITTEN else "dim"
    about = [counted(count, kind) for kind, count in item.claims.items()]
    about += [counted(item.related, "page") + " named"] if item.related else []
    out.line()
    out.line(Styled(f"{item.status:<9}", style), " ", bold(shorten(item.title or item.source, out.width - 10)))
    out.line("  ", item.source, dim(f"  {item.address}" if item.address else ""))
    if item.path:
        out.line("  ", item.path)
    if about and item.status in WRITTEN:
        out.line("  ", dim(", ".join(about)))
    if item.text is not None:
        out.paragraph(item.text, indent=4)


COMMAND = Command(
    operation="wiki capture",
    request=request,
    show=show,
    arguments=(Argument("addresses", "REF", many=True, required=False),),
    options=(
        options.SOURCE,
        options.PROJECT,
        options.CWD,
        options.SINCE,
        options.UNTIL,
        options.limit(DEFAULT_LIMIT, "sessions"),
        options.CURSOR,
        FOLDER_OPTION,
        RESTORE,
        SHOW,
        choices.APPLY,
        choices.VAULT,
    ),
    details=(
        "REF is a session, a message (the arc of work around it) or a thread; without one, the latest sessions. Each becomes a page of "
        "quotes: prompts, decisions, outcomes, open questions, each with a link to the message and its record. Pages of the vault that "
        "were talked about are linked."
    ),
    examples=(
        "lith wiki capture --project . --since 7d",
        "lith wiki capture codex:019cc1a4 --show",
        "lith wiki capture thread:1c0ffee --apply",
    ),
)
