"""Instants and periods of both time axes.

Inside Karte an instant is an integer: microseconds since 1970-01-01T00:00Z. A period is half-open,
`[start, end)`; an open end is `FOREVER`. A datetime without a zone never gets this far.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final

from karte.errors import InvalidTime, NaiveTime, ReversedPeriod

FOREVER: Final = 2**63 - 1
SECOND: Final = 1_000_000
HOUR: Final = 3_600 * SECOND
DAY: Final = 24 * HOUR
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
EARLIEST: Final = -62_135_596_800 * SECOND
"""The start of the year 1."""

LATEST: Final = 253_402_300_800 * SECOND - 1
"""The last microsecond of the year 9999."""


@dataclass(frozen=True, slots=True, order=True)
class Period:
    """When something holds: from `start` until just before `end`, in microseconds since the epoch."""

    start: int
    end: int = FOREVER

    def __post_init__(self) -> None:
        if self.end <= self.start:
            raise ReversedPeriod

    def __contains__(self, instant: int) -> bool:
        return self.start <= instant < self.end


def instant_of(moment: datetime) -> int:
    """Turn an aware datetime into microseconds since the epoch.

    A naive one raises `NaiveTime`, one outside the years 1 to 9999 in UTC `InvalidTime`.
    """
    if moment.tzinfo is None or moment.utcoffset() is None:
        raise NaiveTime
    instant = (moment - _EPOCH) // _MICROSECOND
    if not EARLIEST <= instant <= LATEST:
        raise InvalidTime(f"{moment.isoformat()} lies outside the years 1 to 9999 in UTC.")
    return instant


def moment_of(instant: int) -> datetime | None:
    """Turn microseconds since the epoch into an aware UTC datetime; `FOREVER` becomes None."""
    return None if instant == FOREVER else _EPOCH + instant * _MICROSECOND


def read_instant(value: datetime | date | str, zone: tzinfo = UTC) -> int:
    """Read a datetime, a date or ISO 8601 text; a bare date is the start of that day in `zone`.

    Raises `NaiveTime` for a time without a zone and `InvalidTime` for what is no time at all.
    """
    if isinstance(value, datetime):
        return instant_of(value)
    if isinstance(value, date):
        return instant_of(datetime.combine(value, time(), zone))
    return _read_text(value, zone)


def _read_text(value: str, zone: tzinfo) -> int:
    if not isinstance(value, str):
        raise InvalidTime(f"{value!r} is not a time.", hint="Give a datetime, a date or ISO 8601 text.")
    text = value.strip()
    try:
        if len(text) == len("2026-01-01"):
            return read_instant(date.fromisoformat(text), zone)
        return instant_of(datetime.fromisoformat(text))
    except (ValueError, OverflowError):
        raise InvalidTime(
            f"{value!r} cannot be read as a time; write it in ISO 8601, such as 2026-03-01T09:00:00Z."
        ) from None


def write_instant(instant: int | None) -> str | None:
    """Write an instant as ISO 8601 in UTC with `Z`; an open end and None become None."""
    moment = None if instant is None else moment_of(instant)
    if moment is None:
        return None
    return moment.replace(tzinfo=None).isoformat() + "Z"
