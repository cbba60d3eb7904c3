"""Japanese times counted from now: 先週の火曜日, 先月, 過去3日間, 数日前."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from karte.core.moments import stretches
from karte.core.moments.languages.han import NUMBER, UNIT, count, unit
from karte.core.moments.numerals import HAN, han
from karte.core.moments.rules import NOTHING, Match, Rule, any_of, rule, table
from karte.core.moments.stretches import Stretch, Unit, at, ended, monthly, recent, rolling, season, third, yearly
from karte.core.moments.values import Anchor

_WEEKDAYS: Final = "月火水木金土日"
_SEASONS: Final = "春夏秋冬"
_WEEKS: Final = table({"先々週": -2, "先先週": -2, "先週": -1, "今週": 0, "来週": 1, "再来週": 2})
_MONTHS: Final = table({"先々月": -2, "先先月": -2, "先月": -1, "今月": 0, "来月": 1, "再来月": 2})
_PLACES: Final = table({"初め": 0, "初": 0, "上旬": 0, "半ば": 1, "中旬": 1, "末": 2, "下旬": 2, "終わり": 2})
_WEEKDAY: Final = rf"(?P<weekday>[{_WEEKDAYS}])曜日?"


def _number(match: Match) -> int:
    return _WEEKDAYS.index(match["weekday"])


def _week(match: Match, anchor: Anchor) -> Stretch:
    return at(anchor, Unit.WEEK, _WEEKS[match["week"]])


def _weekend(match: Match, anchor: Anchor) -> Stretch:
    return at(anchor, Unit.WEEKEND, _WEEKS[match["week"]])


def _weekday_of_week(match: Match, anchor: Anchor) -> Stretch:
    return stretches.weekday(anchor, _number(match), _WEEKS[match["week"]])


def _last_weekday(match: Match, anchor: Anchor) -> Stretch:
    return stretches.last_weekday(anchor, _number(match))


def _next_weekday(match: Match, anchor: Anchor) -> Stretch:
    return stretches.next_weekday(anchor, _number(match))


def _weekday(match: Match, anchor: Anchor) -> Stretch:
    return stretches.any_weekday(anchor, _number(match))


def _month(match: Match, anchor: Anchor) -> Stretch:
    offset = _MONTHS[match["month"]]
    if match["day"]:
        return monthly(anchor, han(match["day"]), offset)
    found = at(anchor, Unit.MONTH, offset)
    return third(found, _PLACES[match["place"]]) if match["place"] else found


def _last_season(match: Match, anchor: Anchor) -> Stretch:
    number = _SEASONS.index(match["season"])
    return ended(lambda year: season(year, number), anchor)


def _next_season(match: Match, anchor: Anchor) -> Stretch:
    number = _SEASONS.index(match["season"])
    return yearly(lambda year: season(year, number), anchor, coming=True)


def _rolling(match: Match, anchor: Anchor) -> Stretch:
    return rolling(anchor, unit(match), count(match)[1])


def _coming(match: Match, anchor: Anchor) -> Stretch:
    return rolling(anchor, unit(match), -count(match)[1])


def _other_day(_match: Match, anchor: Anchor) -> Stretch:
    return replace(rolling(anchor, Unit.WEEK, 1), end=anchor.today)


def _recent(_match: Match, anchor: Anchor) -> Stretch:
    return recent(anchor)


RULES: Final[tuple[Rule, ...]] = (
    rule(rf"(?P<week>{any_of(_WEEKS)})", _week),
    rule(rf"(?P<week>{any_of(_WEEKS)})の?(?:週末|末)", _weekend),
    rule(rf"(?P<week>{any_of(_WEEKS)})の?\s?{_WEEKDAY}", _weekday_of_week),
    rule(rf"(?:この)?(?:前|間)の\s?{_WEEKDAY}", _last_weekday),
    rule(rf"(?:次|今度)の\s?{_WEEKDAY}", _next_weekday),
    rule(_WEEKDAY, _weekday),
    rule(rf"毎週の?(?:{_WEEKDAY})?|毎[日月年]", NOTHING),
    rule(
        rf"(?P<month>{any_of(_MONTHS)})(?:の?(?P<place>{any_of(_PLACES)})|の?\s?(?P<day>{HAN})\s?日(?!間))?",
        _month,
    ),
    rule(rf"(?:この前|前回|昨)の\s?(?P<season>[{_SEASONS}])", _last_season),
    rule(rf"(?:次|今度)の\s?(?P<season>[{_SEASONS}])", _next_season),
    rule(rf"(?:過去|最近の?|直近の?|ここ|この)\s?{NUMBER}\s?{UNIT}", _rolling),
    rule(rf"(?:今後|向こう|これから)\s?{NUMBER}\s?{UNIT}", _coming),
    rule(r"(?:先日|この間|こないだ)(?!の\s?[月火水木金土日]曜)", _other_day),
    rule(r"(?:最近(?!的)|近頃|近ごろ|このごろ|この頃|つい先日)", _recent),
)
