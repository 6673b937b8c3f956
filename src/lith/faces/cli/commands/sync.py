"""`lith sync`."""

from lith.faces.cli import options
from lith.faces.cli.output import Output
from lith.faces.cli.views.kept import show_archived
from lith.faces.cli.views.synced import progress_extras, show_sync
from lith.faces.cli.words import Command, Option, Values
from lith.ops.sync import SyncAnswer, SyncRequest

BEST_EFFORT = Option(("--best-effort",), "best_effort", "Exit 0 although some files could not be read.", shape="flag")
VERIFY = Option(("--verify",), "verify", "Read every file again, whatever its size and times say.", shape="flag")
ARCHIVE = Option(
    ("--archive",), "archive", "Archive every byte first, as archive run does [default: archive.auto].", shape="flag"
)
PROJECTION = Option(
    ("--projection",),
    "projection",
    "What becomes searchable: talk (what was said) or calls (and what tools were called with) [default: calls].",
    choices=("talk", "calls"),
)


def request(values: Values) -> SyncRequest:
    """The clients to sync, and how closely to look."""
    return SyncRequest(
        sources=values.words("source"), verify=values.flag("verify"), archive=True if values.flag("archive") else None
    )


def status(report: SyncAnswer, values: Values) -> int:
    """1 where a file could not be read or archived, or a root that was named is not there, unless that was said to be all right."""
    failed = report.totals.failed or report.missing_roots or (report.archive is not None and report.archive.problems)
    return 1 if failed and not values.flag("best_effort") else 0


def show(report: SyncAnswer, out: Output) -> None:
    """What the map took in, and what the archive did."""
    if report.archive is not None:
        show_archived(report.archive, out)
    show_sync(report, out)


COMMAND = Command(
    operation="sync",
    request=request,
    show=show,
    options=(options.SOURCE, options.ROOT, PROJECTION, ARCHIVE, VERIFY, BEST_EFFORT),
    details="Only what is new or changed is read, and only lith's own files are written. Exit status 1: a file could not be read. "
    "With --quiet nothing but errors is printed.",
    examples=("lith sync", "lith sync --source claude_code", "lith sync --root claude_code=/backup/claude/projects"),
    status=status,
    extras=progress_extras,
    settings={"roots": "sources.roots", "projection": "sources.projection"},
)
