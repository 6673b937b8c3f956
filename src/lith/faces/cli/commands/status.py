"""`lith status`."""

from lith.faces.cli import options
from lith.faces.cli.layout import columns, counted, display_width, human_bytes, shell_words
from lith.faces.cli.output import Output, Styled, bold, dim
from lith.faces.cli.views.synced import explain_reason
from lith.faces.cli.words import Command, Values
from lith.ops.health import NOTABLE, SHOWN
from lith.ops.status import StatusRequest, StatusResult

_STYLES = {"fresh": "green", "degraded": "yellow", "stale": "yellow", "missing": "yellow", "absent": "dim"}
_SAY = {
    "fresh": "the map is up to date",
    "degraded": "the map is up to date with what could be read, but not all is well",
    "stale": "the map is behind the disk",
    "missing": "nothing was synced yet",
    "absent": "no sessions of a coding agent were found on this machine",
}


def request(values: Values) -> StatusRequest:
    """Of which clients."""
    return StatusRequest(sources=values.words("source"))


def show(result: StatusResult, out: Output) -> None:
    """The state in a word, a line or two per folder, then what needs a look."""
    out.line(Styled(result.state, _STYLES[result.state]), f"  {_SAY[result.state]}")
    for warning in result.warnings:
        out.prose(warning, style="yellow", indent=2)
    if result.map_bytes is not None:
        size = f"map {human_bytes(result.map_bytes)}"
        out.facts([size, f"last sync {out.moment(result.last_sync) or 'never'}", result.data_dir], style="dim")
    out.line()
    _show_roots(result, out)
    _show_files(result, out)
    for number, argv in enumerate(result.next):
        if number == 0:
            out.line()
        out.line("next: " if number == 0 else "  or: ", bold(shell_words(argv)))


def _show_roots(result: StatusResult, out: Output) -> None:
    """The folders that are there or should be; clients that are not installed in one line."""
    shown = [root for root in result.roots if root.given or root.state != "absent"]
    rows = columns([(root.source, root.state, counted(root.files, "file")) for root in shown], right=frozenset({2}))
    for row, root in zip(rows, shown, strict=True):
        if display_width(row) + 2 + display_width(root.root) <= out.width:
            out.line(row, "  ", root.root)
        else:
            out.line(row)
            out.line("  ", root.root)
        if root.reason:
            out.prose(root.reason, style="yellow", indent=2)
    here = {root.source for root in shown}
    elsewhere = [root for root in result.roots if root.source not in here]
    if elsewhere:
        names = ", ".join(dict.fromkeys(root.source for root in elsewhere))
        out.prose(f"not on this machine: {names}", style="dim")
    if not shown:
        for root in elsewhere:
            out.line(dim(f"  looked in {root.root}"))


def _show_files(result: StatusResult, out: Output) -> None:
    """What became of files that are not wholly in the map, and which of them somebody may want to look at."""
    if result.pending_files:
        end = "ends in an unfinished line" if result.pending_files == 1 else "end in unfinished lines"
        out.prose(f"{counted(result.pending_files, 'file')} {end}: that is so while a session runs", style="dim")
    if result.gone_sessions:
        kept = "is kept although its file is gone" if result.gone_sessions == 1 else "are kept although their files are gone"
        out.prose(f"{counted(result.gone_sessions, 'session')} {kept}", style="dim")
    if result.unknown_types:
        types = ", ".join(f"{name} ({count})" for name, count in result.unknown_types.items())
        out.prose(f"record types that this version does not know: {types}", style="dim")
    if result.skipped:
        reasons = ", ".join(f"{count} {reason}" for reason, count in result.skipped.items())
        total = counted(sum(result.skipped.values()), "file")
        out.prose(f"{total} not read, being no transcript or out of reach: {reasons}", style="dim")
    notable = [note for note in result.skipped_files if note.reason in NOTABLE]
    named = [*result.notes, *notable[:SHOWN]]
    for note in named:
        out.line(Styled(note.reason, "yellow") if note in notable else note.reason, dim(f"  {note.source}"))
        out.line("  ", note.place)
        if explain_reason(note.reason):
            out.prose(explain_reason(note.reason), style="dim", indent=2)
    more = len(notable) - SHOWN
    if more > 0:
        out.prose(f"and {more:,} more like these; lith status --json lists every file that is not read", style="dim")


COMMAND = Command(
    operation="status",
    request=request,
    show=show,
    options=(options.SOURCE, options.ROOT),
    details=(
        "It looks at names, sizes and times only, and writes nothing. fresh: the map is up to date; degraded: it is, but a file is damaged "
        "or unreadable, a record type is unknown, or a configured folder is missing; stale: the disk has more; missing: never synced; "
        "absent: there is nothing to sync. --json names every file that is not read, with the reason."
    ),
    examples=("lith status", "lith status --source claude_code --json"),
    settings={"roots": "sources.roots"},
)
