"""The options that several commands share, spelled and explained once."""

from lith.faces.cli.words import Option

SOURCE = Option(
    ("--source",),
    "source",
    "Only this client: claude_code, codex, … (lith status lists them). Repeat it for several.",
    many=True,
    metavar="NAME",
)
ROOT = Option(
    ("--root",),
    "roots",
    "Where a client's sessions are, instead of its own place: claude_code=/path. Repeat it for several.",
    many=True,
    metavar="NAME=PATH",
)
PROJECT = Option(("--project",), "project", "Only this project: a path in it, or its key.", metavar="PATH|KEY")
CWD = Option(("--cwd",), "cwd", "Only sessions that were started in this folder or below.", metavar="PATH")
SINCE = Option(
    ("--since",), "since", "From this moment on: 2026-01-31, 2026-01-31T14:00, yesterday, 2h, 3d (your zone).", metavar="WHEN"
)
UNTIL = Option(("--until",), "until", "Up to this moment; a day counts to its end.", metavar="WHEN")
SESSION = Option(("--session",), "sessions", "Only this session. Repeat it for several.", many=True, metavar="REF")
EXCLUDE_SESSION = Option(
    ("--exclude-session",), "exclude_sessions", "Leave this session out. Repeat it for several.", many=True, metavar="REF"
)
NO_SUBAGENTS = Option(("--no-subagents",), "no_subagents", "Leave the sessions of sub-agents out.", shape="flag")
CURSOR = Option(("--cursor",), "cursor", "Go on where an earlier answer ended (its next_cursor).", metavar="CURSOR")
FIELDS = Option(
    ("--fields",), "fields", "Only these fields of each item, separated by commas (text keeps the address).", metavar="NAME,…"
)
MAX_TOKENS = Option(
    ("--max-tokens",), "max_tokens", "Keep the answer below about this many tokens.", shape="number", metavar="N", least=1
)

APPLY = Option(("--apply",), "apply", "Do it. Without this the plan is shown, and nothing is written.", shape="flag")

SCOPE = (SOURCE, PROJECT, CWD, SINCE, UNTIL, SESSION, EXCLUDE_SESSION, NO_SUBAGENTS)
"""What narrows an answer to a part of the memory."""


def limit(default: int, what: str, *, most: int = 1_000) -> Option:
    """`--limit`, with the number that a command uses unless told otherwise, and the greatest that it takes."""
    text = f"At most this many {what}, 1 to {most:,} [default: {default}]."
    return Option(("-n", "--limit"), "limit", text, shape="number", metavar="N", least=1, most=most)
