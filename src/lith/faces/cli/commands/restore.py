"""`lith restore`."""

from lith.faces.cli import options
from lith.faces.cli.layout import human_bytes
from lith.faces.cli.output import Output
from lith.faces.cli.views.kept import show_commands
from lith.faces.cli.words import Argument, Command, Option, Values
from lith.ops.keep.restore import RestoreRequest, RestoreResult

OUTPUT = Option(
    ("-o", "--output"), "output", "Where to write: a file, or a folder for a session of several files.", metavar="PATH"
)
GENERATION = Option(
    ("--generation",), "generation", "This state of the transcript [default: the newest].", shape="number", metavar="N", least=1
)
UNDO = Option(("--undo",), "undo", "Put back what the last prune replaced, and keep what was written since.", shape="flag")


def request(values: Values) -> RestoreRequest:
    """What to give back, and where."""
    return RestoreRequest(
        session=values.required("session"),
        output=values.text("output"),
        generation=values.number("generation"),
        undo=values.flag("undo"),
        apply=values.flag("apply"),
    )


def show(result: RestoreResult, out: Output) -> None:
    """What was written."""
    verb = ("restored" if result.applied else "would restore") + (" in place" if result.undone else "")
    for one in result.items:
        out.line(f"{verb} {one.path}  state {one.generation}, {human_bytes(one.length)}")
        if one.sha256 and not result.undone:
            out.line(f"  sha256 {one.sha256}")
    if result.tail:
        out.line(f"  {human_bytes(result.tail)} that were written since the prune are kept")
    for warning in result.warnings:
        out.note(f"note: {warning}")
    show_commands(result.next, out, say="nothing was written; to do it")


COMMAND = Command(
    operation="restore",
    request=request,
    show=show,
    arguments=(Argument("session", "REF"),),
    options=(OUTPUT, GENERATION, UNDO, options.APPLY, options.ROOT),
    details=(
        "The bytes are checked against their digests before the file gets its name. To write over a file that is there takes --apply, and "
        "so does --undo; a live session is refused."
    ),
    examples=(
        "lith restore claude_code:3f0c61de -o /tmp/session.jsonl",
        "lith restore claude_code:3f0c61de --generation 1 -o /tmp/before.jsonl",
        "lith restore claude_code:3f0c61de --undo --apply",
    ),
    settings={"roots": "sources.roots"},
)
