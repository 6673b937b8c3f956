"""A session in a list."""

from lith.faces.cli.layout import counted, display_width, shorten
from lith.faces.cli.output import Output, bold, dim
from lith.retrieval.answers import SessionInfo

_KINDS = {"subagent": "sub-agent", "review": "automatic review", "warmup": "warm-up"}


def show_session(session: SessionInfo, out: Output) -> None:
    """One session: when and what, then its address, then its size and place."""
    when = out.moment(session.ended_at or session.started_at)
    title = shorten(session.title or "(no title)", max(20, out.width - display_width(when) - 2))
    out.line(dim(when), "  " if when else "", bold(title))
    notes = [_KINDS[session.kind]] if session.kind in _KINDS else []
    notes += {"gone": ["its file is gone"], "archived": ["its file is gone, the archive has it"]}.get(
        session.source_state or "", []
    )
    size = [] if session.messages is None else [counted(session.messages, "message")]
    about = [*size, *(place for place in (session.project or session.cwd,) if place), *notes]
    in_one = " · ".join((session.session_ref or "", *about))
    if display_width(in_one) + 2 <= out.width:
        out.line("  ", session.session_ref or "", dim("".join(f" · {part}" for part in about)))
        return
    out.line("  ", session.session_ref or "")
    out.facts(about, style="dim", indent=2)
