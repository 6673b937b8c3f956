"""`lith terms`."""

from itertools import groupby

from lith.faces.cli import options
from lith.faces.cli.layout import columns, counted, shorten
from lith.faces.cli.output import Output, bold, dim
from lith.faces.cli.selecting import to_selection
from lith.faces.cli.words import Command, Option, Values
from lith.ops.terms import DEFAULT_LIMIT, KINDS, TermsRequest, TermsResult

KIND = Option(("--kind",), "kinds", "Only this kind. Repeat it for several.", many=True, choices=KINDS)

_TITLES = {"operative": "run", "target": "touched", "concept": "talked about", "wikilink": "linked"}


def request(values: Values) -> TermsRequest:
    """Of what part of the memory, and which kinds."""
    return TermsRequest(
        selection=to_selection(values), kinds=values.words("kinds"), limit=values.number("limit") or DEFAULT_LIMIT
    )


def show(result: TermsResult, out: Output) -> None:
    """A table for each kind."""
    for number, (kind, items) in enumerate(groupby(result.items, key=lambda item: item.kind)):
        if number:
            out.line()
        out.line(bold(_TITLES.get(kind, kind)), dim(f"  ({kind})"))
        cells = [
            ("threads", "times", "term"),
            *((f"{one.threads:,}", f"{one.count:,}", shorten(one.term, max(out.width - 20, 20))) for one in items),
        ]
        header, *lines = columns(cells, right=frozenset({0, 1}))
        out.line("  ", dim(header))
        for line in lines:
            out.line("  ", line)
    if not result.items:
        out.line("no terms here")
    out.note(f"{len(result.items)} of {counted(result.total, 'term')} in {counted(result.threads, 'thread')}")


COMMAND = Command(
    operation="terms",
    request=request,
    show=show,
    options=(KIND, *options.SCOPE, options.limit(DEFAULT_LIMIT, "terms of each kind")),
    details=(
        "operative: commands and tools; target: files and URLs; concept: words; wikilink: [[pages]]. Within a part of the memory, concepts "
        "are ordered by how typical they are of it."
    ),
    examples=("lith terms --project .", "lith terms --kind target --since 7d", "lith terms --kind operative --json"),
)
