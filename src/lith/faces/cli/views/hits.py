"""A hit of a search, and why there is none."""

from lith.faces.cli.layout import counted, display_width, shell_words, shorten
from lith.faces.cli.output import Output, Styled, bold, dim
from lith.retrieval.answers import FindResult, Hit, Nothing

_MODES = {
    "phrase": "the words stand together",
    "all": "all words are there",
    "some": "some of the words are there",
    "literal": "the text itself is there",
    "semantic": "the meaning is near",
}
"""What is said of the best results, by how they match."""


def show_results(result: FindResult, out: Output) -> None:
    """Each hit in a few lines: where, what, and the command that reads it; or why there is none."""
    for hit in result.results:
        show_hit(hit, out)
        out.line()
    for kind, terms in result.facets.items():
        out.line(dim(f"{kind:>9}  "), shorten(", ".join(terms), out.width - 11))
    if result.nothing is not None:
        show_nothing(result.nothing, out)
    elif not result.results:
        out.line("nothing more")
    _note_end(result, out)


def show_nothing(nothing: Nothing, out: Output) -> None:
    """Why an answer is empty, and the commands that would help."""
    out.prose(nothing.message)
    for condition in nothing.conditions:
        out.line(f"  without {condition.name}: {condition.without}")
    for words in nothing.suggestions:
        out.line(f"  did you mean: {words}")
    for argv in nothing.next:
        out.line("  ", Styled(shell_words(argv), "cyan"))


def _note_end(result: FindResult, out: Output) -> None:
    """How many there are, how well they fit, and what the map can vouch for: a note, not data."""
    if result.results:
        best = result.tiers.get(result.match_mode or "")
        how = f"; in {best} of them {_MODES[result.match_mode or '']}" if best else ""
        of = f"{'at least ' if result.capped else ''}{counted(result.total, 'result')}"
        out.note(f"{len(result.results)} of {of}{how}")
    if result.coverage.state == "missing":
        out.note("note: not everything that was asked for was ever synced; lith status says what is missing")
    if result.ended:
        out.note(f"note: {result.ended}")
    if result.next_cursor and not out.quiet:
        out.command_line(f"more: {out.again('--cursor', result.next_cursor, without=('--cursor',))}")


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
        out.facts([f"{name} {value:.3g}" for name, value in hit.parts.items()], style="dim", indent=4)
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
    notes = ["sub-agent"] if hit.kind == "subagent" else []
    notes += ["abandoned branch"] if hit.abandoned else []
    notes += {"gone": ["its file is gone"], "archived": ["its file is gone, the archive has it"]}.get(hit.source_state or "", [])
    notes += [f"also in {counted(len(hit.also_in), 'other session')}"] if hit.also_in else []
    return ", ".join(notes)
