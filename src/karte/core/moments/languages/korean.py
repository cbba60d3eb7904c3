"""Korean times: 2023년 5월 8일, 지난주 화요일, 3일 전, 작년 겨울."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

from karte.core.moments import stretches
from karte.core.moments.numerals import HANGUL, SOME, hangul
from karte.core.moments.rules import NOTHING, Match, Rule, any_of, rule
from karte.core.moments.stretches import (
    Part,
    Stretch,
    Unit,
    ago,
    at,
    date_in,
    dates_in,
    ended,
    half,
    month,
    monthly,
    nearest,
    part_of,
    recent,
    rolling,
    season,
    season_of,
    third,
    yearly,
    years,
)
from karte.core.moments.values import Anchor

_WEEKDAYS: Final = "월화수목금토일"
_SEASONS: Final = ("봄", "여름", "가을", "겨울")
_YEARS: Final = {"재작년": -2, "작년": -1, "지난해": -1, "올해": 0, "금년": 0, "내년": 1, "내후년": 2}
_DAYS: Final = {
    "그끄저께": -3,
    "그저께": -2,
    "그제": -2,
    "엊그제": -2,
    "엊그저께": -2,
    "어제": -1,
    "오늘": 0,
    "내일": 1,
    "모레": 2,
    "글피": 3,
}
_NATIVE_DAYS: Final = {
    "하루": 1,
    "이틀": 2,
    "사흘": 3,
    "나흘": 4,
    "닷새": 5,
    "엿새": 6,
    "이레": 7,
    "여드레": 8,
    "아흐레": 9,
    "열흘": 10,
    "보름": 15,
}
_OFFSETS: Final = {
    "저저번": -2,
    "지지난": -2,
    "저번": -1,
    "지난": -1,
    "이번": 0,
    "다음": 1,
    "다다음": 2,
    "금": 0,
    "이": 0,
}
_PARTS: Final = {
    "새벽": Part(0, 6),
    "아침": Part(4, 12),
    "오전": Part(0, 12),
    "점심": Part(11, 14),
    "오후": Part(12, 18),
    "저녁": Part(17, 22),
    "밤": Part(18, 30),
}
_PARTS_OF: Final = {"어젯밤": -1, "간밤": -1, "지난밤": -1, "오늘밤": 0}
_UNITS: Final = {
    "분": Unit.MINUTE,
    "시간": Unit.HOUR,
    "일": Unit.DAY,
    "주": Unit.WEEK,
    "주일": Unit.WEEK,
    "개월": Unit.MONTH,
    "달": Unit.MONTH,
    "분기": Unit.QUARTER,
    "년": Unit.YEAR,
    "해": Unit.YEAR,
}
_PLACES: Final = {"초": 0, "중순": 1, "말": 2}

_YEAR: Final = rf"(?:(?<!\d)(?P<year>(?:1\d|20)\d\d)\s?년도?|(?P<word>{any_of(_YEARS)}))"
_OF: Final = r"(?:의)?\s?"
_MONTH: Final = r"(?P<month>1[0-2]|0?[1-9])\s?월"
_DAY: Final = r"(?P<day>[12]\d|3[01]|0?[1-9])\s?일"
_TO: Final = r"\s?(?:부터|에서|[-–—~〜])\s?"
_UNTIL: Final = _DAY.replace("<day>", "<until>")
_FREE: Final = r"(?<![\d.\uac00-\ud7a3])"
_COUNT: Final = rf"(?P<count>{HANGUL}|몇|수)"
_UNIT: Final = r"(?P<unit>분기|분|시간|주일|일|주|개월|달|년|해)"
_NATIVE: Final = rf"(?P<native>{any_of(_NATIVE_DAYS)})"
_WHICH: Final = rf"(?P<which>{any_of(_OFFSETS)})\s?"
_WEEK_ENDS: Final = r"(?=\s|[에의는은도까부동]|[?.!,~]|$)"
_SEASON: Final = rf"(?P<season>{any_of(_SEASONS)})"


def _year_of(match: Match, anchor: Anchor) -> int | None:
    named = match.groupdict()
    if named.get("year"):
        return int(named["year"])
    return anchor.now.year + _YEARS[named["word"]] if named.get("word") else None


def _placed(match: Match, anchor: Anchor, of_year: Callable[[int], Stretch]) -> Stretch:
    year = _year_of(match, anchor)
    return yearly(of_year, anchor) if year is None else of_year(year)


def _date(match: Match, anchor: Anchor) -> Stretch:
    return _placed(match, anchor, partial(date_in, int(match["month"]), int(match["day"])))


def _days(match: Match, anchor: Anchor) -> Stretch:
    return _placed(match, anchor, partial(dates_in, int(match["month"]), int(match["day"]), int(match["until"])))


def _month(match: Match, anchor: Anchor) -> Stretch:
    number = int(match["month"])
    found = _placed(match, anchor, lambda year: month(year, number))
    place = match.groupdict().get("place")
    return third(found, _PLACES[place]) if place else found


def _year(match: Match, anchor: Anchor) -> Stretch:
    found = years(_year_of(match, anchor) or anchor.now.year)
    place = match.groupdict().get("place")
    return third(found, _PLACES[place]) if place else found


def _season(match: Match, anchor: Anchor) -> Stretch:
    return season_of(_year_of(match, anchor) or anchor.now.year, _SEASONS.index(match["season"]))


def _that_season(match: Match, anchor: Anchor) -> Stretch:
    number, offset = _SEASONS.index(match["season"]), _OFFSETS[match["which"]]
    if offset < 0:
        return ended(lambda year: season(year, number), anchor)
    if offset > 0:
        return yearly(lambda year: season(year, number), anchor, coming=True)
    return nearest(lambda year: season(year, number), anchor)


def _quarter(match: Match, anchor: Anchor) -> Stretch:
    number = int(match["number"])
    return _placed(match, anchor, lambda year: stretches.quarter(year, number))


def _half(match: Match, anchor: Anchor) -> Stretch:
    return half(_year_of(match, anchor) or anchor.now.year, 1 if match["half"] == "상" else 2)


def _day_word(match: Match, anchor: Anchor) -> Stretch:
    return at(anchor, Unit.DAY, _DAYS[match["day"]])


def _part_word(match: Match, anchor: Anchor) -> Stretch:
    return part_of(at(anchor, Unit.DAY, _PARTS_OF[match["night"]]), _PARTS["밤"])


def _count(match: Match) -> tuple[int, int]:
    return SOME if match["count"] in {"몇", "수"} else (hangul(match["count"]),) * 2


def _ago(match: Match, anchor: Anchor) -> Stretch:
    return ago(anchor, _UNITS[match["unit"]], _count(match))


def _native_ago(match: Match, anchor: Anchor) -> Stretch:
    return at(anchor, Unit.DAY, -_NATIVE_DAYS[match["native"]])


def _some_days_ago(_match: Match, anchor: Anchor) -> Stretch:
    return ago(anchor, Unit.DAY, SOME)


def _half_year_ago(_match: Match, anchor: Anchor) -> Stretch:
    return at(anchor, Unit.MONTH, -6)


def _rolling(match: Match, anchor: Anchor) -> Stretch:
    if match.groupdict().get("native"):
        return rolling(anchor, Unit.DAY, _NATIVE_DAYS[match["native"]])
    return rolling(anchor, _UNITS[match["unit"]], _count(match)[1])


def _coming(match: Match, anchor: Anchor) -> Stretch:
    return rolling(anchor, _UNITS[match["unit"]], -_count(match)[1])


def _week(match: Match, anchor: Anchor) -> Stretch:
    return at(anchor, Unit.WEEK, _OFFSETS[match["which"]])


def _weekend(match: Match, anchor: Anchor) -> Stretch:
    return at(anchor, Unit.WEEKEND, _OFFSETS[match["which"]])


def _bare_weekend(_match: Match, anchor: Anchor) -> Stretch:
    return at(anchor, Unit.WEEKEND, -1)


def _weekday_of_week(match: Match, anchor: Anchor) -> Stretch:
    return stretches.weekday(anchor, _WEEKDAYS.index(match["weekday"]), _OFFSETS[match["which"]])


def _weekday(match: Match, anchor: Anchor) -> Stretch:
    number, which = _WEEKDAYS.index(match["weekday"]), match.groupdict().get("which")
    if not which:
        return stretches.any_weekday(anchor, number)
    if _OFFSETS[which] < 0:
        return stretches.last_weekday(anchor, number)
    return stretches.weekday(anchor, number, 0) if _OFFSETS[which] == 0 else stretches.next_weekday(anchor, number)


def _that_month(match: Match, anchor: Anchor) -> Stretch:
    offset = _OFFSETS[match["which"]]
    if match["day"]:
        return monthly(anchor, int(match["day"]), offset)
    found = at(anchor, Unit.MONTH, offset)
    return third(found, _PLACES[match["place"]]) if match["place"] else found


def _that_quarter(match: Match, anchor: Anchor) -> Stretch:
    return at(anchor, Unit.QUARTER, _OFFSETS[match["which"]])


def _other_day(_match: Match, anchor: Anchor) -> Stretch:
    return replace(rolling(anchor, Unit.WEEK, 1), end=anchor.today)


def _recent(_match: Match, anchor: Anchor) -> Stretch:
    return recent(anchor)


def _part(match: Match, _anchor: Anchor) -> Part:
    return _PARTS[match["part"]]


RULES: Final[tuple[Rule, ...]] = (
    rule(rf"{_YEAR}{_OF}{_MONTH}\s?{_DAY}", _date),
    rule(rf"{_FREE}(?<!년\s){_MONTH}\s?{_DAY}(?!간)", _date),
    rule(rf"(?:{_YEAR}{_OF}|{_FREE}){_MONTH}\s?{_DAY}{_TO}{_UNTIL}(?:까지)?", _days),
    rule(rf"(?:{_YEAR}{_OF}|{_FREE}){_MONTH}(?:\s?(?P<place>초|중순|말))?", _month),
    rule(rf"{_YEAR}(?:\s?(?P<place>초|말))?(?!생)", _year),
    rule(rf"{_YEAR}{_OF}{_SEASON}", _season),
    rule(rf"{_FREE}{_WHICH}{_SEASON}", _that_season),
    rule(rf"(?:{_YEAR}{_OF}|{_FREE})(?P<number>[1-4])\s?(?:사)?분기", _quarter),
    rule(rf"{_YEAR}{_OF}(?P<half>[상하])반기", _half),
    rule(rf"{_FREE}(?P<day>{any_of(_DAYS)})(?!날|야|서야)", _day_word),
    rule(rf"{_FREE}(?P<night>{any_of(_PARTS_OF)})", _part_word),
    rule(rf"{_FREE}{_COUNT}\s?{_UNIT}\s?전(?!체|부|화)", _ago),
    rule(rf"{_FREE}{_NATIVE}\s?전(?!체|부|화)", _native_ago),
    rule(rf"{_FREE}며칠\s?전", _some_days_ago),
    rule(rf"{_FREE}반년\s?전", _half_year_ago),
    rule(rf"{_FREE}(?:지난|최근|과거)\s?{_COUNT}\s?{_UNIT}\s?(?:간|동안)?", _rolling),
    rule(rf"{_FREE}(?:지난|최근|과거)\s?{_NATIVE}\s?(?:간|동안)?", _rolling),
    rule(rf"{_FREE}(?:앞으로|향후|다음)\s?{_COUNT}\s?{_UNIT}\s?(?:간|동안)", _coming),
    rule(rf"{_FREE}{_WHICH}주{_WEEK_ENDS}", _week),
    rule(rf"{_FREE}{_WHICH}주\s?말", _weekend),
    rule(r"(?<!매\s)(?<![매\uac00-\ud7a3])주말", _bare_weekend),
    rule(rf"{_FREE}{_WHICH}주\s?(?P<weekday>[{_WEEKDAYS}])요일", _weekday_of_week),
    rule(rf"{_FREE}{_WHICH}(?P<weekday>[{_WEEKDAYS}])요일", _weekday),
    rule(rf"{_FREE}(?P<weekday>[{_WEEKDAYS}])요일", _weekday),
    rule(rf"매(?:주|일|월|년|달)(?:\s?[{_WEEKDAYS}]요일)?", NOTHING),
    rule(rf"{_FREE}{_WHICH}달(?:\s?(?P<place>초|중순|말)|\s?(?P<day>\d{{1,2}})\s?일)?(?!러|력|리)", _that_month),
    rule(rf"{_FREE}{_WHICH}분기", _that_quarter),
    rule(rf"{_FREE}(?:얼마\s?전|지난번에?\s?며칠)", _other_day),
    rule(rf"{_FREE}(?:최근|요즘|요새)", _recent),
    rule(rf"(?P<part>{any_of(_PARTS)})", _part),
)
