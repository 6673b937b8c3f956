"""`lith wiki hot`."""

from lith.faces.cli.commands.wiki import choices
from lith.faces.cli.output import Output, dim
from lith.faces.cli.views.wiki import note_vault, show_plan
from lith.faces.cli.words import Command, Values
from lith.ops.wiki.hot import HotRequest, HotResult


def request(values: Values) -> HotRequest:
    """Whether to write it."""
    return HotRequest(vault=values.text("vault"), apply=values.flag("apply"))


def show(result: HotResult, out: Output) -> None:
    """The page; once written, where it is."""
    note_vault(result.vault, out)
    if not result.changed:
        out.line(f"{result.path} is as it should be ({result.words} words)")
        return
    if result.applied:
        out.line(f"wrote {result.path} ({result.words} words)")
        return
    for line in result.text.splitlines():
        out.line(line)
    out.line()
    out.line(dim(f"{result.words} words for {result.path}"))
    show_plan(result.next, out)


COMMAND = Command(
    operation="wiki hot",
    request=request,
    show=show,
    options=(choices.APPLY, choices.VAULT),
    details="At most 500 words: recent entries of the log, open questions, pages updated lately. The same vault gives the same page.",
    examples=("lith wiki hot", "lith wiki hot --apply"),
)
