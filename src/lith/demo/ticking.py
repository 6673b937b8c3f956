"""Ids and times for the demo: the same on every machine and in every run, so that writing it twice changes nothing."""

import hashlib

from lith.kernel.clock import format_iso, parse_iso
from lith.kernel.ids import unpack

STEP_MS = 38_000


class Ticking:
    """The ids and moments of one session, in order."""

    def __init__(self, session: str, start: str) -> None:
        self._session = session
        self._count = 0
        self._now = parse_iso(start) or 0

    def uuid(self) -> str:
        """A new id in the form of a UUID."""
        return unpack(self._digest()[:16])

    def short(self, prefix: str, digits: int = 24) -> str:
        """A new id as the clients give to messages and tool calls."""
        return prefix + self._digest().hex()[:digits]

    def tick(self) -> str:
        """The next moment, as ISO 8601."""
        self._now += STEP_MS
        return format_iso(self._now)

    @property
    def now(self) -> int:
        """The last moment, in milliseconds since the epoch."""
        return self._now

    def _digest(self) -> bytes:
        self._count += 1
        return hashlib.sha256(f"{self._session}/{self._count}".encode()).digest()
