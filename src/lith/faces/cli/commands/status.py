"""`lith status`."""

from lith.faces.cli import options
from lith.faces.cli.layout import columns, human_bytes, shell_words
from lith.faces.cli.output import Output, Styled, bold, dim
from lith.faces.cli.words import Command, Values
from lith.ops.status import RootStatus, StatusRequest, StatusResult

_STYLES = {"fresh": "green", "stale": "yellow", "missing": "yellow", "absent": "dim"}
_SAY = {
    "fresh": "the map is up to date",
    "stale": "the map is behind the disk",
    "missing": "nothing was synced yet",
    "absent": "no sessions of a coding agent were found on this machine",
}


def request(values: Values) -> StatusRequest:
    """Of which clients."""
    return StatusRequest(sources=values.words("source"))


def show(result: StatusResult, out: Output) -> None:
    """The state in a word, a line per folder, then what needs a look."""
    out.line(Styled(result.state, _STYLES[result.state]), f"  {_SAY[result.state]}")
    if result.map_bytes is not None:
        out.line(
            dim(f"map {human_bytes(result.map_bytes)}, last sync {out.moment(result.last_sync) or 'never'}, {result.data_dir}")
        )
    out.line()
    for line, root in zip(columns([_row(root) for root in result.roots]), result.roots, strict=True):
        out.line(Styled(line, "dim") if root.state == "absent" else line)
    for note in _concerns(result):
        out.line(Styled(note, "yellow"))
    for file in result.notes:
        out.line(dim(f"  {file.source}  {file.path}: {file.reason}"))
    if result.next:
        out.line()
        out.line("next: ", bold(" or ".join(shell_words(argv) for argv in result.next)))


def _row(root: RootStatus) -> tuple[str, ...]:
    return (root.source, root.state, f"{root.files} files", root.reason or "", root.root)


def _concerns(result: StatusResult) -> list[str]:
    counts = (
        (result.failed_files, "files could not be read"),
        (result.yield_alarms, "files hold conversation, but no message was found in them"),
        (result.damaged_files, "files are damaged in places"),
        (result.pending_files, "files end in an unfinished line"),
        (result.gone_sessions, "sessions are kept although their file is gone"),
    )
    notes = [f"{count} {what}" for count, what in counts if count]
    if result.unknown_types:
        notes.append(
            "record types that this version does not know: " + ", ".join(f"{k} ({n})" for k, n in result.unknown_types.items())
        )
    return notes


COMMAND = Command(
    operation="status",
    request=request,
    show=show,
    options=(options.SOURCE, options.ROOT),
    details="It looks at names, sizes and times only, and writes nothing.",
    examples=("lith status", "lith status --source claude_code --json"),
    settings={"roots": "sources.roots"},
)
