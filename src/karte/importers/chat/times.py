"""Reading times as chats write them: in any order of date and clock, 12 or 24 hours, in several languages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final, NamedTuple

from karte.engine.remembering.turns import in_zone, read_zone
from karte.errors import InvalidTime, InvalidValue

_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_TH: Final = r"(?:st|nd|rd|th)?"
_YEAR_FIRST: Final = r"\d{4}\s?[-/.年년]\s?\d{1,2}\s?[-/.月월]\s?\d{1,2}(?:\s?[日일]|\.)?"
_DAY_MONTH: Final = rf"\d{{1,2}}{_TH}\s+(?:of\s+)?{_MONTH},?\s+\d{{4}}"
_MONTH_DAY: Final = rf"{_MONTH}\s+\d{{1,2}}{_TH},?\s+\d{{4}}"
_YEAR_LAST: Final = "|".join(rf"\d{{1,2}}{sign}\d{{1,2}}{sign}(?:\d{{4}}|\d{{2}})" for sign in ("/", r"\.", "-"))
_DATE: Final = rf"(?<![\d/.:-])(?:{_YEAR_FIRST}|{_DAY_MONTH}|{_MONTH_DAY}|{_YEAR_LAST})(?![\d/-])"
_WEEKDAY: Final = (
    r"(?:\b(?:mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur)?(?:day)?\b\.?|[（(][一二三四五六日月火水木金土월화수목금토일][)）]"
    r"|(?:星期|週|周|禮拜|礼拜)[一二三四五六日天]|[日月火水木金土]曜日?|[월화수목금토일]요일)"
)
_DAY: Final = rf"(?:{_WEEKDAY},?\s+)?{_DATE}(?:,?\s*{_WEEKDAY})?"
_MORNING: Final = ("上午", "凌晨", "早上", "午前", "오전", "a")
_HALF: Final = r"(?:上午|下午|凌晨|早上|中午|晚上|午前|午後|오전|오후)"
_CLOCK: Final = (
    rf"(?:{_HALF}\s?)?(?<![\d:.])\d{{1,2}}:\d{{2}}(?::\d{{2}}(?:[.,]\d{{1,9}})?)?(?![\d:])(?:\s?[ap]\.?m\b\.?)?"
)
_ZONE: Final = r"(?:Z\b|\s?(?:UTC|GMT)\b(?:[+-]\d{1,2}(?::?\d{2})?)?|\s?[+-]\d{2}:?\d{2}\b)"
_UTC: Final = r"\s(?:UTC|GMT)\b"
_SINCE: Final = r"(?:,?\s+(?:at\s+|on\s+)?|,|T|\s*[-–—]\s+)"

STAMP: Final = re.compile(
    rf"{_DAY}(?:{_SINCE}{_CLOCK}{_ZONE}?)?|{_CLOCK}{_ZONE}?(?:{_SINCE}{_DAY}(?:{_UTC})?)?", re.IGNORECASE
)
"""A date, a clock time, or both, as it stands in a line."""

_NUMBERS: Final = re.compile(r"\d+")
_FIND_DATE: Final = re.compile(_DATE, re.IGNORECASE)
_FIND_MONTH: Final = re.compile(_MONTH, re.IGNORECASE)
_FIND_CLOCK: Final = re.compile(rf"(?P<clock>{_CLOCK})(?P<zone>{_ZONE})?", re.IGNORECASE)
_ENDS_IN_UTC: Final = re.compile(rf"{_UTC}$", re.IGNORECASE)
_FIND_HALF: Final = re.compile(rf"{_HALF}|[ap](?=\.?m\b)", re.IGNORECASE)
_EPOCH_TEXT: Final = re.compile(r"\d{9,19}(?:\.\d+)?")
_COMPACT: Final = re.compile(r"(?:19|20)\d{6}(?:\d{6})?")

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_CENTURY: Final = 2000
_SHORT_YEAR: Final = 100
_MIDNIGHT: Final = time()
_NOON: Final = 12
_HALF_A_DAY: Final = timedelta(hours=12)
_UNITS: Final = ((1e11, 1.0), (1e14, 1e3), (1e17, 1e6), (float("inf"), 1e9))
"""Below each number an epoch counts this many units a second: seconds, milliseconds, microseconds, nanoseconds."""


class Numbers(NamedTuple):
    """A date in numbers with its year last: which of the first two is the month, only the file can tell."""

    first: int
    second: int
    year: int
    dotted: bool

    def date(self, *, day_first: bool) -> date:
        """The date read in one order, or in the other one where it is none in the first."""
        day, month = (self.first, self.second) if day_first else (self.second, self.first)
        return date(self.year, month, day) if month <= _NOON else date(self.year, day, month)


@dataclass(frozen=True, slots=True)
class Stamp:
    """A time as written: a day, a clock time, or both; `half` marks a clock of 12 hours."""

    day: date | Numbers | None
    clock: time | None
    half: bool = False

    def date(self, *, day_first: bool) -> date | None:
        """The day, if there is one."""
        return self.day.date(day_first=day_first) if isinstance(self.day, Numbers) else self.day


def read_stamp(text: str) -> Stamp | None:
    """Read a text that is a time and nothing else; None for any other."""
    text = text.strip()
    if not STAMP.fullmatch(text):
        return None
    day, clock = _FIND_DATE.search(text), _FIND_CLOCK.search(text)
    half = clock and _FIND_HALF.search(clock["clock"])
    try:
        read = _read_date(day[0]) if day else None
        if isinstance(read, Numbers):
            read.date(day_first=True)
        return Stamp(read, _read_clock(clock, half and half[0]) if clock else None, half is not None)
    except (ValueError, InvalidValue):
        return None


def _read_date(text: str) -> date | Numbers:
    numbers = [int(number) for number in _NUMBERS.findall(text)]
    if month := _FIND_MONTH.search(text):
        return date(numbers[1], _MONTHS.index(month[0][:3].lower()) + 1, numbers[0])
    if numbers[0] >= _SHORT_YEAR:
        return date(*numbers)
    first, second, year = numbers
    return Numbers(first, second, year + _CENTURY if year < _SHORT_YEAR else year, dotted="." in text)


def _read_clock(found: re.Match[str], half: str | None) -> time:
    hour, minute, second, fraction = (*_NUMBERS.findall(found["clock"]), "0", "0")[:4]
    counted = int(hour)
    if half and counted <= _NOON:
        counted = counted % _NOON + (0 if half.lower() in _MORNING else _NOON)
    microsecond = int(fraction[:6].ljust(6, "0"))
    return time(counted, int(minute), int(second), microsecond, _read_zone(found))


def _read_zone(found: re.Match[str]) -> tzinfo | None:
    if found["zone"]:
        return read_zone(found["zone"].upper())
    return UTC if _ENDS_IN_UTC.search(found.string) else None


def is_day_first(stamps: Iterable[Stamp]) -> bool:
    """Tell how a file writes its dates: as those tell that have one reading, else month first with a 12-hour clock."""
    written = [stamp for stamp in stamps if isinstance(stamp.day, Numbers)]
    numbers = [stamp.day for stamp in written if isinstance(stamp.day, Numbers)]
    day, month = (
        sum(part > _NOON for part in parts) for parts in ([n.first for n in numbers], [n.second for n in numbers])
    )
    if day != month:
        return day > month
    return any(n.dotted for n in numbers) or not any(stamp.half for stamp in written)


class Calendar:
    """Reads the times of a file in order: a clock time alone is of the day that was named last.

    A clock that goes back by more than 12 hours has passed midnight. `zone` is that of the file where it names one.
    """

    def __init__(self, *, day_first: bool) -> None:
        self.zone: tzinfo | None = None
        self._day_first = day_first
        self._day: date | None = None
        self._last: datetime | None = None

    def turn_to(self, time: datetime | Stamp | None) -> datetime | None:
        """Go to the day of a heading; gives its instant: the start of the day where it names no clock time."""
        moment = self.moment(time)
        self._last = None
        return moment

    def moment(self, time: datetime | Stamp | None) -> datetime | None:
        """The instant of a time: naive where neither it nor the file has a zone, None where no day is known."""
        if isinstance(time, Stamp):
            return self._stamped(time, time.date(day_first=self._day_first))
        if time is not None:
            self._day = time.date()
        return time and (in_zone(time, self.zone) if self.zone else time)

    def _stamped(self, stamp: Stamp, day: date | None) -> datetime | None:
        self._day = day or self._day
        moment = self._at(stamp.clock)
        if day is None and self._passes_midnight(moment) and self._day and self._day < date.max:
            self._day += timedelta(days=1)
            moment = self._at(stamp.clock)
        self._last = moment
        return moment

    def _passes_midnight(self, moment: datetime | None) -> bool:
        return bool(moment and self._last and _wall(self._last) - _wall(moment) > _HALF_A_DAY)

    def _at(self, clock: time | None) -> datetime | None:
        clock = clock or _MIDNIGHT
        return None if self._day is None else datetime.combine(self._day, clock, clock.tzinfo or self.zone)


def _wall(moment: datetime) -> datetime:
    return moment.replace(tzinfo=None)


def read_time(value: object) -> datetime | Stamp | None:
    """Read the time of a message: ISO 8601, an epoch in seconds or smaller units, or as people write it.

    None for a value that says nothing (null, an empty text, 0, the year 1). Raises `InvalidTime` for any other.
    """
    if value is None or value in ("", 0):
        return None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _read_epoch(value)
    if not isinstance(value, str):
        raise InvalidTime(f"{value!r:.80} is not a time.")
    text = value.strip()
    moment = _read_digits(text) or _read_iso(text) or read_stamp(text)
    if moment is None and text:
        raise InvalidTime(
            f"{value!r:.80} cannot be read as a time.", hint="Write it in ISO 8601: 2026-03-01T09:00:00Z."
        )
    return None if isinstance(moment, datetime) and moment.year == 1 else moment


def _read_digits(text: str) -> datetime | None:
    if _COMPACT.fullmatch(text):
        return _read_iso(f"{text[:8]}T{text[8:] or '00'}")
    return _read_epoch(float(text)) if _EPOCH_TEXT.fullmatch(text) else None


def _read_iso(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _read_epoch(value: float) -> datetime:
    unit = next((unit for below, unit in _UNITS if abs(value) < below), 1.0)
    try:
        return _EPOCH + timedelta(seconds=value / unit)
    except (OverflowError, ValueError):
        raise InvalidTime(
            f"{value!r:.80} is not a time: a number counts seconds or smaller units since 1970."
        ) from None
