"""A hit of a search, and why there is none."""

from lith.faces.cli.layout import display_width, shell_words, shorten
from lith.faces.cli.output import Output, Styled, bold, dim
from lith.retrieval.answers import FindResult, Hit

_MODES = {
    "phrase": "the words stand together",
    "all": "all words",
    "some": "some of the words",
    "literal": "the text itself",
    "semantic": "the meaning",
}


def show_results(result: FindResult, out: Output) -> None:
    """Each hit in a few lines: where, what, and the command that reads it; or why there is none."""
    for hit in result.results:
        show_hit(hit, out)
        out.line()
    if result.nothing is not None:
        out.line(result.nothing.message)
        for condition in result.nothing.conditions:
            out.line(f"  without {condition.name}: {condition.without}")
        for argv in result.nothing.next:
            out.line("  ", Styled(shell_words(argv), "cyan"))
    elif not result.results:
        out.line("nothing more")
    _note_end(result, out)


def _note_end(result: FindResult, out: Output) -> None:
    """How many there are, how well they fit, and what the map can vouch for: a note, not data."""
    if result.results:
        how = _MODES.get(result.match_mode or "", "")
        of = f"{'at least ' if result.capped else ''}{result.total}"
        out.note(f"{len(result.results)} of {of}{f', matched by {how}' if how else ''}")
    if result.coverage.state == "missing":
        out.note("note: not everything that was asked for was ever synced; lith status says what is missing")
    if result.next_cursor:
        out.note(f"more: repeat the command with --cursor {result.next_cursor}")


def show_hit(hit: Hit, out: Output) -> None:
    """One hit."""
    when = out.moment(hit.timestamp or hit.started_at)
    head = f"{hit.rank or '':>2}  "
    tail = "  ".join(part for part in (hit.source, when) if part)
    title = shorten(hit.title or hit.session_ref or "", max(20, out.width - len(head) - display_width(tail) - 2))
    gap = " " * max(2, out.width - len(head) - display_width(title) - display_width(tail))
    out.line(dim(head), bold(title), gap, dim(tail))
    about = " · ".join(part for part in (_what(hit), hit.project or hit.cwd, _copies(hit)) if part)
    if about:
        out.line("    ", dim(shorten(about, out.width - 4)))
    for line in out.wrap(hit.snippet or "", indent=4):
        out.line("    ", line)
    if hit.parts:
        out.line("    ", dim("  ".join(f"{name} {value:.3g}" for name, value in hit.parts.items())))
    if hit.evidence:
        out.line("    ", Styled(shell_words(hit.evidence.argv), "cyan"))


def _what(hit: Hit) -> str:
    place = "" if hit.seq is None else f" #{hit.seq}"
    if hit.match_source == "message":
        return f"{hit.role}{place}"
    if hit.match_source == "call":
        return f"call of {hit.tool}{place}"
    if hit.match_source == "profile":
        return (hit.label or "about the session").replace("_", " ")
    return f"{hit.match_source or ''}{place}"


def _copies(hit: Hit) -> str:
    notes = ["sub-agent"] if hit.parent else []
    notes += ["abandoned branch"] if hit.abandoned else []
    notes += ["its file is gone"] if hit.source_state == "gone" else []
    notes += [f"also in {len(hit.also_in)} other session{'s' if len(hit.also_in) > 1 else ''}"] if hit.also_in else []
    return ", ".join(notes)
