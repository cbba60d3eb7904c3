"""Chinese times counted from now: 上週二, 這個月底, 最近三天, 星期五."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from karte.core.moments import stretches
from karte.core.moments.languages.han import NUMBER, UNIT, count, unit
from karte.core.moments.numerals import HAN, han
from karte.core.moments.rules import NOTHING, Match, Rule, rule
from karte.core.moments.stretches import (
    Stretch,
    Unit,
    at,
    ended,
    monthly,
    nearest,
    recent,
    rolling,
    season,
    third,
    yearly,
)
from karte.core.moments.values import Anchor

_WEEKDAYS: Final = "一二三四五六日"
_SEASONS: Final = "春夏秋冬"
_WEEK: Final = "(?:週|星期|禮拜)"
_WHICH: Final = "(?P<which>(?<!一)[上下]+|(?<=一下)上+|本|這一?|今)"
_PLACES: Final = {"初": 0, "中": 1, "底": 2, "末": 2}


def _offset(match: Match) -> int:
    """上 is one back, 上上 two, 下 one on; 本, 這 and 今 are this one."""
    which = match["which"]
    return which.count("下") - which.count("上")


def _week(match: Match, anchor: Anchor) -> Stretch:
    return at(anchor, Unit.WEEK, _offset(match))


def _weekend(match: Match, anchor: Anchor) -> Stretch:
    return at(anchor, Unit.WEEKEND, _offset(match))


def _bare_weekend(_match: Match, anchor: Anchor) -> Stretch:
    return at(anchor, Unit.WEEKEND, -1)


def _number(match: Match) -> int:
    return _WEEKDAYS.index(match["weekday"].replace("天", "日"))


def _weekday_of_week(match: Match, anchor: Anchor) -> Stretch:
    return stretches.weekday(anchor, _number(match), _offset(match))


def _weekday(match: Match, anchor: Anchor) -> Stretch:
    return stretches.any_weekday(anchor, _number(match))


def _month(match: Match, anchor: Anchor) -> Stretch:
    found = at(anchor, Unit.MONTH, _offset(match))
    if match["day"]:
        return monthly(anchor, han(match["day"]), _offset(match))
    return third(found, _PLACES[match["place"]]) if match["place"] else found


def _quarter(match: Match, anchor: Anchor) -> Stretch:
    return at(anchor, Unit.QUARTER, _offset(match))


def _season(match: Match, anchor: Anchor) -> Stretch:
    number = _SEASONS.index(match["season"])
    if _offset(match) < 0:
        return ended(lambda year: season(year, number), anchor)
    if _offset(match) > 0:
        return yearly(lambda year: season(year, number), anchor, coming=True)
    return nearest(lambda year: season(year, number), anchor)


def _rolling(match: Match, anchor: Anchor) -> Stretch:
    return rolling(anchor, unit(match), count(match)[1])


def _coming(match: Match, anchor: Anchor) -> Stretch:
    return rolling(anchor, unit(match), -count(match)[1])


def _these_days(_match: Match, anchor: Anchor) -> Stretch:
    return rolling(anchor, Unit.DAY, 7)


def _days_before(match: Match, anchor: Anchor) -> Stretch:
    """前幾天: from a few days ago until yesterday."""
    found = _these_days(match, anchor)
    return Stretch(found.start, found.end - timedelta(days=1), found.kind, relative=True)


def _recent(_match: Match, anchor: Anchor) -> Stretch:
    return recent(anchor)


RULES: Final[tuple[Rule, ...]] = (
    rule(rf"(?<![早晚以之]){_WHICH}\s?一?個?\s?{_WEEK}", _week),
    rule(rf"(?<![早晚以之]){_WHICH}\s?個?\s?{_WEEK}末", _weekend),
    rule(r"(?<!每)週末", _bare_weekend),
    rule(rf"(?<![早晚以之]){_WHICH}\s?個?\s?{_WEEK}\s?(?P<weekday>[{_WEEKDAYS}天])(?![次個])", _weekday_of_week),
    rule(rf"(?<![每毎0-9一二兩三四五六七八九十幾數]){_WEEK}(?P<weekday>[{_WEEKDAYS}天])(?![次個年到至])", _weekday),
    rule(rf"{_WEEK}(?P<weekday>[{_WEEKDAYS}天])(?=[到至]\s?{_WEEK})", _weekday),
    rule(rf"[每毎][個一]?\s?(?:{_WEEK}[{_WEEKDAYS}天]?|年|月|天|日)(?:{HAN}[月日號号])*", NOTHING),
    rule(
        rf"(?<![早晚以之加馬路]){_WHICH}\s?個?月(?![亮色球])(?:份)?(?:的?(?P<place>[初中底末])|的?(?P<day>{HAN})\s?[日號号])?",
        _month,
    ),
    rule(rf"{_WHICH}一?個?季度?", _quarter),
    rule(rf"{_WHICH}一?個?(?P<season>[{_SEASONS}])[天季]", _season),
    rule(rf"(?:最近|近|過去|这|這)的?\s?{NUMBER}\s?{UNIT}(?:[以之]?[來内內])?", _rolling),
    rule(rf"(?:未來|接下來)的?\s?{NUMBER}\s?{UNIT}", _coming),
    rule(r"這些(?:天|日)", _these_days),
    rule(r"前[幾些兩](?:天|日)", _days_before),
    rule(r"(?:最近(?!的)|近來|近日|近期|前陣子|這陣子|前段時間|不久前|前不久)", _recent),
)
