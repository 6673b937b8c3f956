"""`lith read`."""

import re

from lith.faces.cli import options
from lith.faces.cli.layout import counted
from lith.faces.cli.output import Output, Styled, bold, dim
from lith.faces.cli.words import Argument, Command, Option, Values
from lith.ops.read import ReadRequest
from lith.retrieval.answers import Message, ReadResult

AT = Option(("--at",), "at", "Around this message number.", shape="number", metavar="SEQ")
QUERY = Option(("--query",), "query", "Around the message that fits these words best.", metavar="WORDS")
OFFSET = Option(("--offset",), "offset", "Begin with this message, counted from 0.", shape="number", metavar="N")
LIMIT = options.limit(50, "messages", most=10_000)
BEFORE = Option(("--before",), "before", "So many messages before the one asked for [default: 2].", shape="number", metavar="N")
AFTER = Option(("--after",), "after", "So many messages after it [default: 2].", shape="number", metavar="N")
CALLS = Option(("--calls",), "calls", "Show what tools were called with, between the messages.", shape="flag")


_MESSAGE = re.compile(r".#\d{1,9}\Z")  # the end of a message's address


def request(values: Values) -> ReadRequest:
    """Which session, and which part of it."""
    return ReadRequest(
        address=values.required("address"),
        at=values.number("at"),
        query=values.text("query"),
        offset=values.number("offset") or 0,
        limit=values.number("limit"),
        before=values.number("before"),
        after=values.number("after"),
        calls=values.flag("calls"),
        max_tokens=values.number("max_tokens"),
    )


def show(result: ReadResult, out: Output) -> None:
    """The session in a line or two, then its messages."""
    session = result.session
    for line in out.wrap(session.title or session.session_ref or ""):
        out.line(bold(line))
    facts = (session.session_ref, session.project or session.cwd, session.branch, session.model, out.moment(session.started_at))
    out.facts([fact for fact in facts if fact], style="dim")
    for profile in result.profile:
        out.line()
        out.line(dim((profile.label or "about the session").replace("_", " ")))
        out.paragraph(profile.text, indent=2)
    for message in result.messages:
        out.line()
        _show_message(message, out)
    shown = sum(message.seq is not None and message.kind is None for message in result.messages)
    out.note(f"{shown} of {counted(result.total, 'message')}")
    if result.next_offset is not None and not out.quiet:
        out.command_line(f"more: {_following(result, out)}")


def _following(result: ReadResult, out: Output) -> str:
    """The command that goes on after the last message shown: the same one, at another place."""
    typed = tuple(out.argv)
    try:
        out.argv = [word.rpartition("#")[0] if _MESSAGE.search(word) else word for word in typed]
        return out.again("--offset", str(result.next_offset), without=("--offset", "--at", "--query", "--before", "--after"))
    finally:
        out.argv = typed


def _show_message(message: Message, out: Output) -> None:
    number = "" if message.seq is None else f"#{message.seq} "
    who = f"{message.kind} {message.tool or ''}".rstrip() if message.kind else message.role or ""
    notes = "  (abandoned branch)" if message.abandoned else ""
    style = "green" if message.role == "user" else "cyan"
    mark = "▶ " if message.anchor else ""
    out.line(mark, dim(number), Styled(who, style), dim(f"  {out.moment(message.timestamp)}{notes}"))
    out.paragraph(message.text, indent=2)
    if message.elided:
        out.line(dim(f"  [{counted(message.elided, 'character')} left out of the middle]"))


COMMAND = Command(
    operation="read",
    request=request,
    show=show,
    arguments=(Argument("address", "REF"),),
    options=(AT, QUERY, OFFSET, LIMIT, BEFORE, AFTER, CALLS, options.MAX_TOKENS),
    details=(
        "REF is a session, claude_code:<id>, or a message of it, claude_code:<id>#12. The beginning of an id will do where it is unique."
    ),
    examples=(
        "lith read claude_code:3f0c61de --at 3",
        "lith read 3f0c61de --query 'time zone'",
        "lith read codex:019cc1a4 --offset 20 --limit 10",
    ),
)
