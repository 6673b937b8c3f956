"""Times: milliseconds inside, the user's zone at the edges."""

import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lith.kernel.clock import format_iso, format_local, from_ms, parse_iso, parse_when, to_ms

NOW = to_ms(datetime(2026, 3, 10, 12, 0, tzinfo=UTC))


@pytest.fixture
def berlin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()


@given(st.integers(-60_000_000_000_000, 200_000_000_000_000))
def test_iso_and_back_is_the_same_moment(ms: int) -> None:
    assert parse_iso(format_iso(ms)) == ms


@given(st.integers())
def test_no_number_is_too_absurd_to_be_shown(ms: int) -> None:
    assert format_iso(ms).endswith("Z")
    assert format_local(ms)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-03-10T12:00:00.000Z", NOW),
        ("2026-03-10T12:00:00Z", NOW),
        ("2026-03-10T13:00:00+01:00", NOW),
        ("2026-03-10T06:30:00-0530", NOW),
        ("2026-03-10 12:00", NOW),
        ("2026-03-10T12:00:00.123456789Z", NOW + 123),
        ("2026-03-10T12:00:00.1Z", NOW + 100),
        ("2026-02-30T12:00:00Z", None),
        ("2026-03-10T25:00:00Z", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_timestamps_of_transcripts(text: str, expected: int | None) -> None:
    assert parse_iso(text) == expected


@given(st.text(max_size=40))
def test_no_text_breaks_the_parsers(text: str) -> None:
    parse_iso(text)
    parse_when(text, NOW)


def test_days_are_the_days_of_the_user(berlin: None) -> None:
    midnight = to_ms(datetime(2026, 3, 9, 23, 0, tzinfo=UTC))
    assert parse_when("today", NOW) == midnight
    assert parse_when("2026-03-10", NOW) == midnight
    assert parse_when("2026/3/10", NOW) == midnight
    assert parse_when("yesterday", NOW) == midnight - 86_400_000
    assert parse_when("yesterday", NOW, end=True) == midnight
    assert parse_when("2026-03-10T13:00", NOW) == NOW


def test_the_day_on_which_summer_time_begins_has_23_hours(berlin: None) -> None:
    start, end = parse_when("2026-03-29", NOW), parse_when("2026-03-29", NOW, end=True)
    assert start is not None
    assert end is not None
    assert end - start == 23 * 3_600_000


@pytest.mark.parametrize(("text", "hours"), [("2h", 2), ("3d", 72), ("1w", 168), ("90m", 1.5), ("2 h ago", 2)])
def test_spans_count_back_from_now(text: str, hours: float) -> None:
    assert parse_when(text, NOW) == NOW - int(hours * 3_600_000)


@pytest.mark.parametrize("text", ["soon", "2026-13-01", "2026-02-30", "99999-01-01", "-3d", "3 years", "3d and more"])
def test_what_is_no_time_is_none(text: str) -> None:
    assert parse_when(text, NOW) is None


def test_people_see_their_zone(berlin: None) -> None:
    assert format_local(NOW) == "2026-03-10 13:00 CET"
    assert from_ms(NOW) == datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
