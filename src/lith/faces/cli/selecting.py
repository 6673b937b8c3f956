"""The options that narrow an answer, as the `Selection` that operations take. It checks nothing: that is for the operation."""

from lith.faces.cli.words import Values
from lith.ops.selection import Selection


def to_selection(
    values: Values, *, roles: tuple[str, ...] = (), tools: tuple[str, ...] = (), files: tuple[str, ...] = ()
) -> Selection:
    """The selection that the options of `options.SCOPE` describe, with what only some commands have."""
    return Selection(
        sources=values.words("source"),
        project=values.text("project"),
        cwd=values.text("cwd"),
        since=values.text("since"),
        until=values.text("until"),
        sessions=values.words("sessions"),
        exclude_sessions=values.words("exclude_sessions"),
        subagents=not values.flag("no_subagents"),
        roles=roles,
        tools=tools,
        files=files,
    )


def split_fields(values: Values, *kept: str) -> tuple[str, ...]:
    """The names in `--fields a,b`, and for text those that are `kept` in it: an item without an address leads nowhere."""
    names = [name.strip() for name in (values.text("fields") or "").split(",") if name.strip()]
    return tuple(dict.fromkeys([*names, *(() if values.flag("json") or not names else kept)]))
