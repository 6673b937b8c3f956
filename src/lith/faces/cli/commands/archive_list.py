"""`lith archive list`."""

from lith.faces.cli import options
from lith.faces.cli.layout import human_bytes
from lith.faces.cli.output import Output
from lith.faces.cli.views.kept import show_rows
from lith.faces.cli.words import Argument, Command, Values
from lith.ops.keep.archive_list import ArchiveListRequest, ArchiveListResult, HeldSession


def request(values: Values) -> ArchiveListRequest:
    """What to list."""
    return ArchiveListRequest(session=values.text("session"), source=values.words("source"))


def show(result: ArchiveListResult, out: Output) -> None:
    """A line per session, or per state."""
    if not result.items:
        out.line("the archive is empty")
        return
    rows: list[list[str]] = []
    for one in result.items:
        sizes = [human_bytes(one.length), human_bytes(one.stored), out.moment(one.archived_at)]
        if isinstance(one, HeldSession):
            rows.append([one.session_ref, str(one.files), str(one.generations), *sizes])
        else:
            rows.append([one.path, str(one.generation), "damaged" if one.problems else one.origin, *sizes])
    heading = ["session", "files", "states"] if isinstance(result.items[0], HeldSession) else ["file", "state", "from"]
    show_rows([[*heading, "bytes", "on disk", "archived"], *rows], out, right=frozenset({1, 3, 4}))
    out.note(f"{human_bytes(result.length)} in {human_bytes(result.stored)}, in {result.data}")


COMMAND = Command(
    operation="archive list",
    request=request,
    show=show,
    arguments=(Argument("session", "REF", required=False),),
    options=(options.SOURCE,),
    details="With REF every archived state of every file of that session, by the number that restore and diff take.",
    examples=("lith archive list", "lith archive list claude_code:3f0c61de", "lith archive list --source codex --json"),
)
