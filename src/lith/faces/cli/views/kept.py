"""What the archive took in and what a prune does, for a person."""

from collections.abc import Sequence

from lith.faces.cli.layout import columns, counted, human_bytes, shell_words
from lith.faces.cli.output import Output, Styled, dim
from lith.ops.keep.archive_run import ArchiveRunResult

SHOWN = 10


def show_archived(result: ArchiveRunResult, out: Output) -> None:
    """A line of sums, then what could not be archived."""
    changed = result.new + result.appended + result.rewritten
    if changed:
        sums = [counted(changed, "file"), f"{human_bytes(result.bytes_added)} kept in {human_bytes(result.bytes_written)}"]
    else:
        sums = ["nothing new"]
    sums += [f"{result.unchanged} unchanged"] if result.unchanged else []
    out.facts(["archived", *sums])
    for problem in result.problems[:SHOWN]:
        out.line(Styled(problem.reason, "yellow"), f"  {problem.path}  {problem.detail}")
    if len(result.problems) > SHOWN:
        out.line(dim(f"and {len(result.problems) - SHOWN} more; --json lists them"))


def show_rows(rows: Sequence[Sequence[str]], out: Output, *, right: frozenset[int] = frozenset()) -> None:
    """A table of which the first row is the heading."""
    heading, *lines = columns(rows, right=right)
    out.line(dim(heading))
    for line in lines:
        out.line(line)


def show_commands(commands: Sequence[Sequence[str]], out: Output, *, say: str) -> None:
    """What to run next."""
    for argv in commands:
        out.line(dim(f"{say}: "), Styled(shell_words(list(argv)), "cyan"))
