"""What a time expression means, and what it is relative to."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from enum import StrEnum

from karte.core.periods import EARLIEST, FOREVER, instant_of, moment_of

BEGINNING = datetime.min  # noqa: DTZ901 - a local time without a zone: the open start of a period
END = datetime.max  # noqa: DTZ901 - as above, the open end


class Kind(StrEnum):
    """How a period is named."""

    HOURS = "hours"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    SEASON = "season"
    YEAR = "year"
    SPAN = "span"
    RECENT = "recent"
    SESSION = "session"


@dataclass(frozen=True, slots=True)
class Moment:
    """One thing that a time expression can mean: the period [start, end) in microseconds since the epoch.

    Of kind `session` they are sessions instead, counted from 1, or from -1 (the last one) backwards; an end of 0 is
    after the last one. `text` is the expression as it was written, `weight` (0..1] how likely it means this; a
    `relative` one is counted from now.
    """

    start: int
    end: int
    text: str
    kind: Kind
    weight: float = 1.0
    relative: bool = False


@dataclass(frozen=True, slots=True)
class Anchor:
    """The instant that relative expressions are counted from, as the clock on the wall shows it in a zone."""

    now: datetime
    zone: tzinfo

    @classmethod
    def of(cls, now: int, zone: tzinfo) -> Anchor:
        """Anchor at an instant in microseconds since the epoch."""
        moment = moment_of(now)
        return cls((moment or END.replace(tzinfo=UTC)).astimezone(zone).replace(tzinfo=None), zone)

    @property
    def today(self) -> datetime:
        """The start of the day."""
        return self.now.replace(hour=0, minute=0, second=0, microsecond=0)

    @property
    def monday(self) -> datetime:
        """The start of the week: weeks begin on Monday (ISO 8601)."""
        return self.today - timedelta(days=self.today.weekday())

    @property
    def month(self) -> int:
        """The month, counted from January of the year 0."""
        return self.now.year * 12 + self.now.month - 1

    def instant(self, local: datetime) -> int:
        """The instant of a time on the wall; the open ends of a period become those of all time."""
        if local == BEGINNING:
            return EARLIEST
        return FOREVER if local == END else instant_of(local.replace(tzinfo=self.zone))
