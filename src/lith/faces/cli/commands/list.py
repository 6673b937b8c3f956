"""`lith list`."""

from lith.faces.cli import options
from lith.faces.cli.layout import counted
from lith.faces.cli.output import Output
from lith.faces.cli.selecting import split_fields, to_selection
from lith.faces.cli.views.hits import show_nothing
from lith.faces.cli.views.sessions import show_session
from lith.faces.cli.words import Command, Option, Values
from lith.ops.sessions import DEFAULT_LIMIT, MAX_LIMIT, ListAnswer, ListRequest
from lith.records.record import SessionKind

KIND = Option(
    ("--kind",),
    "kinds",
    "Only sessions of this kind [default: main and subagent]. Repeat it for several.",
    many=True,
    choices=tuple(kind.value for kind in SessionKind),
)


def request(values: Values) -> ListRequest:
    """Which sessions."""
    return ListRequest(
        selection=to_selection(values),
        kinds=values.words("kinds"),
        limit=values.number("limit") or DEFAULT_LIMIT,
        cursor=values.text("cursor"),
        fields=split_fields(values, "session_ref"),
        max_tokens=values.number("max_tokens"),
    )


def show(result: ListAnswer, out: Output) -> None:
    """A few lines per session, or why there is none."""
    for session in result.items:
        show_session(session, out)
    if result.nothing is not None:
        show_nothing(result.nothing, out)
    elif not result.items:
        out.line("nothing more")
    else:
        out.note(f"{len(result.items)} of {counted(result.total, 'session')}")
    if result.next_cursor and not out.quiet:
        out.command_line(f"more: {out.again('--cursor', result.next_cursor, without=('--cursor',))}")


COMMAND = Command(
    operation="list",
    request=request,
    show=show,
    options=(
        *options.SCOPE,
        KIND,
        options.limit(DEFAULT_LIMIT, "sessions", most=MAX_LIMIT),
        options.CURSOR,
        options.FIELDS,
        options.MAX_TOKENS,
    ),
    details=(
        "A client's warm-up calls and automatic reviews are sessions, too; they are listed where --kind asks for them, and searched never."
    ),
    examples=(
        "lith list",
        "lith list --project . --since 7d",
        "lith list --source codex -n 50 --json",
        "lith list --kind review",
    ),
)
