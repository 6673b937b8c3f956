"""A first look at lith: searches with their results, and commands to try."""

from collections.abc import Sequence

from lith.faces.cli.layout import counted, shell_words
from lith.faces.cli.output import Output, Styled, bold, dim
from lith.faces.cli.views.hits import show_hit
from lith.ops.demo import DemoResult, Search


def show_demo(result: DemoResult, out: Output) -> None:
    """What was written, what was found, what to try; with `--quiet` only the data directory, for `LITH_DATA_DIR`."""
    if out.quiet:
        out.line(result.data_dir)
        return
    size = f"{counted(result.sessions, 'session')} with {counted(result.messages, 'message')}"
    out.prose(f"{size}, written for this demo, in {result.folder}")
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
        out.prose(search.found.nothing.message, indent=4)


def show_commands(commands: Sequence[list[str]], out: Output) -> None:
    """Commands that can be copied as they are."""
    out.line()
    out.line(dim("try next"))
    for argv in commands:
        out.line("  ", Styled(shell_words(argv), "cyan"))
