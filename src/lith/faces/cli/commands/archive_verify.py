"""`lith archive verify`."""

from lith.faces.cli.layout import counted, human_bytes
from lith.faces.cli.output import Output, Styled
from lith.faces.cli.views.kept import show_commands
from lith.faces.cli.words import Argument, Command, Option, Values
from lith.ops.keep.archive_verify import ArchiveVerifyRequest, ArchiveVerifyResult

DEEP = Option(("--deep",), "deep", "Read every byte, and count every record.", shape="flag")


def request(values: Values) -> ArchiveVerifyRequest:
    """What to verify, and how."""
    return ArchiveVerifyRequest(session=values.text("session"), deep=values.flag("deep"))


def show(result: ArchiveVerifyResult, out: Output) -> None:
    """The counts, then every doubt."""
    parts = [counted(result.files, "file"), counted(result.generations, "state"), human_bytes(result.length)]
    parts += [counted(result.records, "record")] if result.deep else ["only facts were read; --deep reads every byte"]
    out.facts(["sound" if result.sound else "not sound", *parts], style=None if result.sound else "red")
    for one in result.doubts:
        state = "" if one.generation is None else f" state {one.generation}"
        out.line(Styled(one.reason, "yellow"), f"  {one.path}{state}  {one.detail}")
        if one.records:
            out.line(f"  hits {counted(len(one.records), 'record')}, of which {len(one.lost)} are held nowhere else")
            for record in one.lost[:10]:
                out.line(f"    rec:{record}")
    show_commands(result.next, out, say="next")


def status(result: ArchiveVerifyResult, _: Values) -> int:
    """1 on any doubt."""
    return 0 if result.sound else 1


COMMAND = Command(
    operation="archive verify",
    request=request,
    show=show,
    arguments=(Argument("session", "REF", required=False),),
    options=(DEEP,),
    details=(
        "Exit status 1: there is a doubt about something. Damage is named with the records that it hits, and whether "
        "another copy holds them."
    ),
    examples=("lith archive verify", "lith archive verify --deep", "lith archive verify claude_code:3f0c61de --deep"),
    status=status,
)
