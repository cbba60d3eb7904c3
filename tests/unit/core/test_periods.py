"""Instants and periods: microseconds, half-open, never without a zone."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karte.core.periods import FOREVER, SECOND, Period, instant_of, moment_of, read_instant, write_instant
from karte.errors import InvalidTime, NaiveTime, ReversedPeriod

TAIPEI = timezone(timedelta(hours=8))
DAY = 24 * 3_600 * SECOND


@pytest.mark.parametrize(
    ("moment", "instant"),
    [
        (datetime(1970, 1, 1, tzinfo=UTC), 0),
        (datetime(1970, 1, 2, 0, 0, 0, 1, tzinfo=UTC), DAY + 1),
        (datetime(1970, 1, 1, 8, tzinfo=TAIPEI), 0),
        (datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC), -SECOND),
        (datetime(2026, 3, 1, 9, tzinfo=UTC), 1_772_355_600 * SECOND),
    ],
)
def test_an_instant_is_microseconds_since_1970_in_utc(moment: datetime, instant: int) -> None:
    assert instant_of(moment) == instant


@given(st.datetimes(timezones=st.just(UTC)))
def test_an_instant_and_its_moment_are_one(moment: datetime) -> None:
    assert moment_of(instant_of(moment)) == moment


def test_forever_has_no_moment() -> None:
    assert moment_of(FOREVER) is None


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(NaiveTime):
        instant_of(datetime(2026, 3, 1))  # noqa: DTZ001 - that is what is refused


@pytest.mark.parametrize(
    ("value", "hours"),
    [
        (datetime(1970, 1, 2, tzinfo=UTC), 24),
        (date(1970, 1, 2), 24),
        ("1970-01-02", 24),
        (" 1970-01-02T00:00:00Z ", 24),
        ("1970-01-02T08:00+08:00", 24),
        ("19700102T000000Z", 24),
    ],
)
def test_datetimes_dates_and_iso_8601_are_read(value: datetime | date | str, hours: int) -> None:
    assert read_instant(value) == hours * 3_600 * SECOND


@pytest.mark.parametrize("value", [date(1970, 1, 2), "1970-01-02"])
def test_a_bare_date_is_the_start_of_that_day_in_the_zone(value: date | str) -> None:
    assert read_instant(value, TAIPEI) == 16 * 3_600 * SECOND


@pytest.mark.parametrize("value", ["1970-01-02T00:00:00", "1970-01-02 12:00"])
def test_text_without_a_zone_is_refused(value: str) -> None:
    with pytest.raises(NaiveTime):
        read_instant(value)


@pytest.mark.parametrize(
    "value", ["", "yesterday", "三天前", "2026-13-01", "2026-02-30", "12345", "0000-01-01", 7, None]
)
def test_what_is_no_time_is_refused(value: object) -> None:
    with pytest.raises(InvalidTime):
        read_instant(value)  # type: ignore[arg-type]  # that is what is refused


@pytest.mark.parametrize(
    ("instant", "text"),
    [(0, "1970-01-01T00:00:00Z"), (1, "1970-01-01T00:00:00.000001Z"), (FOREVER, None), (None, None)],
)
def test_an_instant_is_written_in_utc_with_z(instant: int | None, text: str | None) -> None:
    assert write_instant(instant) == text


def test_a_period_holds_its_start_and_not_its_end() -> None:
    assert [at in Period(3, 5) for at in (2, 3, 4, 5)] == [False, True, True, False]


def test_a_period_is_open_unless_it_ends() -> None:
    assert Period(3).end == FOREVER


@pytest.mark.parametrize("end", [3, 2])
def test_a_period_without_width_or_reversed_is_refused(end: int) -> None:
    with pytest.raises(ReversedPeriod):
        Period(3, end)
