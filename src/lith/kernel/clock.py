"""Time: UTC milliseconds inside, the user's zone at the edges.

Any room may call it. It never reads the clock on its own: the present moment arrives as an argument (`Clock`), made once in
`ops.runtime`.
"""

import re
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo

Clock = Callable[[], int]
"""A function that returns the present moment in milliseconds since the epoch, UTC."""

_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d\d:?\d\d)?$")
_DATE = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})$")
_AGO = re.compile(r"(\d{1,6})\s*(s|m|h|d|w)(?:\s+ago)?$")
_AGO_MS = {"s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST_MS, _LAST_MS = (
    -62_135_510_400_000,
    253_402_214_399_999,
)  # a day within what `datetime` can say, so that every zone can say it


def system_clock() -> int:
    """The machine's clock, as a `Clock`."""
    return time.time_ns() // 1_000_000


def to_ms(moment: datetime) -> int:
    """Milliseconds since the epoch of an aware datetime."""
    return (moment - _EPOCH) // timedelta(milliseconds=1)


def from_ms(ms: int, zone: tzinfo | None = UTC) -> datetime:
    """The aware datetime of `ms`; `zone=None` means the machine's local zone. Absurd moments become the nearest that there are."""
    moment = _EPOCH + timedelta(milliseconds=min(max(ms, _FIRST_MS), _LAST_MS))
    return moment.astimezone(zone)


def parse_iso(text: str) -> int | None:
    """Milliseconds of an ISO 8601 timestamp as transcripts carry it; None where it is not one or does not exist.

    A timestamp without a zone is UTC, which is what the clients write.
    """
    match = _ISO.match(text)
    if match is None:
        return None
    year, month, day, hour, minute, second, fraction, zone = match.groups()
    try:
        moment = datetime(int(year), int(month), int(day), int(hour), int(minute), int(second or 0), tzinfo=UTC)
    except ValueError:
        return None
    ms = to_ms(moment) + int((fraction or "0")[:3].ljust(3, "0"))
    if zone and zone != "Z":
        sign = -1 if zone[0] == "-" else 1
        ms -= sign * (int(zone[1:3]) * 60 + int(zone[-2:])) * 60_000
    return ms


def format_iso(ms: int) -> str:
    """ISO 8601 in UTC with milliseconds and `Z`."""
    return from_ms(ms).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def format_local(ms: int) -> str:
    """A moment for people: local date, time to the minute, and the zone."""
    return from_ms(ms, None).strftime("%Y-%m-%d %H:%M %Z")


def parse_when(text: str, now: int, *, end: bool = False) -> int | None:
    """A moment from what a user types: a date, a time, `today`, `yesterday`, `2h`, `3d`; None where it is none of these.

    Dates and times without a zone are the user's. A plain day means its first millisecond, or with `end` the first millisecond
    after it, so that `--until 2026-01-31` includes that day.
    """
    word = text.strip()
    lower = word.lower()
    local_now = from_ms(now, None)
    if lower == "now":
        return now
    if lower in {"today", "yesterday"}:
        back = 1 if lower == "yesterday" else 0
        return _day(local_now.year, local_now.month, local_now.day, -back + (1 if end else 0))
    if match := _AGO.match(lower):
        return now - int(match[1]) * _AGO_MS[match[2]]
    if match := _DATE.match(word):
        return _day(int(match[1]), int(match[2]), int(match[3]), 1 if end else 0)
    if match := _ISO.match(word):
        if match[8]:
            return parse_iso(word)
        utc = parse_iso(word)
        return None if utc is None else to_ms(from_ms(utc).replace(tzinfo=None).astimezone())
    return None


def _day(year: int, month: int, day: int, plus: int) -> int | None:
    """The first moment of a local day, `plus` days later; calendar days, so that a change of summer time does not shift it."""
    try:
        naive = datetime(year, month, day) + timedelta(days=plus)
        return to_ms(naive.astimezone())
    except (ValueError, OverflowError):
        return None
