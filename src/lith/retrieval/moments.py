"""Moments of the map as they are given out. Called by the other modules of this room."""

from lith.kernel.clock import format_iso


def when(moment: int | None) -> str | None:
    """ISO 8601 in UTC of milliseconds; None stays None."""
    return None if moment is None else format_iso(moment)
