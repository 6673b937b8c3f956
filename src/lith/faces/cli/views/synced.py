"""What a sync is doing, and what it did."""

from collections.abc import Mapping
from typing import Any

from lith.faces.cli.layout import columns, human_bytes
from lith.faces.cli.output import Output, Styled, dim
from lith.ingest.report import Progress, SyncReport, Totals

_COUNTS = ("added", "appended", "replayed", "unchanged", "gone", "failed")


def progress_extras(out: Output) -> Mapping[str, Any]:
    """The operation's `progress` argument: a bar, where there is a terminal to draw it on."""
    return {"progress": ProgressBar(out).update} if out.live else {}


class ProgressBar:
    """A bar on standard error from the first update to the last, gone afterwards."""

    def __init__(self, out: Output) -> None:
        from rich import progress as rich  # noqa: PLC0415
        from rich.console import Console  # noqa: PLC0415 -- only for a person who is waiting

        files = rich.TextColumn("{task.fields[files]} files")
        parts = (files, rich.BarColumn(), rich.DownloadColumn(), rich.TimeRemainingColumn(compact=True))
        self._bar = rich.Progress(*parts, console=Console(file=out.stderr, no_color=not out.colour), transient=True)
        self._task = self._bar.add_task("sync", total=None, files="")

    def update(self, progress: Progress) -> None:
        """Show how far the sync is."""
        if progress.files_done >= progress.files:
            self._bar.stop()
            return
        self._bar.start()
        files = f"{progress.files_done}/{progress.files}"
        self._bar.update(self._task, total=progress.bytes, completed=progress.bytes_done, files=files)


def show_sync(report: SyncReport, out: Output) -> None:
    """A line per client, then what a person may want to look at."""
    rows: list[tuple[str, ...]] = [("", *_COUNTS, "messages", "read")]
    rows += [_row(name, totals) for name, totals in report.sources.items() if totals.files]
    if len(rows) == 1:
        out.line("no sessions of a coding agent were found on this machine")
        out.line(dim("  lith status says where lith looked; lith demo shows what it does"))
    else:
        header, *lines = columns(rows, right=frozenset(range(1, len(rows[0]))))
        out.line(dim(header))
        for line in lines:
            out.line(line)
    if report.rebuilt:
        out.line("the map was made anew: the old one was written by other rules")
    _show_concerns(report, out)


def _show_concerns(report: SyncReport, out: Output) -> None:
    """Warnings and problems, as far as there are any."""
    for warning in report.warnings:
        out.note(f"note: {warning}")
    for problem in report.problems[:10]:
        place = f" at byte {problem.offset}" if problem.offset is not None else ""
        out.line(Styled(f"{problem.reason}", "yellow"), f"  {problem.path}{place}  {problem.detail}".rstrip())
    more = report.totals.problems + report.totals.failed + report.totals.yield_alarms - min(len(report.problems), 10)
    if more > 0:
        out.line(dim(f"and {more} more; lith sync --json lists them"))
    if report.totals.pending:
        out.line(dim(f"{report.totals.pending} files end in an unfinished line: the next sync takes it in"))


def _row(name: str, totals: Totals) -> tuple[str, ...]:
    counts = (getattr(totals, count) for count in _COUNTS)
    return (
        name,
        *(str(count) if count else "·" for count in counts),
        str(totals.messages or "·"),
        human_bytes(totals.bytes_read),
    )
