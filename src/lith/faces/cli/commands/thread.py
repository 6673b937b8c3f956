"""`lith thread`."""

from lith.faces.cli.layout import counted
from lith.faces.cli.output import Output
from lith.faces.cli.words import Argument, Command, Option, Values
from lith.ops.thread import DEFAULT_BUDGET, ThreadRequest, ThreadResult

BUDGET = Option(
    ("--budget",), "budget", f"About this many tokens [default: {DEFAULT_BUDGET}].", shape="number", metavar="N", least=200
)
RAW = Option(("--raw",), "raw", "The words as they are in the transcript, secrets included.", shape="flag")
WRAP = Option(("--wrap",), "wrap", "Frame the text as recalled; --json always does.", shape="flag")


def request(values: Values) -> ThreadRequest:
    """Which thread, and how much of it."""
    return ThreadRequest(
        address=values.required("address"),
        budget=values.number("budget") or DEFAULT_BUDGET,
        raw=values.flag("raw"),
        wrap=values.flag("wrap") or values.flag("json"),
    )


def show(result: ThreadResult, out: Output) -> None:
    """The text, and what is missing in it."""
    for line in result.text.splitlines():
        out.line(line)
    missing = [f"{counted(result.shortened, 'entry', 'entries')} shortened"] if result.shortened else []
    missing += [f"{result.left_out} left out"] if result.left_out else []
    out.note(f"about {result.tokens} tokens{', ' if missing else ''}{', '.join(missing)}")


COMMAND = Command(
    operation="thread",
    request=request,
    show=show,
    arguments=(Argument("address", "ID"),),
    options=(BUDGET, RAW, WRAP),
    details=(
        "ID is a thread, thread:<id>, as find gives it, or a message or a record in one. The text is read from the raw files and checked "
        "against the map; what does not fit the budget is marked with the command that gives it."
    ),
    examples=(
        "lith thread thread:0f69e321",
        "lith thread claude_code:3f0c61de#3 --budget 2000",
        "lith thread rec:7dca0aad --json",
    ),
)
