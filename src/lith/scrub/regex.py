"""A regular expression that is compiled when it is first used.

The room holds some forty of them, and compiling takes longer than scrubbing a screenful: a command that prints ten lines must not pay for
all. Used inside the room only.
"""

import re
from collections.abc import Callable, Iterator


class Regex:
    """Stands for `re.compile(source, flags)` and behaves like it in the five methods that the room uses."""

    __slots__ = ("_compiled", "flags", "source")

    def __init__(self, source: str, flags: int = 0) -> None:
        self.source = source
        self.flags = flags
        self._compiled: re.Pattern[str] | None = None

    @property
    def compiled(self) -> re.Pattern[str]:
        """The pattern itself."""
        if self._compiled is None:
            self._compiled = re.compile(self.source, self.flags)
        return self._compiled

    def match(self, text: str, start: int = 0, end: int = 1 << 62) -> re.Match[str] | None:
        """Matches at `start`."""
        return self.compiled.match(text, start, end)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """Matches the whole text."""
        return self.compiled.fullmatch(text)

    def search(self, text: str, start: int = 0, end: int = 1 << 62) -> re.Match[str] | None:
        """Searches from `start` on."""
        return self.compiled.search(text, start, end)

    def finditer(self, text: str, start: int = 0, end: int = 1 << 62) -> Iterator[re.Match[str]]:
        """Finds all matches from `start` on."""
        return self.compiled.finditer(text, start, end)

    def sub(self, replacement: str | Callable[[re.Match[str]], str], text: str) -> str:
        """Replaces all matches."""
        return self.compiled.sub(replacement, text)
