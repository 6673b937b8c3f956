"""Search, rank, read: every question to the map, answered from the map alone.

The door of the room: `ops` calls these functions with an open connection; requests and answers are in the modules of those names. It
opens nothing, writes nothing, and never looks at a raw file.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lith.retrieval.coverage import read_coverage
    from lith.retrieval.locating import locate_record
    from lith.retrieval.reading import read_session
    from lith.retrieval.searching import find
    from lith.retrieval.sessions import list_sessions, resolve_session, stats

__all__ = ["find", "list_sessions", "locate_record", "read_coverage", "read_session", "resolve_session", "stats"]

_HOME = {
    "find": "searching",
    "list_sessions": "sessions",
    "locate_record": "locating",
    "read_coverage": "coverage",
    "read_session": "reading",
    "resolve_session": "sessions",
    "stats": "sessions",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for, and no more: a search does not pay for the modules of reading."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415

    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
