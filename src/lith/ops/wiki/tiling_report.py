"""`wiki tiling report`: pages that say the same, by similarity; nothing is merged."""

from lith.errors import UsageError
from lith.ops.runtime import Runtime
from lith.ops.wiki.models import ModelChoice, get_model
from lith.ops.wiki.place import VaultRequest, VaultResult, opened
from lith.wiki import compare_pages, write_report
from lith.wiki.tiling.bands import Bands
from lith.wiki.tiling.report import MAX_PAIRS, Duplicate


class TilingReportRequest(VaultRequest, frozen=True, kw_only=True):
    """`bands` is `ERROR,REVIEW` as typed; `output` a place in the vault for the report, .md or .json."""

    model: ModelChoice = ModelChoice()
    bands: str | None = None
    limit: int = MAX_PAIRS
    output: str | None = None


class TilingReportResult(VaultResult, frozen=True, kw_only=True):
    """Pairs (the most similar first, capped) and groups of near-duplicates; `near` and `review` count all pairs."""

    model: str
    bands: Bands
    pages: int
    compared: int
    embedded: int
    near: int
    review: int
    items: list[Duplicate]
    total: int
    groups: list[list[str]]
    short: list[str]
    written: str | None = None


def tiling_report(request: TilingReportRequest, runtime: Runtime) -> TilingReportResult:
    """Compare all pages. Raises `EmbedderFailed`, `MissingExtra`, `UsageError`, `OutsideVault`."""
    bands = None if request.bands is None else _bands(request.bands)
    with opened(request, runtime) as vault:
        embedder = get_model(request.model)
        report = compare_pages(vault, embedder, now=runtime.clock(), bands=bands, limit=request.limit)
        if request.output is not None:
            write_report(vault, report, request.output, now=runtime.clock())
    return TilingReportResult(
        vault=str(vault.root), model=report.model, bands=report.bands, pages=report.pages, compared=report.compared,
        embedded=report.embedded, near=report.near, review=report.review, items=report.items, total=report.near + report.review,
        groups=report.groups, short=report.short, written=request.output,
    )  # fmt: skip


def _bands(text: str) -> tuple[float, float]:
    try:
        error, review = (float(word) for word in text.split(","))
    except ValueError:
        raise UsageError(f"{text!r} are no bands", hint="write both, the higher one first: 0.90,0.80") from None
    return error, review
