"""What a sync is doing, and what it did."""

from collections.abc import Mapping, Sequence
from typing import Any

from lith.faces.cli.layout import columns, counted, display_width, human_bytes
from lith.faces.cli.output import Output, Styled, dim
from lith.ingest.report import Progress, SyncReport, Totals

_COUNTS = ("added", "appended", "replayed", "unchanged", "gone", "failed")
_ALWAYS = ("added", "unchanged")
_SHOWN = 10
_REASONS = {
    "outside_root": "a link that leads out of the folder: it is not followed",
    "broken_link": "a link to nothing",
    "special_file": "a pipe, a socket or a device: it is not opened",
    "folder": "a folder with the name of a transcript",
    "unreadable": "a folder that cannot be listed",
    "unreadable_name": "a name that is not text",
    "unknown_place": "a transcript where this client is not known to keep any",
    "single_object_format": "an older format, which lith does not read",
}


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
    """A line per client, then what a person may want to look at; with `--quiet` only what could not be read."""
    if out.quiet:
        _complain_of_failures(report, out)
        return
    named = [(name, totals) for name, totals in report.sources.items() if totals.files or totals.gone]
    if named:
        _show_table(named, out)
    else:
        out.line("no sessions of a coding agent were found where lith looked")
        out.prose(
            "what the map holds stays searchable; lith status says where lith looked, lith demo shows what it does",
            style="dim",
            indent=2,
        )
    if report.rebuilt:
        why = "" if report.warnings else ": the old one was written by other rules"
        out.line(f"the map was made anew{why}")
    _show_concerns(report, out)


def _show_table(named: Sequence[tuple[str, Totals]], out: Output) -> None:
    """The counts of each client, without those that are nothing everywhere."""
    shown = [count for count in _COUNTS if count in _ALWAYS or any(getattr(totals, count) for _, totals in named)]
    rows = [("", *shown, "messages", "read"), *(_row(name, totals, shown) for name, totals in named)]
    right = frozenset(range(1, len(rows[0])))
    lines = columns(rows, right=right)
    if max(map(display_width, lines)) > out.width:
        lines = columns(rows, right=right, gap=1)
    out.line(dim(lines[0]))
    for line in lines[1:]:
        out.line(line)


def _complain_of_failures(report: SyncReport, out: Output) -> None:
    """Why a quiet sync exits with 1."""
    if report.totals.failed:
        out.complain(f"lith: {counted(report.totals.failed, 'file')} could not be read")
        for problem in report.problems:
            if problem.reason == "unreadable":
                out.command_line(f"  {problem.path}: {problem.detail}")


def _show_concerns(report: SyncReport, out: Output) -> None:
    """Warnings and problems, as far as there are any."""
    for warning in report.warnings:
        out.note(f"note: {warning}")
    for problem in report.problems[:_SHOWN]:
        place = f" at byte {problem.offset:,}" if problem.offset is not None else ""
        out.line(Styled(problem.reason, "yellow"), dim(f"  {problem.source}{place}"))
        out.line("  ", problem.path)
        said = problem.detail or explain_reason(problem.reason)
        if said:
            out.prose(said, indent=2)
    counts = report.totals
    more = max(counts.problems + counts.failed + counts.yield_alarms, len(report.problems)) - min(len(report.problems), _SHOWN)
    if more > 0:
        out.prose(f"and {more:,} more; lith sync --json lists the first of a sync, lith status what is still so", style="dim")
    if counts.pending:
        end = "ends in an unfinished line" if counts.pending == 1 else "end in unfinished lines"
        out.prose(f"{counted(counts.pending, 'file')} {end}: the next sync takes in what is complete by then", style="dim")


def explain_reason(reason: str) -> str:
    """Why a file is not read, as a phrase; empty for a reason that says it all."""
    return _REASONS.get(reason, "")


def _row(name: str, totals: Totals, shown: Sequence[str]) -> tuple[str, ...]:
    counts = (getattr(totals, count) for count in shown)
    return (
        name,
        *(str(count) if count else "·" for count in counts),
        str(totals.messages or "·"),
        human_bytes(totals.bytes_read),
    )
