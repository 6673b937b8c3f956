"""`lith wiki tiling calibrate`."""

from collections.abc import Mapping
from typing import Any

from lith.faces.cli.commands.wiki import choices
from lith.faces.cli.layout import columns, shorten
from lith.faces.cli.output import Output, Styled, bold, dim
from lith.faces.cli.views.wiki import note_vault, show_next
from lith.faces.cli.words import Command, Option, Values
from lith.ops.wiki.tiling_calibrate import DEFAULT_PAIRS, Sketch, TilingCalibrateRequest, TilingCalibrateResult

PAIRS = Option(
    ("--pairs",), "pairs", f"Draw so many pairs, 50 to 100 [default: {DEFAULT_PAIRS}].", shape="number", metavar="N", least=1
)
SEED = Option(("--seed",), "seed", "Draw other pairs.", shape="number", metavar="N")
QUESTIONS = Option(("--questions",), "questions", "Write the pairs to this file, to be labelled in it.", metavar="FILE")
LABELS = Option(
    ("--labels",),
    "labels",
    "Fit the bands on the labels in this file: the questions with labels, or ids with labels.",
    metavar="FILE",
)
TARGET = Option(("--target",), "target", "The precision that each band has to reach [default: 0.95,0.80].", metavar="UPPER,LOWER")
_KEYS = {"d": "duplicate", "r": "related", "x": "distinct", "s": ""}


def request(values: Values) -> TilingCalibrateRequest:
    """Which pairs, and where their labels are."""
    return TilingCalibrateRequest(
        vault=values.text("vault"),
        model=choices.model_choice(values),
        pairs=values.number("pairs") or DEFAULT_PAIRS,
        seed=values.number("seed") or 0,
        questions=values.text("questions"),
        labels=values.text("labels"),
        target=values.text("target"),
    )


def extras(out: Output) -> Mapping[str, Any]:
    """The operation's `ask` argument, where somebody can be asked."""
    if not out.can_ask:
        return {}

    def ask(number: int, total: int, first: Sketch, second: Sketch) -> str | None:
        out.line()
        out.line(bold(f"{number} of {total}"))
        _show_page("A", first, out)
        _show_page("B", second, out)
        while True:
            word = out.ask("d duplicate, r related, x distinct, s skip, q stop: ")
            if word is None or word.lower() in {"q", "quit"}:
                return None
            label = next((label for key, label in _KEYS.items() if word.lower() in {key, label} and word), None)
            if label is not None:
                return label

    return {"ask": ask}


def _show_page(letter: str, page: Sketch, out: Output) -> None:
    out.line(Styled(letter, "cyan"), "  ", bold(page.title), dim(f"  {page.path}"))
    if page.headings:
        out.line("   ", dim(shorten("; ".join(page.headings), out.width - 3)))
    for line in out.wrap(page.opening, indent=3)[:6]:
        out.line("   ", line)


def show(result: TilingCalibrateResult, out: Output) -> None:
    """The fitted bands with their figures, or where the questions are."""
    note_vault(result.vault, out)
    fitted = result.calibration
    if fitted is None:
        out.line(f"{result.total} pairs of {result.pages} pages, {result.labeled} labelled")
        if result.questions:
            out.line(dim("they are in "), result.questions)
            by_hand = 'give each a "label": duplicate, related or distinct'
            out.line(dim(by_hand if result.next else "run it again to go on"))
        else:
            out.line(dim("--questions writes them to a file; at a terminal you are asked"))
        show_next(result.next, out)
        return
    rows: list[tuple[str, ...]] = [("band", "from", "precision", "target", "recall", "pairs")]
    for name, fit in (("duplicate", fitted.error), ("review", fitted.review)):
        figures = (f"{value:.3f}" for value in (fit.threshold, fit.precision, fit.target, fit.recall))
        rows.append((name, *figures, str(fit.pairs)))
    header, *lines = columns(rows, right=frozenset(range(1, 6)))
    out.line(dim(header))
    for line in lines:
        out.line(line)
    if fitted.stored:
        out.line(f"stored for {fitted.model}, on {fitted.labeled} labels")
    else:
        out.line(Styled("not stored: the labels reach no threshold with the target precision", "yellow"))


def status(result: TilingCalibrateResult, _: Values) -> int:
    """1 where labels were given that reach no target."""
    return 1 if result.calibration is not None and not result.calibration.stored else 0


COMMAND = Command(
    operation="wiki tiling calibrate",
    request=request,
    show=show,
    options=(QUESTIONS, LABELS, PAIRS, SEED, TARGET, *choices.MODELS, choices.VAULT),
    details=(
        "Pairs are drawn evenly over bins of similarity and labelled as duplicate, related or distinct: at a terminal you are asked, "
        "and what you labelled is kept if you stop; else write them to a file and give it back with --labels. The lowest bands that "
        "reach the target precision are stored in the vault with their figures; if none does, nothing is stored and the exit status is 1."
    ),
    examples=(
        "lith wiki tiling calibrate",
        "lith wiki tiling calibrate --questions pairs.json",
        "lith wiki tiling calibrate --labels pairs.json",
    ),
    status=status,
    extras=extras,
)
