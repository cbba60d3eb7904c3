"""Dates in digits, as every language writes them."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Final

from karte.core.moments.rules import Match, Rule, rule
from karte.core.moments.stretches import Stretch, day, half, month, quarter, week, years
from karte.core.moments.values import Anchor

YEAR: Final = r"(?:1\d|20)\d\d"
BARE_YEAR: Final = r"(?:19|20)\d\d"
"""A number that is a year with nothing but a preposition beside it."""

_BEFORE: Final = r"(?<![\w.:/-])"
_AFTER: Final = r"(?![\w:/]|[.-]\d)"
_MONTHS: Final = 12


def _iso(match: Match, _anchor: Anchor) -> Stretch:
    return day(date(int(match[1]), int(match[2]), int(match[3])))


def _month(match: Match, _anchor: Anchor) -> Stretch:
    return month(int(match[1]), int(match[2]))


def _iso_week(match: Match, _anchor: Anchor) -> Stretch:
    return week(day(date.fromisocalendar(int(match[1]), int(match[2]), 1)).start)


def _quarter(match: Match, _anchor: Anchor) -> Stretch:
    return quarter(int(match["year"]), int(match["number"]))


def _half(match: Match, _anchor: Anchor) -> Stretch:
    return half(int(match["year"]), int(match["number"]))


def _year_last(match: Match, _anchor: Anchor) -> Stretch:
    """A date with its year last: where both orders of day and month are possible, both are meant."""
    first, second, year = int(match[1]), int(match[2]), int(match[3])
    orders = [(month, on) for month, on in ((first, second), (second, first)) if month <= _MONTHS]
    readings = [day(date(year, month, on)) for month, on in orders]
    return replace(readings[0], others=tuple(readings[1:2])) if readings else day(date(year, first, second))


def bare_year(match: Match, _anchor: Anchor) -> Stretch:
    """A year by its number."""
    return years(int(match[1]))


RULES: Final[tuple[Rule, ...]] = (
    rule(rf"{_BEFORE}({YEAR})-(\d\d)-(\d\d)(?:(?=T\d)|{_AFTER})", _iso),
    rule(rf"{_BEFORE}({YEAR})/(\d\d?)/(\d\d?){_AFTER}", _iso),
    rule(rf"{_BEFORE}({YEAR})\.\s(\d\d?)\.\s(\d\d?)(?:\.(?!\d)|{_AFTER})", _iso),
    rule(rf"{_BEFORE}({YEAR})[-/](0[1-9]|1[0-2]){_AFTER}", _month),
    rule(rf"{_BEFORE}({YEAR})-?W([0-5]\d){_AFTER}", _iso_week),
    rule(rf"{_BEFORE}Q(?P<number>[1-4])\s?(?:/\s?|,\s?|of\s|in\s)?(?P<year>{YEAR}){_AFTER}", _quarter),
    rule(rf"{_BEFORE}(?P<year>{YEAR})[\s-]?Q(?P<number>[1-4]){_AFTER}", _quarter),
    rule(rf"{_BEFORE}H(?P<number>[12])\s(?:of\s)?(?P<year>{YEAR}){_AFTER}", _half),
    rule(rf"{_BEFORE}(\d\d?)/(\d\d?)/({YEAR}){_AFTER}", _year_last),
    rule(rf"{_BEFORE}(\d\d?)\.\s?(\d\d?)\.\s?({YEAR}){_AFTER}", _year_last),
)
