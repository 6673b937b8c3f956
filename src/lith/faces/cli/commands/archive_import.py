"""`lith archive import`."""

from lith.faces.cli.layout import counted, human_bytes
from lith.faces.cli.output import Output, dim
from lith.faces.cli.words import Argument, Command, Values
from lith.ops.keep.archive_import import ArchiveImportRequest, ArchiveImportResult


def request(values: Values) -> ArchiveImportRequest:
    """Which folder."""
    return ArchiveImportRequest(values.required("folder"))


def show(result: ArchiveImportResult, out: Output) -> None:
    """What was taken in, and what was not."""
    out.line(f"took in {counted(result.total, 'backup')}" if result.items else "nothing to take in")
    for one in result.items:
        out.line(f"  {one.session_ref}  {one.path}  state {one.generation}  {human_bytes(one.added)}")
    for passed in result.skipped:
        out.line(dim(f"  {passed.reason}  "), passed.path)


COMMAND = Command(
    operation="archive import",
    request=request,
    show=show,
    arguments=(Argument("folder", "DIR"),),
    details="Raw and pruned versions (v0-raw.jsonl, v1-pruned.jsonl) and plain copies, oldest first. The files stay as they are.",
    examples=("lith archive import ~/session-backups",),
)
