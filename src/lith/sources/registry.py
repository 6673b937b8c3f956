"""The clients that lith reads: name to adapter.

Rooms above `sources` look adapters up here, and nowhere else. Adding a client is one line.
"""

from lith.errors import UnknownSource
from lith.sources import claude_code, codex, dsh, gemini, pi
from lith.sources.base import Source

SOURCES: dict[str, Source] = {
    "claude_code": claude_code.SOURCE,
    "codex": codex.SOURCE,
    "pi": pi.SOURCE,
    "dsh": dsh.SOURCE,
    "gemini": gemini.SOURCE,
}
"""Every adapter, in the order in which clients are listed."""


def get_source(name: str) -> Source:
    """The adapter of the client `name`. Raises `UnknownSource`, naming the ones there are."""
    try:
        return SOURCES[name]
    except KeyError:
        raise UnknownSource(f"there is no adapter for {name!r}", hint=f"the sources are {', '.join(SOURCES)}") from None
