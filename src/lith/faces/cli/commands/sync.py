"""`lith sync`."""

from lith.faces.cli import options
from lith.faces.cli.views.synced import progress_extras, show_sync
from lith.faces.cli.words import Command, Option, Values
from lith.ingest.report import SyncReport
from lith.ops.sync import SyncRequest

BEST_EFFORT = Option(("--best-effort",), "best_effort", "Exit 0 although some files could not be read.", shape="flag")
VERIFY = Option(("--verify",), "verify", "Read every file again, whatever its size and times say.", shape="flag")
PROJECTION = Option(
    ("--projection",),
    "projection",
    "What becomes searchable: talk (what was said) or calls (and what tools were called with) [default: calls].",
    choices=("talk", "calls"),
)


def request(values: Values) -> SyncRequest:
    """The clients to sync, and how closely to look."""
    return SyncRequest(sources=values.words("source"), verify=values.flag("verify"))


def status(report: SyncReport, values: Values) -> int:
    """1 where a file could not be read, unless that was said to be all right."""
    return 1 if report.totals.failed and not values.flag("best_effort") else 0


COMMAND = Command(
    operation="sync",
    request=request,
    show=show_sync,
    options=(options.SOURCE, options.ROOT, PROJECTION, VERIFY, BEST_EFFORT),
    details="Only what is new or changed is read, and only lith's own files are written. Exit status 1: a file could not be read.",
    examples=("lith sync", "lith sync --source claude_code", "lith sync --root claude_code=/backup/claude/projects"),
    status=status,
    extras=progress_extras,
    settings={"roots": "sources.roots", "projection": "sources.projection"},
)
