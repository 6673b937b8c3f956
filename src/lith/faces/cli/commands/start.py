"""`lith start`."""

from lith.faces.cli.output import Output
from lith.faces.cli.views.hits import show_results
from lith.faces.cli.views.synced import progress_extras, show_sync
from lith.faces.cli.views.tour import show_commands, show_demo, show_search
from lith.faces.cli.words import Argument, Command, Values
from lith.ops.start import StartRequest, StartResult


def request(values: Values) -> StartRequest:
    """What to search for at the end, if anything."""
    return StartRequest(query=" ".join(values.words("query")) or None)


def show(result: StartResult, out: Output) -> None:
    """What was taken in, a search on it, and what to try next."""
    if out.quiet:
        if result.search is not None:
            show_results(result.search.found, out)
        elif result.demo is not None:
            show_demo(result.demo, out)
        return
    if result.demo is not None:
        out.prose("There are no sessions of a coding agent on this machine yet, so here is the demo.", style="bold")
        out.facts(["looked at:", *result.looked_at], style="dim", separator="  ")
        out.line()
        show_demo(result.demo, out)
        return
    if result.sync is not None:
        show_sync(result.sync, out)
    if result.search is not None:
        out.line()
        show_search(result.search, out)
    show_commands(result.next, out)


COMMAND = Command(
    operation="start",
    request=request,
    show=show,
    arguments=(Argument("query", "QUERY", many=True, required=False),),
    details="With a QUERY the search is for that, else for words of your latest session. It may be run again at any time.",
    examples=("lith start", "lith start flaky test"),
    extras=progress_extras,
)
