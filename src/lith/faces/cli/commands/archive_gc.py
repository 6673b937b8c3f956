"""`lith archive gc`."""

from lith.faces.cli import options
from lith.faces.cli.layout import counted, human_bytes
from lith.faces.cli.output import Output
from lith.faces.cli.views.kept import show_commands
from lith.faces.cli.words import Argument, Command, Values
from lith.ops.keep.archive_gc import ArchiveGcRequest, ArchiveGcResult


def request(values: Values) -> ArchiveGcRequest:
    """What to look at, and whether to do it."""
    return ArchiveGcRequest(session=values.text("session"), apply=values.flag("apply"))


def show(result: ArchiveGcResult, out: Output) -> None:
    """What goes, and what stays."""
    verb = "removed" if result.applied else "would remove"
    if result.items:
        out.line(f"{verb} {counted(result.total, 'state')}, {human_bytes(result.freed)}; {result.kept} stay")
    else:
        out.line(
            f"nothing can go: each of {counted(result.kept, 'state')} is the newest of its file or holds a record that no other does"
        )
    for one in result.items:
        out.line(f"  {one.session_ref}  {one.path}  state {one.generation}  {human_bytes(one.length)}")
    show_commands(result.next, out, say="nothing was removed; to do it")


COMMAND = Command(
    operation="archive gc",
    request=request,
    show=show,
    arguments=(Argument("session", "REF", required=False),),
    options=(options.APPLY,),
    details="A state goes only if every record of it is held, byte for byte, by one that stays, or is what a prune left of one that does.",
    examples=("lith archive gc", "lith archive gc --apply"),
)
