"""What commands of the wiki show alike: the vault, plans, and what to run next."""

from collections.abc import Sequence

from lith.faces.cli.layout import shell_words
from lith.faces.cli.output import Output, Styled, dim


def note_vault(vault: str, out: Output) -> None:
    """Which vault it was: a note, not data."""
    out.note(f"vault {vault}")


def show_next(commands: Sequence[list[str]] | None, out: Output, *, say: str = "next") -> None:
    """Commands that go on from here."""
    for argv in commands or ():
        out.line(dim(f"{say}: "), Styled(shell_words(argv), "cyan"))


def show_plan(commands: Sequence[list[str]] | None, out: Output) -> None:
    """The end of a plan: that nothing was written, and what writes it."""
    if commands:
        out.line()
        out.line("Nothing was written. To do it:")
        for argv in commands:
            out.line("  ", Styled(shell_words(argv), "cyan"))


def show_paths(paths: Sequence[str] | None, out: Output) -> None:
    """The files that were written."""
    for path in paths or ():
        out.line(dim("  wrote "), path)


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"
