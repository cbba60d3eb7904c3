"""The values in a statement: numbers with their units, dates, times of day, weekdays and versions, in five languages.

Two values are equal whatever they are written as: `15 minutes` and `900 秒`, `3月5日` and `March 5`, `七人` and `7名`.
All patterns are for folded text (see `read`), in which traditional characters are simplified and katakana is hiragana.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from karte.core.measures import (
    COUNTED,
    DAYS,
    DURATION,
    HALF,
    HAN_NUMBER,
    MONTH,
    MONTH_NAMES,
    MULTIPLES,
    OFFSETS,
    PERIODS,
    RELATIVE_YEARS,
    SIGNS,
    SINGLE_DAYS,
    UNITS,
    VALUE,
)
from karte.core.moments.numerals import english, han, hangul

WHEN: Final = frozenset({"date", "clock", "weekday"})
"""The kinds of values that say when."""

NUMBER: Final = "number"
"""The kind of a number without a measure: a count, a port."""

VERSION: Final = "version"
"""The kind of numbers with points between them."""

PLACE: Final = "place"
"""What a number gives that says which one of many is meant."""

_NOON: Final = 12
_VAGUE: Final = 0.03
"""Three months are 90 days to whoever says so, and 91.3 on the average."""

Amount = tuple[float | str | None, ...]


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a text from `start` to `end`: its kind, and what it amounts to in a common measure.

    `counter` is the class of things that a word with a number counts (`三匹`), or `PLACE` for a number that says which
    one of many is meant (`3号`); empty without such a word. A `counted` number has a word that counts, be it anything.
    """

    kind: str
    amount: Amount
    start: int
    end: int
    shown: str
    counter: str = ""
    counted: bool = False

    @property
    def key(self) -> str:
        """Equal for values that are equal without doubt."""
        return f"{self.kind} {self.amount}"

    @property
    def bare(self) -> bool:
        """Whether it has no measure, so that what it is a number of can be told from its place only."""
        return self.kind in {NUMBER, VERSION}

    def fits(self, other: Value) -> bool:
        """Whether one may be the other said more exactly: `March 5` and `2026-03-05`, `3.11` and `3.11.4`."""
        if self.bare and other.bare:
            return len(self.amount) != len(other.amount) and self._begins(other)
        if self.kind != other.kind:
            return False
        if self.kind == DURATION:
            return _about(float(self.amount[0] or 0), float(other.amount[0] or 0))
        pairs = [(a, b) for a, b in zip(self.amount, other.amount, strict=True) if a is not None and b is not None]
        return bool(pairs) and all(a == b for a, b in pairs)

    @property
    def _digits(self) -> tuple[str, ...]:
        return tuple(f"{part:g}" if isinstance(part, float) else str(part) for part in self.amount)

    def _begins(self, other: Value) -> bool:
        return all(mine == theirs for mine, theirs in zip(self._digits, other._digits, strict=False))

    def comparable(self, other: Value) -> bool:
        """Whether the two can be answers to one question, by their measures and by what is counted."""
        if not (self.bare and other.bare):
            return self.kind == other.kind
        return self.counter == other.counter or not (self.counter and other.counter)


def _about(one: float, other: float) -> bool:
    """Whether two durations are one, said in months or years by one text and in days by the other."""
    calendar = one % MONTH == 0, other % MONTH == 0
    return calendar[0] != calendar[1] and abs(one - other) <= _VAGUE * max(one, other)


def read(folded: str) -> list[Value]:
    """The values of a clean text in lower case that went through `fold_run`; in text order, none within another."""
    return [_READERS[match.lastgroup or ""](match) for match in VALUE.finditer(folded)]


def _value(match: re.Match[str], kind: str, *amount: float | str | None) -> Value:
    return Value(kind, amount, match.start(), match.end(), match[0].strip())


def _number(text: str) -> float:
    """What is written in digits, in English words, in Han characters or in Hangul."""
    plain = text.replace(",", "")
    if plain[0].isdecimal():
        return float(plain)
    if plain == HALF:
        return 0.5
    if plain.isascii():
        return float(english(plain)[0])
    return float(_han(plain) if HAN_NUMBER.fullmatch(plain) else hangul(plain))


def _han(text: str) -> int:
    """As `han`, with thousands and what is above them."""
    for sign, multiple in (("亿", 10**8), ("万", 10**4), ("千", 10**3)):
        before, found, after = text.partition(sign)
        if found:
            return (_han(before) if before else 1) * multiple + (_han(after) if after else 0)
    return han(text)


def _perhaps(text: str | None) -> float | None:
    return None if text is None else _number(text)


def _iso(match: re.Match[str]) -> Value:
    return _value(match, "date", *(float(match[part]) for part in ("iso_year", "iso_month", "iso_day")))


def _east_date(match: re.Match[str]) -> Value:
    year: float | str | None = _perhaps(match["east_year"])
    if match["relative"]:
        year = f"{RELATIVE_YEARS[match['relative']]:+d}"
    month = match["east_month"] or match["month_first"]
    return _value(match, "date", year, _perhaps(month), _perhaps(match["east_day"] or match["day_after"]))


def _period(match: re.Match[str]) -> Value:
    """A year, quarter, month or week by how far it is from the present one."""
    which = next(match[part] for part in ("which", "which_han", "which_ja", "which_ko") if match[part])
    period = next(match[part] for part in ("period", "period_han", "period_ja", "period_ko") if match[part])
    offset = f"{OFFSETS[which]:+d}"
    if PERIODS[period] == "year":
        return _value(match, "date", offset, None, None)
    return _value(match, "date", None, f"{PERIODS[period]} {offset}", None)


def _month(name: str) -> float:
    return float(MONTH_NAMES.index(name[:3]) + 1)


def _west_date(match: re.Match[str]) -> Value:
    month, day = match["month_a"] or match["month_b"], match["day_a"] or match["day_b"]
    return _value(match, "date", _perhaps(match["year_a"] or match["year_b"]), _month(month), float(day))


def _west_month(match: re.Match[str]) -> Value:
    return _value(match, "date", _perhaps(match["year_c"]), _month(match["month_c"]), None)


def _year(match: re.Match[str]) -> Value:
    return _value(match, "date", float(match["year"]), None, None)


def _clock(match: re.Match[str]) -> Value:
    hour, half = float(match["hour"] or match["hour_only"]), match["half_a"] or match["half_b"]
    if half:
        hour = hour % _NOON + (_NOON if half == "p" else 0)
    return _value(match, "clock", hour * 60 + float(match["minute"] or 0))


def _east_clock(match: re.Match[str]) -> Value:
    hour = _number(match["east_hour"])
    if match["afternoon"] and hour < _NOON:
        hour += _NOON
    minute = 30.0 if match["half_past"] else _perhaps(match["east_minute"]) or 0.0
    return _value(match, "clock", hour * 60 + minute)


def _weekday(match: re.Match[str]) -> Value:
    sign = match["weekday_a"] or match["weekday_b"] or match["weekday_c"]
    days = (
        (place for place, signs in enumerate(SINGLE_DAYS) if sign in signs)
        if sign
        else iter([DAYS.index(match["weekday"])])
    )
    return _value(match, "weekday", float(next(days)))


def _version(match: re.Match[str]) -> Value:
    return _value(match, VERSION, *match["version_number"].split("."))


def _quantity(match: re.Match[str]) -> Value:
    written, multiple, unit = match["amount"], match["multiple"], match["unit"]
    if match["which_one"]:
        return replace(_value(match, NUMBER, _number(written)), counter=PLACE)
    if not (unit or multiple or match["sign"]) and "." in written:
        return _value(match, VERSION, *written.split("."))
    amount = _number(written) * MULTIPLES.get((multiple or "").strip(), 1)
    if match["sign"]:
        return _value(match, "money", amount, SIGNS[match["sign"]])
    return _measured(match, amount, unit) if unit else _value(match, NUMBER, amount)


def _measured(match: re.Match[str], amount: float, unit: str) -> Value:
    for pattern, kind, factor in UNITS:
        if pattern.fullmatch(unit):
            name, _, which = kind.partition(" ")
            return _value(match, name, *((amount, which) if which else (round(amount * factor, 9),)))
    counter = next((name for pattern, name in COUNTED if pattern.fullmatch(unit)), PLACE)
    return replace(_value(match, NUMBER, amount), counter=counter, counted=counter != PLACE)


_READERS: Final[dict[str, Callable[[re.Match[str]], Value]]] = {
    "iso": _iso,
    "relative_period": _period,
    "east_date": _east_date,
    "west_date": _west_date,
    "west_month": _west_month,
    "clock": _clock,
    "east_clock": _east_clock,
    "weekdays": _weekday,
    "version": _version,
    "years": _year,
    "quantity": _quantity,
}
