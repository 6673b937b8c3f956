"""`lith archive run`."""

from lith.faces.cli import options
from lith.faces.cli.views.kept import show_archived
from lith.faces.cli.words import Command, Option, Values
from lith.ops.keep.archive_run import ArchiveRunRequest, ArchiveRunResult

FULL = Option(("--full",), "full", "Compare every byte that is archived already.", shape="flag")


def request(values: Values) -> ArchiveRunRequest:
    """Which clients, and how closely to look."""
    return ArchiveRunRequest(sources=values.words("source"), since=values.text("since"), full=values.flag("full"))


def status(result: ArchiveRunResult, _: Values) -> int:
    """1 where a file could not be archived."""
    return 1 if result.problems else 0


COMMAND = Command(
    operation="archive run",
    request=request,
    show=show_archived,
    options=(options.SOURCE, options.ROOT, options.SINCE, FULL),
    details=(
        "A session's transcripts, those of its sub-agents, and what its client keeps beside them. An unchanged file costs a look at its "
        "size and times, a grown one its new bytes. Exit status 1: a file could not be archived."
    ),
    examples=("lith archive run", "lith archive run --since 7d", "lith sync --archive"),
    status=status,
    settings={"roots": "sources.roots"},
)
