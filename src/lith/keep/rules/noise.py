"""Records that tell what was going on, not what was said: progress, request logs, and settings that a later record replaces."""

from collections.abc import Iterator, Sequence

from lith.keep.outline import Row
from lith.keep.rules.rule import Rule, Scene

_PROGRESS = frozenset({"progress"})
_LOGS = frozenset(
    {
        "api-request",
        "api-request-blob",
        "api-request-shape",
        "system/api_metrics",
        "system/stop_hook_summary",
        "system/turn_duration",
    }
)
LAST_COUNTS = frozenset(
    {
        "agent-color",
        "agent-name",
        "agent-setting",
        "ai-title",
        "atis-latch",
        "bridge-session",
        "cost-state",
        "custom-title",
        "last-prompt",
        "mode",
        "permission-mode",
        "tag",
        "task-summary",
        "tools-used",
        "worktree-state",
    }
)
"""Kinds of which a client reads the last one; that one always stays."""


def _select_progress(rows: Sequence[Row], _scene: Scene) -> Iterator[int]:
    return (row.index for row in rows if row.type in _PROGRESS)


def _select_logs(rows: Sequence[Row], _scene: Scene) -> Iterator[int]:
    return (row.index for row in rows if row.type in _LOGS)


def _select_superseded(rows: Sequence[Row], _scene: Scene) -> Iterator[int]:
    last = last_of_kind(rows)
    return (row.index for row in rows if row.type in LAST_COUNTS and last[row.type, row.session] != row.index)


def last_of_kind(rows: Sequence[Row]) -> dict[tuple[str, str | None], int]:
    """The last row of each kind of which the last one counts, by type and session."""
    return {(row.type, row.session): row.index for row in rows if row.type in LAST_COUNTS}


RULES = (
    Rule("progress", "progress reports of tools, hooks and sub-agents", select=_select_progress),
    Rule("bookkeeping", "logs of requests, hooks and durations", select=_select_logs),
    Rule("superseded", "titles, modes and other settings that a later record replaces", select=_select_superseded),
)
