"""What Chinese and Japanese write alike: 2023年5月8日, 去年冬天, 昨日, 三天前."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from karte.core.moments import stretches
from karte.core.moments.numerals import HAN, SOME, han
from karte.core.moments.rules import Match, Rule, any_of, rule, table
from karte.core.moments.stretches import (
    Part,
    Stretch,
    Unit,
    ago,
    at,
    date_in,
    dates_in,
    half,
    month,
    part_of,
    third,
    yearly,
    years,
)
from karte.core.moments.values import Anchor

_YEARS: Final = table(
    {
        "大前年": -3,
        "前年": -2,
        "一昨年": -2,
        "おととし": -2,
        "去年": -1,
        "昨年": -1,
        "今年": 0,
        "本年": 0,
        "明年": 1,
        "来年": 1,
        "後年": 2,
        "再来年": 2,
    }
)
_DAYS: Final = table(
    {
        "大前天": -3,
        "前天": -2,
        "一昨日": -2,
        "おととい": -2,
        "昨天": -1,
        "昨日": -1,
        "きのう": -1,
        "今天": 0,
        "今日": 0,
        "きょう": 0,
        "本日": 0,
        "明天": 1,
        "明日": 1,
        "あした": 1,
        "後天": 2,
        "明後日": 2,
        "あさって": 2,
        "大後天": 3,
    }
)
PARTS: Final = table(
    {
        "凌晨": Part(0, 6),
        "清晨": Part(4, 9),
        "早晨": Part(4, 12),
        "早上": Part(4, 12),
        "上午": Part(0, 12),
        "午前": Part(0, 12),
        "朝": Part(4, 12),
        "中午": Part(11, 14),
        "昼": Part(11, 14),
        "下午": Part(12, 18),
        "午後": Part(12, 18),
        "傍晚": Part(16, 20),
        "夕方": Part(16, 20),
        "晚上": Part(18, 30),
        "夜裡": Part(18, 30),
        "晩": Part(18, 30),
        "夜": Part(18, 30),
        "深夜": Part(21, 30),
        "半夜": Part(21, 30),
        "夜中": Part(21, 30),
    }
)
_PARTS_OF: Final = table(
    {
        "今早": (0, "朝"),
        "今晨": (0, "朝"),
        "今朝": (0, "朝"),
        "今晚": (0, "夜"),
        "今晩": (0, "夜"),
        "今夜": (0, "夜"),
        "昨晚": (-1, "夜"),
        "昨晩": (-1, "夜"),
        "昨夜": (-1, "夜"),
        "ゆうべ": (-1, "夜"),
        "前晚": (-2, "夜"),
        "明早": (1, "朝"),
        "明朝": (1, "朝"),
        "明晚": (1, "夜"),
        "明晩": (1, "夜"),
    }
)
_UNITS: Final = table(
    {
        "分": Unit.MINUTE,
        "小": Unit.HOUR,
        "時": Unit.HOUR,
        "鐘": Unit.HOUR,
        "天": Unit.DAY,
        "日": Unit.DAY,
        "週": Unit.WEEK,
        "星": Unit.WEEK,
        "禮": Unit.WEEK,
        "月": Unit.MONTH,
        "季": Unit.QUARTER,
        "年": Unit.YEAR,
    }
)
_ERAS: Final = {"令和": 2018, "平成": 1988, "昭和": 1925}
_SEASONS: Final = "春夏秋冬"
_PLACES: Final = table({"初": 0, "上旬": 0, "中": 1, "中旬": 1, "底": 2, "末": 2, "下旬": 2})

NOT_AFTER_NUMBER: Final = "(?<![0-9.〇零一二三四五六七八九十百第每毎個数幾年/])"
_YEAR: Final = (
    rf"(?:(?<!\d)(?P<year>(?:1\d|20)\d\d)\s?年|(?P<digits>[〇零一二三四五六七八九]{{4}})年"
    rf"|(?P<era>令和|平成|昭和)(?P<in_era>\d{{1,2}}|元)年|(?P<word>{any_of(_YEARS)}))"
)
_OF: Final = r"\s?[的の]?\s?"
_MONTH: Final = r"(?P<month>1[0-2]|0?[1-9]|十[一二]|[一二三四五六七八九十正])月(?:份|分)?"
_DAY: Final = r"(?P<day>[12]\d|3[01]|0?[1-9]|[二三]?十[一二三四五六七八九]?|[一二三四五六七八九])\s?[日號号]?(?!\d)"
_SURE_DAY: Final = _DAY.replace("[日號号]?", "[日號号](?!間)")
_UNTIL_DAY: Final = _SURE_DAY.replace("<day>", "<until>")
_TO: Final = r"\s?(?:到|至|から|[-–—~〜])\s?"
_UNTIL: Final = r"(?:まで|為止|之間|の間)?"
UNIT: Final = r"(?:[個か箇ヶケヵカ]\s?(?P<months>月)|(?P<unit>分鐘|分|小時|時間|個小時|個鐘頭|鐘頭|天|日|週|個?星期|個?禮拜|季度|年))(?:間|半)?"
"""What is counted; a month needs its counter, for 三月 is March."""

NUMBER: Final = rf"(?P<count>{HAN}|[幾数]|好幾)"


def unit(match: Match) -> Unit:
    """The unit that is counted."""
    name = (match["unit"] or "月").removeprefix("个")
    return _UNITS[name[0]]


def count(match: Match) -> tuple[int, int]:
    """How many, from and to."""
    return SOME if match["count"][-1] in "几数" else (han(match["count"]),) * 2


def year_of(match: Match, anchor: Anchor) -> int | None:
    """The year that is named in some way."""
    named = match.groupdict()
    if named.get("year"):
        return int(named["year"])
    if named.get("digits"):
        return han(named["digits"])
    if named.get("era"):
        return _ERAS[named["era"]] + (1 if named["in_era"] == "元" else int(named["in_era"]))
    return anchor.now.year + _YEARS[named["word"]] if named.get("word") else None


def _month_number(match: Match) -> int:
    return 1 if match["month"] == "正" else han(match["month"])


def _placed(match: Match, anchor: Anchor, of_year: Callable[[int], Stretch]) -> Stretch:
    year = year_of(match, anchor)
    return yearly(of_year, anchor) if year is None else of_year(year)


def _date(match: Match, anchor: Anchor) -> Stretch:
    return _placed(match, anchor, partial(date_in, _month_number(match), han(match["day"])))


def _days(match: Match, anchor: Anchor) -> Stretch:
    return _placed(match, anchor, partial(dates_in, _month_number(match), han(match["day"]), han(match["until"])))


def _month(match: Match, anchor: Anchor) -> Stretch:
    number = _month_number(match)
    return _placed(match, anchor, lambda year: month(year, number))


def _part_of_month(match: Match, anchor: Anchor) -> Stretch:
    return third(_month(match, anchor), _PLACES[match["place"]])


def _year(match: Match, anchor: Anchor) -> Stretch:
    return years(year_of(match, anchor) or anchor.now.year)


def _part_of_year(match: Match, anchor: Anchor) -> Stretch:
    return third(_year(match, anchor), _PLACES[match["place"]])


def _season(match: Match, anchor: Anchor) -> Stretch:
    return stretches.season_of(year_of(match, anchor) or anchor.now.year, _SEASONS.index(match["season"]))


def _short_season(match: Match, anchor: Anchor) -> Stretch:
    """今夏, 去冬: of this year or the last one."""
    offset = 0 if match["short"] == "今" else -1
    return stretches.season_of(anchor.now.year + offset, _SEASONS.index(match["season"]))


def _quarter(match: Match, anchor: Anchor) -> Stretch:
    number = han(match["number"])
    return _placed(match, anchor, lambda year: stretches.quarter(year, number))


def _half(match: Match, anchor: Anchor) -> Stretch:
    return half(year_of(match, anchor) or anchor.now.year, 1 if match["half"] == "上" else 2)


def _day_word(match: Match, anchor: Anchor) -> Stretch:
    return at(anchor, Unit.DAY, _DAYS[match[0]])


def _part_word(match: Match, anchor: Anchor) -> Stretch:
    offset, name = _PARTS_OF[match[0]]
    return part_of(at(anchor, Unit.DAY, offset), PARTS[name])


def _ago(match: Match, anchor: Anchor) -> Stretch:
    return ago(anchor, unit(match), count(match))


def _half_ago(match: Match, anchor: Anchor) -> Stretch:
    return at(anchor, Unit.MONTH, -6) if match[0][1] == "年" else at(anchor, Unit.DAY, -15)


def _decade(match: Match, _anchor: Anchor) -> Stretch:
    number = han(match[1])
    return years(number if number > 99 else 1900 + number, 10)  # noqa: PLR2004 - 90年代 has no century


def _part(match: Match, _anchor: Anchor) -> Part:
    return PARTS[match[0]]


RULES: Final[tuple[Rule, ...]] = (
    rule(rf"{_YEAR}{_OF}{_MONTH}\s?{_DAY}", _date),
    rule(rf"{NOT_AFTER_NUMBER}{_MONTH}\s?{_SURE_DAY}", _date),
    rule(rf"{_YEAR}{_OF}{_MONTH}\s?{_DAY}{_TO}{_UNTIL_DAY}{_UNTIL}", _days),
    rule(rf"{NOT_AFTER_NUMBER}{_MONTH}\s?{_DAY}{_TO}{_UNTIL_DAY}{_UNTIL}", _days),
    rule(rf"{_YEAR}{_OF}{_MONTH}", _month),
    rule(rf"{NOT_AFTER_NUMBER}{_MONTH}(?![天\d])", _month),
    rule(rf"(?:{_YEAR}{_OF}|{NOT_AFTER_NUMBER}){_MONTH}(?:的|の)?(?P<place>{any_of(_PLACES)})", _part_of_month),
    rule(rf"{_YEAR}(?!\s?{HAN}?(?:級|级|版|生まれ))", _year),
    rule(rf"{_YEAR}[的の]?年?(?P<place>[初底末中])(?![国國學学文])", _part_of_year),
    rule(rf"{_YEAR}{_OF}(?P<season>[{_SEASONS}])[天季]?(?![節节])", _season),
    rule(rf"(?<![0-9])(?P<short>[今去昨])(?P<season>[{_SEASONS}])", _short_season),
    rule(rf"{_YEAR}{_OF}第?\s?(?P<number>[1-4一二三四])\s?(?:季度?|四半期)", _quarter),
    rule(r"第\s?(?P<number>[1-4一二三四])\s?(?:季度|四半期)", _quarter),
    rule(rf"{_YEAR}{_OF}(?P<half>[上下])半(?:年|期)", _half),
    rule(any_of(_DAYS), _day_word),
    rule(any_of(_PARTS_OF), _part_word),
    rule(rf"(?<![0-9.第]){NUMBER}\s?{UNIT}\s?(?:[之以])?前", _ago),
    rule(r"半[年個か][月]?\s?(?:[之以])?前", _half_ago),
    rule(r"(?<!\d)((?:19|20)\d0|[1-9]0|[二三四五六七八九]十)年代", _decade),
    rule(any_of(PARTS), _part),
)
