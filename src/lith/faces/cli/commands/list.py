"""`lith list`."""

from lith.faces.cli import options
from lith.faces.cli.output import Output
from lith.faces.cli.selecting import split_fields, to_selection
from lith.faces.cli.views.sessions import show_session
from lith.faces.cli.words import Command, Values
from lith.ops.sessions import DEFAULT_LIMIT, ListRequest
from lith.retrieval.answers import ListResult


def request(values: Values) -> ListRequest:
    """Which sessions."""
    return ListRequest(
        selection=to_selection(values),
        limit=values.number("limit") or DEFAULT_LIMIT,
        cursor=values.text("cursor"),
        fields=split_fields(values.text("fields")),
    )


def show(result: ListResult, out: Output) -> None:
    """Two lines per session."""
    for session in result.items:
        show_session(session, out)
    if not result.items:
        out.line("no sessions here" if not result.total else "nothing more")
    else:
        out.note(f"{len(result.items)} of {result.total} sessions")
    if result.next_cursor:
        out.note(f"more: repeat the command with --cursor {result.next_cursor}")


COMMAND = Command(
    operation="list",
    request=request,
    show=show,
    options=(*options.SCOPE, options.limit(DEFAULT_LIMIT, "sessions"), options.CURSOR, options.FIELDS),
    examples=("lith list", "lith list --project . --since 7d", "lith list --source codex -n 50 --json"),
)
