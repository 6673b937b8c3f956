"""A first look at lith: searches with their results, and commands to try."""

from collections.abc import Sequence

from lith.faces.cli.layout import shell_words
from lith.faces.cli.output import Output, Styled, bold, dim
from lith.faces.cli.views.hits import show_hit
from lith.ops.demo import DemoResult, Search


def show_demo(result: DemoResult, out: Output) -> None:
    """What was written, what was found, what to try."""
    out.line(f"{result.sessions} sessions with {result.messages} messages, written for this demo, in ", result.folder)
    for search in result.searches:
        out.line()
        show_search(search, out)
    show_commands(result.next, out)


def show_search(search: Search, out: Output) -> None:
    """A search as it is typed, and its best hits."""
    out.line(bold(f"$ {shell_words(search.argv)}"))
    for hit in search.found.results:
        show_hit(hit, out)
    if search.found.nothing is not None:
        out.line(f"    {search.found.nothing.message}")


def show_commands(commands: Sequence[list[str]], out: Output) -> None:
    """Commands that can be copied as they are."""
    out.line()
    out.line(dim("try next"))
    for argv in commands:
        out.line("  ", Styled(shell_words(argv), "cyan"))
