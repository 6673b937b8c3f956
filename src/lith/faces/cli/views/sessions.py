"""A session in a list."""

from lith.faces.cli.layout import display_width, shorten
from lith.faces.cli.output import Output, bold, dim
from lith.retrieval.answers import SessionInfo


def show_session(session: SessionInfo, out: Output) -> None:
    """One session: when and what, then its address, size and place."""
    when = out.moment(session.ended_at or session.started_at)
    title = shorten(session.title or "(no title)", max(20, out.width - display_width(when) - 2))
    out.line(dim(when), "  " if when else "", bold(title))
    size = None if session.messages is None else f"{session.messages} messages"
    notes = ["sub-agent"] if session.parent else []
    notes += ["its file is gone"] if session.source_state == "gone" else []
    about = [part for part in (size, session.project or session.cwd, *notes) if part]
    out.line("  ", session.session_ref or "", dim("".join(f" · {part}" for part in about)))
