"""`lith diff`."""

from lith.errors import UsageError
from lith.faces.cli.layout import human_bytes
from lith.faces.cli.output import Output, dim
from lith.faces.cli.views.kept import show_rows
from lith.faces.cli.words import Argument, Command, Option, Values
from lith.ops.keep.diff import DiffRequest, DiffResult

GENERATION = Option(
    ("--generation",),
    "generations",
    "Compare these two states: --generation 1 2 [default: the last two].",
    many=True,
    metavar="A B",
)
SHOWN = 50


def request(values: Values) -> DiffRequest:
    """Which session, and which states of it."""
    words = (*values.words("generations"), *values.words("more"))
    try:
        return DiffRequest(session=values.required("session"), generations=tuple(int(word) for word in words))
    except ValueError:
        raise UsageError(f"--generation takes two numbers, not {' '.join(words)}", hint="for example --generation 1 2") from None


def show(result: DiffResult, out: Output) -> None:
    """The sums, then record by record."""
    out.line(
        f"{result.session_ref}  state {result.old} → {result.new}: {human_bytes(result.bytes_before)} → {human_bytes(result.bytes_after)}"
    )
    out.facts(
        [f"{result.same} same", f"{result.changed} changed", f"{result.removed} removed", f"{result.added} added"],
    )
    if result.items:
        rows = [["what", "record", "type", "before", "after"]]
        for one in result.items[:SHOWN]:
            rows.append([one.what, f"rec:{one.record}", one.type, str(one.before or "·"), str(one.after or "·")])
        show_rows(rows, out, right=frozenset({3, 4}))
    if len(result.items) > SHOWN:
        out.line(dim(f"and {len(result.items) - SHOWN} more; --json lists them"))


COMMAND = Command(
    operation="diff",
    request=request,
    show=show,
    arguments=(Argument("session", "REF"), Argument("more", "B", many=True, required=False)),
    options=(GENERATION,),
    details="Records are matched by id and compared by content hash. archive list REF gives the numbers of the states.",
    examples=("lith diff claude_code:3f0c61de", "lith diff claude_code:3f0c61de --generation 1 3 --json"),
)
