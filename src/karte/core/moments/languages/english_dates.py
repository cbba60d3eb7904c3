"""English dates, months, seasons and years."""

from __future__ import annotations

import re
from functools import partial
from typing import Final

from karte.core.moments import stretches
from karte.core.moments.languages.written import BARE_YEAR, YEAR, bare_year
from karte.core.moments.numerals import ORDINAL, ordinal
from karte.core.moments.rules import NOTHING, Match, Rule, rule
from karte.core.moments.stretches import (
    Stretch,
    Unit,
    at,
    date_in,
    dates_in,
    ended,
    month,
    nearest,
    possible,
    season_of,
    yearly,
    years,
)
from karte.core.moments.values import Anchor

_NAMES: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_LONG: Final = "january|february|april|june|july|august|september|october|november|december"
_SHORT: Final = r"(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?"
_VERBS: Final = "(?-i:May|MAY|March|MARCH)"
_MONTH: Final = rf"\b(?P<month>{_LONG}|{_SHORT}|{_VERBS})"
_ANY_MONTH: Final = rf"\b(?P<month>{_LONG}|may|march)\b"
_COUNTED: Final = (
    r"(?!\s*(?:%|percent|people|persons|users|times|miles?\b|km\b|kilomet|met(?:er|re)s?\b|feet|points|dollars|euros|"
    r"steps|items|rows|lines|words|tokens|files|records|requests|cases|minutes|hours|days|weeks|months|years))"
)
"""What is counted is no day and no year: `may 8 people`, `in 2000 words`."""

_END: Final = r"(?![\d:/%]|[.,]\d|-\w)"
_DAY: Final = rf"(?P<day>{ORDINAL}|\d{{1,2}}){_END}(?!\w){_COUNTED}"
_FIRST_DAY: Final = rf"(?P<day>{ORDINAL}|\d{{1,2}})"
_SECOND_DAY: Final = rf"(?P<until>{ORDINAL}|\d{{1,2}}){_END}(?!\w)"
_IN_YEAR: Final = rf"(?:\s*,?\s*(?:of\s+|in\s+)?(?P<year>{YEAR})(?![\d-]|[.,]\d)(?!\w){_COUNTED})"
_THAT_YEAR: Final = r"(?:,?\s+(?:of\s+|in\s+)?(?P<that>last|this|next)\s+year\b)"
_YEARS: Final = rf"(?:{_IN_YEAR}|{_THAT_YEAR})"
_SEASON: Final = r"\b(?P<season>spring|summer|autumn|fall|winter)\b"
_SEASONS: Final = {"spring": 0, "summer": 1, "autumn": 2, "fall": 2, "winter": 3}
_OFFSETS: Final = {"last": -1, "this": 0, "next": 1}
_TO: Final = r"\s*(?:to|through|thru|until|till|up\s+to|[-–—~])\s*(?:the\s+)?"
_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAY_NAME: Final = "|".join(_WEEKDAYS)

_IN: Final = re.compile(
    r"\b(?:in|during|since|until|till|throughout|through|by|of|for|from|to|before|after|over|around|circa|early|mid|late"
    r"|between|and)[\s-]+(?:the\s+(?:year\s+)?)?$",
    re.IGNORECASE,
)
_ONLY_IN: Final = re.compile(
    r"\b(?:in|during|since|until|till|throughout|early|mid|late)[\s-]+(?:early\s+|mid[\s-]|late\s+)?$", re.IGNORECASE
)
_ON: Final = re.compile(r"\b(?:on|since|until|till|from|between|before|after|of)\s+(?:the\s+)?$", re.IGNORECASE)
_IN_SEASON: Final = re.compile(r"\b(?:in|during|over|since|until|throughout)\s+(?:the\s+)?$", re.IGNORECASE)
_IN_THE: Final = re.compile(r"\b(?:in|during|over|since|until|throughout)\s+the\s+$", re.IGNORECASE)


def _number(match: Match) -> int:
    return _NAMES.index(match["month"][:3].lower()) + 1


def _year(match: Match, anchor: Anchor) -> int | None:
    """The year that is named, in digits or as last, this or next one."""
    named = match.groupdict()
    if named.get("that"):
        return anchor.now.year + _OFFSETS[named["that"].lower()]
    return int(named["year"]) if named.get("year") else None


def _date(match: Match, anchor: Anchor) -> Stretch:
    of_year = partial(date_in, _number(match), ordinal(match["day"]))
    year = _year(match, anchor)
    return yearly(of_year, anchor) if year is None else of_year(year)


def _days(match: Match, anchor: Anchor) -> Stretch:
    of_year = partial(dates_in, _number(match), ordinal(match["day"]), ordinal(match["until"]))
    year = _year(match, anchor)
    return yearly(of_year, anchor) if year is None else of_year(year)


def _month(match: Match, anchor: Anchor) -> Stretch:
    year, number = _year(match, anchor), _number(match)
    return yearly(lambda each: month(each, number), anchor) if year is None else month(year, number)


def _which(match: Match) -> str:
    return match["which"].lower().split()[-1]


def _that_month(match: Match, anchor: Anchor) -> Stretch:
    number = _number(match)
    if (which := _which(match)) == "this":
        return month(anchor.now.year, number)
    if which in {"last", "past", "previous"}:
        return ended(lambda each: month(each, number), anchor)
    return yearly(lambda each: month(each, number), anchor, coming=True)


def _that_season(match: Match, anchor: Anchor) -> Stretch:
    number = _SEASONS[match["season"].lower()]
    of_year = partial(stretches.season, number=number)
    if (which := _which(match)) == "this":
        return nearest(of_year, anchor)
    if which in {"last", "past", "previous"}:
        return ended(of_year, anchor)
    return yearly(of_year, anchor, coming=True)


def _season(match: Match, anchor: Anchor) -> Stretch:
    year, number = _year(match, anchor), _SEASONS[match["season"].lower()]
    return yearly(partial(stretches.season, number=number), anchor) if year is None else season_of(year, number)


def _decade(match: Match, _anchor: Anchor) -> Stretch:
    return years(int(match[1]), 10)


def _quarter(match: Match, anchor: Anchor) -> Stretch:
    year, number = _year(match, anchor), {"last": 4}.get(match["number"].lower()) or int(ordinal(match["number"]))
    if not 1 <= number <= 4:  # noqa: PLR2004 - a year has four quarters
        raise ValueError(number)
    return (
        yearly(partial(stretches.quarter, number=number), anchor) if year is None else stretches.quarter(year, number)
    )


def _short_quarter(match: Match, anchor: Anchor) -> Stretch:
    return yearly(partial(stretches.quarter, number=int(match["number"])), anchor)


def _half(match: Match, anchor: Anchor) -> Stretch:
    number = 1 if match["number"].lower() == "first" else 2
    return stretches.half(_year(match, anchor) or anchor.now.year, number)


def _week_of(match: Match, anchor: Anchor) -> Stretch:
    """The first week of a month is its first seven days."""
    of, last = _month(match, anchor), match["place"].lower() == "last"
    start = stretches.week(of.start).moved((ordinal(match["place"]) - 1) * (stretches.week(of.start).end - of.start))
    if last:
        start = stretches.week(of.start).moved(of.end - stretches.week(of.start).end)
    return start if start.start < of.end else of


def _weekday_date(match: Match, anchor: Anchor) -> Stretch:
    """A day of the month with its weekday: the year next to the anchor in which both are so, if any."""
    of_year, number = partial(date_in, _number(match), ordinal(match["day"])), _WEEKDAYS.index(match["weekday"].lower())
    around = range(anchor.now.year - 7, anchor.now.year + 2)
    fitting = [each for year in around if (each := possible(of_year, year)) and each.start.weekday() == number]
    return min(fitting, key=lambda each: abs(each.start - anchor.now)) if fitting else yearly(of_year, anchor)


def _monthly(match: Match, anchor: Anchor) -> Stretch:
    return stretches.monthly(anchor, ordinal(match["day"]))


def _that_year(match: Match, anchor: Anchor) -> Stretch:
    return at(anchor, Unit.YEAR, _OFFSETS[match["that"].lower()])


_WHICH: Final = r"\b(?P<which>(?:this\s+)?(?:last|past|previous|next|coming|upcoming)|this)\s+"
_NO_VERB: Final = (
    r"(?=\s*(?:[?!.,;:)\d]|$)|\s+(?:did|do|what|who|which|how|when|where|we|i|you|he|she|they|of|and|or|to|through|"
    r"until|with|at|on|for|last|this|next)\b)"
)
"""After `may` as a month there is no verb, as there is after the modal."""


RULES: Final[tuple[Rule, ...]] = (
    rule(rf"{_MONTH}\s+(?:the\s+)?{_DAY}{_YEARS}?", _date),
    rule(rf"\b(?P<month>may|march)\s+(?:the\s+)?{_DAY}{_YEARS}", _date),
    rule(rf"\b(?P<month>may|march)\s+(?:the\s+)?(?P<day>{ORDINAL})(?!\s+\w+s\b)", _date),
    rule(rf"\b(?P<month>may|march)\s+{_DAY}", _date, _ON),
    rule(rf"(?<![\d.,:/#-])\b{_DAY}(?:\s+day)?\s+(?:of\s+)?{_MONTH}{_YEARS}?", _date),
    rule(rf"(?<![\d.,:/#-])\b{_DAY}(?:\s+of)?\s+(?P<month>may|march)\b{_YEARS}", _date),
    rule(rf"(?<![\d.,:/#-])\b{_DAY}(?:\s+of)?\s+(?P<month>may|march)\b{_NO_VERB}", _date, _ON),
    rule(rf"\b(?P<weekday>{_WEEKDAY_NAME}),?\s+(?:the\s+)?{_MONTH}\s+(?:the\s+)?{_DAY}(?!,?\s*{YEAR})", _weekday_date),
    rule(rf"\b(?P<weekday>{_WEEKDAY_NAME}),?\s+(?:the\s+)?{_DAY}\s+(?:of\s+)?{_MONTH}(?!,?\s*{YEAR})", _weekday_date),
    rule(rf"\b(?:{_WEEKDAY_NAME}),?\s+(?:the\s+)?{_MONTH}\s+(?:the\s+)?{_DAY}{_IN_YEAR}", _date),
    rule(rf"\b(?:{_WEEKDAY_NAME}),?\s+(?:the\s+)?{_DAY}\s+(?:of\s+)?{_MONTH}{_IN_YEAR}", _date),
    rule(
        rf"{_MONTH}\s+(?:the\s+)?{_FIRST_DAY}{_TO}{_SECOND_DAY}{_COUNTED}{_YEARS}?(?!\s*(?:{_LONG}|may\b|march\b))",
        _days,
    ),
    rule(rf"\bbetween\s+{_MONTH}\s+(?:the\s+)?{_DAY}\s+and\s+(?:the\s+)?{_SECOND_DAY}{_YEARS}?(?!\s+of\b)", _days),
    rule(rf"(?<![\d.,:/#-])\b{_FIRST_DAY}{_TO}{_SECOND_DAY}\s+(?:of\s+)?{_MONTH}{_YEARS}?", _days),
    rule(rf"\bbetween\s+(?:the\s+)?{_DAY}\s+and\s+(?:the\s+)?{_SECOND_DAY}\s+(?:of\s+)?{_MONTH}{_YEARS}?", _days),
    rule(rf"{_MONTH}{_YEARS}", _month),
    rule(rf"\b(?P<month>may|march){_YEARS}", _month),
    rule(r"\b(?P<month>january|february|july|september|october|november|december)\b", _month, _IN),
    rule(rf"\b(?P<month>april|june|august|{_VERBS}|(?-i:march)|{_SHORT})(?!\w)", _month, _ONLY_IN),
    rule(rf"\b(?P<month>(?-i:may))(?!\w){_NO_VERB}", _month, _ONLY_IN),
    rule(rf"{_WHICH}{_MONTH}", _that_month),
    rule(r"\bthe\s+last\s+march\b", NOTHING),
    rule(rf"\b(?P<place>first|second|third|fourth|last)\s+week\s+(?:of|in)\s+{_ANY_MONTH}{_YEARS}?", _week_of),
    rule(r"\bon\s+the\s+(?P<day>\d{1,2}(?:st|nd|rd|th))(?=\s*(?:[?!.,;]|$))", _monthly),
    rule(rf"{_WHICH}{_SEASON}", _that_season),
    rule(rf"{_SEASON}{_YEARS}", _season),
    rule(rf"\b(?P<that>last|this|next)\s+year(?:'s)?\s+{_SEASON}", _season),
    rule(rf"\b(?P<that>last|this|next)\s+year(?:'s)?\s+{_ANY_MONTH}", _month),
    rule(r"\b(?P<season>summer|autumn|winter)\b", _season, _IN_SEASON),
    rule(r"\b(?P<season>spring)\b(?!\s+(?:boot|framework|mvc|security|cloud|data|cleaning))", _season, _IN_SEASON),
    rule(r"\b(?P<season>fall)\b", _season, _IN_THE),
    rule(r"\b(?:the\s+)?((?:19|20)\d0)'?s\b", _decade),
    rule(rf"\b(?P<number>first|second|third|fourth|last|1st|2nd|3rd|4th)\s+quarter{_YEARS}", _quarter),
    rule(r"(?<![\w-])Q(?P<number>[1-4])\b", _short_quarter, _ONLY_IN),
    rule(rf"\b(?P<number>first|second)\s+half{_YEARS}", _half),
    rule(r"\b(?P<that>last|this|next)\s+year\b", _that_year),
    rule(rf"\bthe\s+year\s+({YEAR})(?!\d|[.-]\d){_COUNTED}", bare_year),
    rule(rf"(?<![\w.,:/#$€£-])({BARE_YEAR})(?![\w%:/]|[.,-]\d){_COUNTED}", bare_year, _IN),
)
