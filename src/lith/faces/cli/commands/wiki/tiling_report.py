"""`lith wiki tiling report`."""

from collections.abc import Sequence

from lith.faces.cli import options
from lith.faces.cli.commands.wiki import choices
from lith.faces.cli.layout import shorten
from lith.faces.cli.output import Output, Styled, bold, dim
from lith.faces.cli.views.wiki import counted, note_vault
from lith.faces.cli.words import Command, Option, Values
from lith.ops.wiki.tiling_report import TilingReportRequest, TilingReportResult
from lith.wiki.tiling.report import MAX_PAIRS, Duplicate

_SHOWN = 20

BANDS = Option(("--bands",), "bands", "Use these bands instead of the vault's, for example 0.90,0.80.", metavar="UPPER,LOWER")
OUTPUT = Option(("--output",), "output", "Write the report into the vault too: a path that ends in .md or .json.", metavar="PATH")


def request(values: Values) -> TilingReportRequest:
    """With which model and bands."""
    return TilingReportRequest(
        vault=values.text("vault"),
        model=choices.model_choice(values),
        bands=values.text("bands"),
        limit=values.number("limit") or MAX_PAIRS,
        output=values.text("output"),
    )


def show(result: TilingReportResult, out: Output) -> None:
    """The pairs by band, and which bands these are."""
    note_vault(result.vault, out)
    bands = result.bands
    out.line(
        f"{counted(result.compared, 'page')} compared: ",
        bold(counted(result.near, "near-duplicate pair")),
        f" (from {bands.error:.2f}), {result.review:,} to review (from {bands.review:.2f})",
    )
    out.line(dim(f"model {result.model}, bands {bands.source}; {len(result.short)} pages are too short to compare"))
    for warning in bands.warnings:
        out.line(Styled(f"! {warning}", "yellow"))
    _show_pairs("near-duplicates", [item for item in result.items if item.band == "error"], out)
    _show_pairs("to review", [item for item in result.items if item.band == "review"], out)
    groups = [group for group in result.groups if len(group) > 2]
    if groups:
        out.line()
        out.line(bold("groups"))
        for group in groups:
            out.line("  ", shorten(", ".join(group), 2 * out.width))
    if result.written:
        out.line(dim("wrote "), result.written)


def _show_pairs(title: str, pairs: Sequence[Duplicate], out: Output) -> None:
    if not pairs:
        return
    out.line()
    out.line(bold(title))
    for pair in pairs[:_SHOWN]:
        out.line(f"  {pair.similarity:.3f}  {pair.first}")
        out.line("         ", pair.second)
        if pair.shared:
            out.line(dim("         both: " + shorten("; ".join(pair.shared), out.width - 15)))
    if len(pairs) > _SHOWN:
        out.line(dim(f"  and {len(pairs) - _SHOWN} more; --json has all of them"))


def status(result: TilingReportResult, _: Values) -> int:
    """1 where pages are near-duplicates."""
    return 1 if result.near else 0


COMMAND = Command(
    operation="wiki tiling report",
    request=request,
    show=show,
    options=(*choices.MODELS, BANDS, options.limit(MAX_PAIRS, "pairs"), OUTPUT, choices.VAULT),
    details=(
        "Every page is embedded and compared with every other; nothing is merged. Without --model and --ollama-url the model is the one "
        "that is built in, and no text leaves this machine. Exit status 1: there are near-duplicates."
    ),
    examples=(
        "lith wiki tiling",
        "lith wiki tiling report --output wiki/meta/tiling.md",
        "lith wiki tiling report --model nomic-embed-text",
    ),
    status=status,
)
