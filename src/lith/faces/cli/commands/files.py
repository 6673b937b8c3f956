"""`lith files`."""

from lith.faces.cli import options
from lith.faces.cli.layout import counted, shell_words, shorten
from lith.faces.cli.output import Output, Styled, bold, dim
from lith.faces.cli.selecting import to_selection
from lith.faces.cli.words import Argument, Command, Values
from lith.ops.files import DEFAULT_LIMIT, FilesRequest, FilesResult


def request(values: Values) -> FilesRequest:
    """Which path, and where to look for it."""
    return FilesRequest(
        path=values.required("path"), selection=to_selection(values), limit=values.number("limit") or DEFAULT_LIMIT
    )


def show(result: FilesResult, out: Output) -> None:
    """Three lines for each session: when and what, how often, and the command that reads the last of it."""
    for one in result.items:
        when = out.moment(one.last_at)
        out.line(dim(when), "  " if when else "", bold(shorten(one.title or one.session_ref, max(20, out.width - len(when) - 2))))
        tools = f"{counted(one.calls, 'call')} ({', '.join(one.tools)})" if one.calls else ""
        commands = f"{counted(one.commands, 'command names it', 'commands name it')}" if one.commands else ""
        out.line("  ", dim(shorten(" · ".join(part for part in (tools, commands, one.project) if part), out.width - 2)))
        out.line("  ", Styled(shell_words(one.evidence.argv), "cyan"))
    if not result.items:
        out.line("no session touched it")
    else:
        out.note(f"{len(result.items)} of {counted(result.total, 'session')}")


COMMAND = Command(
    operation="files",
    request=request,
    show=show,
    arguments=(Argument("path", "PATH"),),
    options=(*options.SCOPE, options.limit(DEFAULT_LIMIT, "sessions")),
    details=(
        "PATH is a file or a folder, or the end of a path. Calls that name it count, and so do shell commands that have it among their "
        "words."
    ),
    examples=("lith files src/retry.py", "lith files docs --since 30d", "lith files ~/code/shop/api.ts --json"),
)
