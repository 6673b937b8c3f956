"""Dates as people and tools write them in frontmatter, as days of the user.

Pure; the present day and the zone arrive as arguments.
"""

import re
from datetime import date, tzinfo

from lith.kernel import clock

_DAY = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$")
_COMPACT = re.compile(r"(\d{4})(\d\d)(\d\d)$")
_SLASH = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})$")
_STAMP = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt]|[ \t]+)(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d*)?)?[ \t]*(?:(Z|z|UTC)|([+-]\d\d)(?::?(\d\d))?)?$"
)


def read_day(text: str | None, zone: tzinfo | None = None) -> date | None:
    """The user's day that `text` names: a date, a timestamp (with a zone: its day in `zone`), slashes; None otherwise.

    Of `06/21/2026` and `21/06/2026` only the readable order is taken; `05/06/2026` can be either and is refused.
    """
    if not text:
        return None
    word = text.strip().strip("[]").strip()
    if match := _DAY.match(word) or _COMPACT.match(word):
        return _day(int(match[1]), int(match[2]), int(match[3]))
    if match := _SLASH.match(word):
        return _slash_day(int(match[1]), int(match[2]), int(match[3]))
    moment = read_moment(word)
    if moment is None:
        match = _STAMP.match(word)
        return _day(int(match[1]), int(match[2]), int(match[3])) if match else None
    try:
        return clock.from_ms(moment, zone).date()
    except OverflowError:
        return None


def read_moment(text: str) -> int | None:
    """Milliseconds since the epoch of a timestamp that carries its zone; None for everything else."""
    match = _STAMP.match(text.strip())
    if match is None or not (match[7] or match[8]):
        return None
    year, month, day, hour, minute = (int(match[group]) for group in range(1, 6))
    zone = "Z" if match[7] else f"{match[8]}:{match[9] or '00'}"
    return clock.parse_iso(f"{year:04d}-{month:02d}-{day:02d}T{hour:02d}:{minute:02d}:{int(match[6] or 0):02d}{zone}")


def local_day(ms: int, zone: tzinfo | None = None) -> date:
    """The user's day of a moment."""
    return clock.from_ms(ms, zone).date()


def day_of_ns(mtime_ns: int, zone: tzinfo | None = None) -> date:
    """The user's day of a file's time."""
    return local_day(mtime_ns // 1_000_000, zone)


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _slash_day(first: int, second: int, year: int) -> date | None:
    if first > 12 >= second:
        return _day(year, second, first)
    if second > 12 >= first or first == second:
        return _day(year, first, second)
    return None
