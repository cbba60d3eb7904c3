"""Periods of the calendar, as times on the wall without a zone, and how they are counted from an anchor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Final

from karte.core.moments.values import Anchor, Kind

_DAY: Final = timedelta(days=1)
_WEEK: Final = timedelta(days=7)
_YEAR: Final = 12
_QUARTER: Final = 3
_SATURDAY: Final = 5
_SPRING: Final = 2
_LEAP: Final = 9
"""So many years back there is a 29 February, even around 1900."""

RECENT_DAYS: Final = 30


class Unit(StrEnum):
    """What is counted."""

    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    WEEKEND = "weekend"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"


_SHORT: Final = {Unit.MINUTE: timedelta(minutes=1), Unit.HOUR: timedelta(hours=1)}


@dataclass(frozen=True, slots=True)
class Stretch:
    """A period [start, end) on the wall.

    `relative` ones depend on the anchor; `others` are less likely readings; `of_year` gives the same of another year
    where the text names none.
    """

    start: datetime
    end: datetime
    kind: Kind
    relative: bool = False
    others: tuple[Stretch, ...] = ()
    of_year: Callable[[int], Stretch] | None = None

    def moved(self, by: timedelta) -> Stretch:
        """The same, earlier or later."""
        return Stretch(self.start + by, self.end + by, self.kind, self.relative)


@dataclass(frozen=True, slots=True)
class Sessions:
    """Sessions [start, end): counted from 1, or from -1 (the last one) backwards with 0 after it."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a day, in hours from its midnight; what goes beyond 24 is the next morning."""

    start: int
    end: int


Value = Stretch | Sessions | Part


def day(start: date) -> Stretch:
    """A day."""
    first = datetime(start.year, start.month, start.day)  # noqa: DTZ001 - times on the wall have no zone
    return Stretch(first, first + _DAY, Kind.DAY)


def date_in(number: int, on: int, year: int) -> Stretch:
    """A day of a month; raises `ValueError` for one that the year does not have."""
    return day(date(year, number, on))


def dates_in(number: int, first: int, last: int, year: int) -> Stretch:
    """The days of a month from one to another; raises `ValueError` where there are none."""
    start, end = date_in(number, first, year), date_in(number, last, year)
    if end.start < start.start:
        raise ValueError(last)
    return Stretch(start.start, end.end, Kind.SPAN)


def week(start: datetime) -> Stretch:
    """Seven days."""
    return Stretch(start, start + _WEEK, Kind.WEEK)


def months(first: int, count: int = 1, kind: Kind = Kind.MONTH) -> Stretch:
    """Months, counted from January of the year 0."""
    return Stretch(_first_of(first), _first_of(first + count), kind)


def month(year: int, number: int) -> Stretch:
    """A month, 1..12; raises `ValueError` for another number."""
    return months(_month(year, number))


def quarter(year: int, number: int) -> Stretch:
    """A quarter of a year, 1..4."""
    return months(year * _YEAR + (number - 1) * _QUARTER, _QUARTER, Kind.QUARTER)


def half(year: int, number: int) -> Stretch:
    """A half of a year, 1 or 2."""
    return months(year * _YEAR + (number - 1) * _YEAR // 2, _YEAR // 2, Kind.SPAN)


def years(first: int, count: int = 1) -> Stretch:
    """Years."""
    return months(first * _YEAR, _YEAR * count, Kind.YEAR if count == 1 else Kind.SPAN)


def season(year: int, number: int) -> Stretch:
    """A season: three whole months, spring (0) from March, winter (3) from December into the next year."""
    return months(year * _YEAR + _SPRING + number * _QUARTER, _QUARTER, Kind.SEASON)


def season_of(year: int, number: int) -> Stretch:
    """A season of a named year; a winter may also be the one that ends in it."""
    found = season(year, number)
    winter = number == _YEAR // _QUARTER - 1
    return replace(found, others=(season(year - 1, number),)) if winter else found


def _first_of(number: int) -> datetime:
    return datetime(number // _YEAR, number % _YEAR + 1, 1)  # noqa: DTZ001 - as above


def _month(year: int, number: int) -> int:
    if not 1 <= number <= _YEAR:
        raise ValueError(number)
    return year * _YEAR + number - 1


def possible(of_year: Callable[[int], Stretch], year: int) -> Stretch | None:
    """The period in that year, if there is such a one: not every year has a 29 February."""
    try:
        return of_year(year)
    except (ValueError, OverflowError):
        return None


def yearly(of_year: Callable[[int], Stretch], anchor: Anchor, *, coming: bool = False) -> Stretch:
    """The latest that has begun, or the next that has not; the one before and the one after are less likely.

    Raises `ValueError` where there is none at all, such as for 30 February.
    """
    around = range(anchor.now.year - _LEAP, anchor.now.year + _LEAP)
    found = [each for year in around if (each := possible(of_year, year))]
    begun = [each for each in found if each.start <= anchor.now]
    if not found:
        raise ValueError(of_year)
    later = found[len(begun) :]
    if coming:
        return replace(later[0], of_year=of_year, relative=True)
    return replace(begun[-1], others=(*begun[-2:-1], *later[:1]), of_year=of_year)


def ended(of_year: Callable[[int], Stretch], anchor: Anchor) -> Stretch:
    """The latest that is over; the one before is less likely."""
    over = [each for year in range(anchor.now.year - 2, anchor.now.year + 1) if (each := of_year(year))]
    past = [each for each in over if each.end <= anchor.now]
    return replace(past[-1], others=(past[-2],) if past[1:] else (), relative=True)


def nearest(of_year: Callable[[int], Stretch], anchor: Anchor) -> Stretch:
    """The one that the anchor is in, or else the one that ends or begins next to it."""
    around = [of_year(year) for year in range(anchor.now.year - 1, anchor.now.year + 2)]
    nothing = timedelta()
    found = min(around, key=lambda each: max(each.start - anchor.now, anchor.now - each.end, nothing))
    return replace(found, relative=True)


def at(anchor: Anchor, unit: Unit, offset: int) -> Stretch:
    """The unit that the anchor is in (0), the one before (-1), the one after (1), ..., as the calendar has them."""
    return replace(_at(anchor, unit, offset), relative=True)


def _at(anchor: Anchor, unit: Unit, offset: int) -> Stretch:
    match unit:
        case Unit.MINUTE | Unit.HOUR:
            middle, length = anchor.now + offset * _SHORT[unit], _SHORT[unit]
            found = Stretch(middle - length / 2, middle + length / 2, Kind.HOURS)
        case Unit.DAY:
            found = day(anchor.today + offset * _DAY)
        case Unit.WEEK:
            found = week(anchor.monday + offset * _WEEK)
        case Unit.WEEKEND:
            saturday = anchor.monday + offset * _WEEK + _SATURDAY * _DAY
            found = Stretch(saturday, saturday + 2 * _DAY, Kind.SPAN)
        case Unit.MONTH:
            found = months(anchor.month + offset)
        case Unit.QUARTER:
            found = quarter(anchor.now.year, (anchor.now.month - 1) // _QUARTER + 1 + offset)
        case Unit.YEAR:
            found = years(anchor.now.year + offset)
    return found


def ago(anchor: Anchor, unit: Unit, count: tuple[int, int]) -> Stretch:
    """The units from so many to so many ago."""
    least, most = count
    if least == most:
        return at(anchor, unit, -most)
    return Stretch(at(anchor, unit, -most).start, at(anchor, unit, -least).end, Kind.SPAN, relative=True)


def rolling(anchor: Anchor, unit: Unit, count: int) -> Stretch:
    """The last `count` units up to the end of today, or, where it is negative, the next ones from tomorrow."""
    if unit in _SHORT:
        moved = anchor.now - count * _SHORT[unit]
        return Stretch(min(moved, anchor.now), max(moved, anchor.now) + timedelta.resolution, Kind.SPAN, relative=True)
    moved = _earlier(anchor.today, unit, count)
    tomorrow = anchor.today + _DAY
    start, end = (moved, tomorrow) if count > 0 else (tomorrow, moved + _DAY)
    return Stretch(start, end, Kind.SPAN, relative=True)


def _earlier(start: datetime, unit: Unit, count: int) -> datetime:
    if unit is Unit.DAY:
        return start - count * _DAY
    if unit in {Unit.WEEK, Unit.WEEKEND}:
        return start - count * _WEEK
    size = {Unit.MONTH: 1, Unit.QUARTER: _QUARTER}.get(unit, _YEAR)
    first = _first_of(start.year * _YEAR + start.month - 1 - count * size)
    last = _first_of(first.year * _YEAR + first.month) - _DAY
    return first.replace(day=min(start.day, last.day))


def weekday(anchor: Anchor, number: int, weeks: int) -> Stretch:
    """A day (Monday is 0) of this week (0), of the last one (-1), of the next one (1), ..."""
    return replace(day(anchor.monday + number * _DAY + weeks * _WEEK), relative=True)


def last_weekday(anchor: Anchor, number: int) -> Stretch:
    """The latest such day before today; people also mean the one a week before that."""
    back = (anchor.today.weekday() - number - 1) % 7 + 1
    found = replace(day(anchor.today - back * _DAY), relative=True)
    return replace(found, others=(found.moved(-_WEEK),))


def next_weekday(anchor: Anchor, number: int) -> Stretch:
    """That day of the next week; people also mean the next such day, where it is still in this week."""
    found = weekday(anchor, number, 1)
    sooner = found.moved(-_WEEK)
    return replace(found, others=(sooner,)) if sooner.start > anchor.today else found


def any_weekday(anchor: Anchor, number: int) -> Stretch:
    """A day of the week without a week: the latest before today, less likely the one before or after."""
    found = last_weekday(anchor, number)
    return replace(found, others=(*found.others, found.moved(_WEEK)))


def monthly(anchor: Anchor, number: int, month_offset: int | None = None) -> Stretch:
    """A day of a month: of the one at an offset, or the latest that has begun. Raises `ValueError` for no day."""
    if month_offset is not None:
        start = _first_of(anchor.month + month_offset)
        return replace(day(start.replace(day=number)), relative=True)
    this = _first_of(anchor.month) if number <= anchor.now.day else _first_of(anchor.month - 1)
    return replace(day(this.replace(day=number)), relative=True)


def recent(anchor: Anchor) -> Stretch:
    """Not long ago: the last 30 days."""
    return replace(rolling(anchor, Unit.DAY, RECENT_DAYS), kind=Kind.RECENT)


def part_of(of: Stretch, name: Part) -> Stretch:
    """A part of a day."""
    start, end = of.start + timedelta(hours=name.start), of.start + timedelta(hours=name.end)
    return Stretch(start, end, Kind.HOURS, of.relative)


def third(of: Stretch, place: int) -> Stretch:
    """The first (0), middle (1) or last (2) third of a period."""
    length = (of.end - of.start) / 3
    return Stretch(of.start + place * length, of.start + (place + 1) * length, Kind.SPAN, of.relative)
