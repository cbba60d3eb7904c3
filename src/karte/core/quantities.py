"""The values in a statement: numbers with their units, dates, times of day, weekdays and versions, in five languages.

Two values are equal whatever they are written as: `15 minutes` and `900 秒`, `3月5日` and `March 5`, `七人` and `7名`.
All patterns are for folded text (see `read`), in which traditional characters are simplified and katakana is hiragana.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from karte.core.moments.numerals import english, han, hangul
from karte.core.text.folding import fold_run

WHEN: Final = frozenset({"date", "clock", "weekday"})
"""The kinds of values that say when."""

NUMBER: Final = "number"
"""The kind of a number without a measure: a count, a port."""

VERSION: Final = "version"
"""The kind of numbers with points between them."""

PLACE: Final = "place"
DURATION: Final = "duration"
_MONTH: Final = 2_629_800.0
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
    calendar = one % _MONTH == 0, other % _MONTH == 0
    return calendar[0] != calendar[1] and abs(one - other) <= _VAGUE * max(one, other)


_PLAIN: Final = {
    "percent": "%|percent|パーセント|퍼센트",
    "money eur": "euros?|eur|€|欧元|ユーロ|유로",
    "money usd": "dollars?|usd|美元|ドル|달러",
    "money jpy": "jpy|yen|日元|円",
    "money cny": "rmb|cny|元|块钱|块|人民币",
    "money krw": "krw|won|원",
    "degrees": "°c|degrees?|度|도",
}
_SCALES: Final = {
    DURATION: {
        0.001: "milliseconds?|millis|ms|毫秒|ミリ秒|밀리초",
        1: "seconds?|secs?|s|秒[钟間]?|초",
        60: "minutes?|mins?|分[钟間]?|분",
        3600: "hours?|hrs?|h|个?小时|時間|个?钟头|시간",
        86400: "days?|天|日間?|일",
        604800: "weeks?|wks?|个?星期|个?礼拜|周間?|주일?",
        _MONTH: "months?|个月|[か個ヶヵカ]月間?|개월|달",
        12 * _MONTH: "years?|yrs?|年間?|년",
    },
    "bytes": {1: "bytes?", 1e3: "kb", 1e6: "mb", 1e9: "gb", 1e12: "tb", 1024: "kib", 2**20: "mib", 2**30: "gib"},
    "weight": {
        1e-6: "[µμ]g|mcg|微克",
        1e-3: "mg|毫克|ミリグラム",
        1: "grams?|g|克|グラム",
        1e3: "kilos?|kg|公斤|千克|キロ",
    },
    "length": {
        1e-3: "mm|毫米",
        1e-2: "cm|厘米|公分",
        1: "meters?|metres?|米|メートル",
        1e3: "kilometers?|kilometres?|km|公里",
    },
}
_COUNTERS: Final = {
    "": "个|個|つ|개|件|건|种|項|项",
    "people": "people|persons?|人|名|位|명",
    "times": "times|次|回|번|회",
    "animals": "匹|只|头|頭|마리",
    "things": "台|条|张|家|份|枚|颗|粒|片|本|册|辆|杯|瓶|셀|대|권|장",
    "age": "岁|歳|才|살",
}
_PLACES: Final = "号|楼|阶|期|版|番|층|호"
_SIGNS: Final = {"$": "usd", "us$": "usd", "nt$": "twd", "€": "eur", "£": "gbp", "¥": "cny"}
_MULTIPLES: Final = {"k": 1e3, "thousand": 1e3, "million": 1e6, "billion": 1e9}
_MULTIPLES_ALONE: Final = {"千": 1e3, "万": 1e4, "亿": 1e8, "천": 1e3, "만": 1e4, "억": 1e8}

_WORDS: Final = (
    "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"
    "|eighteen|nineteen|two|three|four|five|six|seven|eight|nine"
)
_HAN: Final = "[〇零一二三四五六七八九十百千万亿两]+"
_HANGUL: Final = "(?:열|스물|서른)?(?:한|두|세|네|다섯|여섯|일곱|여덟|아홉)|열|스무|서른"
_MONTHS: Final = (
    "january|february|march|april|may|june|july|august|september|october|november|december"
    "|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
)
_MONTH_NAMES: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_SINGLE_DAYS: Final = ("一月월", "二火화", "三水수", "四木목", "五金금", "六土토", "日天일")
_FORENOON: Final = "上午|早上|凌晨|午前|오전"
_AFTERNOON: Final = "下午|晚上|午後|夜里|오후"
_RELATIVE_YEARS: Final = {
    "前年": -2,
    "去年": -1,
    "昨年": -1,
    "今年": 0,
    "本年": 0,
    "明年": 1,
    "来年": 1,
    "작년": -1,
    "올해": 0,
    "내년": 1,
}
_RELATIVE: Final = "|".join(_RELATIVE_YEARS)
_RELATIVE_PERIODS: Final = (
    r"\b(?P<which>last|this|next) (?P<period>year|quarter|month|week)\b"
    r"|(?P<which_han>上|这|本|下)个?(?P<period_han>周|星期|礼拜|月|季度)(?![一二三四五六日天])"
    r"|(?P<which_ja>先|今|来)(?P<period_ja>週|月|期)|(?P<which_ko>지난|이번|다음) ?(?P<period_ko>주|달|분기)"
)
_OFFSETS: Final = {
    "last": -1,
    "上": -1,
    "先": -1,
    "지난": -1,
    "this": 0,
    "这": 0,
    "本": 0,
    "今": 0,
    "이번": 0,
    "next": 1,
    "下": 1,
    "来": 1,
    "다음": 1,
}
_PERIODS: Final = {
    "year": "year",
    "quarter": "quarter",
    "季度": "quarter",
    "期": "quarter",
    "분기": "quarter",
    "month": "month",
    "月": "month",
    "달": "month",
    "week": "week",
    "周": "week",
    "星期": "week",
    "礼拜": "week",
    "주": "week",
}
_START: Final = r"(?<![a-z0-9_.\-/])"
_END: Final = r"(?![a-z0-9_]|[.:/\-]\d)"
_STOP: Final = r"(?![a-z0-9_])"
_NOON: Final = 12


def read(folded: str) -> list[Value]:
    """The values of a clean text in lower case that went through `fold_run`; in text order, none within another."""
    found = (_READERS[match.lastgroup or ""](match) for match in _VALUE.finditer(folded))
    return [value for value in found if value]


def _value(match: re.Match[str], kind: str, *amount: float | str | None) -> Value:
    return Value(kind, amount, match.start(), match.end(), match[0].strip())


def _number(text: str) -> float:
    """What is written in digits, in English words, in Han characters or in Hangul."""
    plain = text.replace(",", "")
    if plain[0].isdecimal():
        return float(plain)
    if plain == _HALF:
        return 0.5
    if plain.isascii():
        return float(english(plain)[0])
    return float(_han(plain) if _HAN_NUMBER.fullmatch(plain) else hangul(plain))


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
        year = f"{_RELATIVE_YEARS[match['relative']]:+d}"
    month = match["east_month"] or match["month_first"]
    return _value(match, "date", year, _perhaps(month), _perhaps(match["east_day"] or match["day_after"]))


def _period(match: re.Match[str]) -> Value:
    """A year, quarter, month or week by how far it is from the present one."""
    which = next(match[part] for part in ("which", "which_han", "which_ja", "which_ko") if match[part])
    period = next(match[part] for part in ("period", "period_han", "period_ja", "period_ko") if match[part])
    offset = f"{_OFFSETS[which]:+d}"
    if _PERIODS[period] == "year":
        return _value(match, "date", offset, None, None)
    return _value(match, "date", None, f"{_PERIODS[period]} {offset}", None)


def _month(name: str) -> float:
    return float(_MONTH_NAMES.index(name[:3]) + 1)


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
        (place for place, signs in enumerate(_SINGLE_DAYS) if sign in signs)
        if sign
        else iter([_DAYS.index(match["weekday"])])
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
    amount = _number(written) * (_MULTIPLES | _MULTIPLES_ALONE).get((multiple or "").strip(), 1)
    if match["sign"]:
        return _value(match, "money", amount, _SIGNS[match["sign"]])
    return _measured(match, amount, unit) if unit else _value(match, NUMBER, amount)


def _measured(match: re.Match[str], amount: float, unit: str) -> Value:
    for pattern, kind, factor in _UNITS:
        if pattern.fullmatch(unit):
            name, _, which = kind.partition(" ")
            return _value(match, name, *((amount, which) if which else (round(amount * factor, 9),)))
    counter = next((name for pattern, name in _COUNTED if pattern.fullmatch(unit)), PLACE)
    return replace(_value(match, NUMBER, amount), counter=counter, counted=counter != PLACE)


def _units() -> Iterator[tuple[str, str, float]]:
    yield from ((names, kind, 1.0) for kind, names in _PLAIN.items())
    for kind, scale in _SCALES.items():
        yield from ((names, kind, factor) for factor, names in scale.items())


_HALF: Final = "半"
_HAN_NUMBER: Final = re.compile(_HAN)
_COUNTED: Final = [(re.compile(fold_run(names)), counter) for counter, names in _COUNTERS.items()]
_UNITS: Final = [(re.compile(fold_run(names)), kind, factor) for names, kind, factor in _units()]
_NAMES: Final = "|".join([*(names for names, _, _ in _units()), *_COUNTERS.values(), _PLACES]).split("|")
_LATIN: Final = "|".join(name for name in _NAMES if name.isascii() and name[0].isalpha())
_OTHER: Final = "|".join(name for name in _NAMES if not (name.isascii() and name[0].isalpha()))
_UNIT: Final = rf"(?:(?:{_LATIN}){_STOP}|{_OTHER})"
_N: Final = rf"(?:\d{{1,2}}|{_HAN})"
_Y: Final = r"(?:19|20)\d\d"
_TH: Final = r"(?:st|nd|rd|th)?"

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
_PATTERNS: Final = {
    "iso": rf"{_START}(?P<iso_year>\d{{4}})[-/.](?P<iso_month>\d\d?)[-/.](?P<iso_day>\d\d?){_END}",
    "relative_period": _RELATIVE_PERIODS,
    "east_date": (
        rf"(?:(?P<relative>{_RELATIVE})|(?<!\d)(?P<east_year>{_Y})\s?[年년]度?)(?:[的の]?\s?(?P<east_month>{_N})\s?[月월]"
        rf"(?:\s?初?(?P<east_day>{_N})(?!\d|个)[日号일]?)?)?"
        rf"|(?<!\d)(?P<month_first>{_N})\s?[月월](?:\s?初?(?P<day_after>{_N})(?!\d|个)[日号일]?)?"
    ),
    "west_date": (
        rf"\b(?P<month_a>{_MONTHS})\.?\s+(?P<day_a>[0-3]?\d){_TH}\b(?!:)(?:,?\s+(?P<year_a>{_Y})\b)?"
        rf"|{_START}(?P<day_b>[0-3]?\d){_TH}\s+(?:of\s+)?(?P<month_b>{_MONTHS})\b(?:,?\s+(?P<year_b>{_Y})\b)?"
    ),
    "west_month": (
        r"\b(?P<month_c>january|february|april|june|july|august|september|october|november|december"
        rf"|(?:march|may)(?=\s+{_Y}))\b(?:,?\s+(?P<year_c>{_Y})\b)?"
    ),
    "clock": (
        rf"{_START}(?P<hour>[0-2]?\d):(?P<minute>[0-5]\d)(?::\d\d)?(?:\s?(?P<half_a>[ap])\.?m\b)?{_STOP}"
        rf"|{_START}(?P<hour_only>[01]?\d)\s?(?P<half_b>[ap])\.?m{_STOP}"
    ),
    "east_clock": (
        rf"(?:(?:{_FORENOON})|(?P<afternoon>{_AFTERNOON}))?\s?(?P<east_hour>{_N})\s?(?:[点時]|시)(?!間|간)钟?"
        rf"(?:\s?(?P<east_minute>{_N})\s?[分분]|(?P<half_past>半|반))?"
    ),
    "weekdays": (
        r"\b(?P<weekday>mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur)?days?\b"
        r"|(?:周|星期|礼拜)(?P<weekday_a>[一二三四五六日天])|(?P<weekday_b>[月火水木金土日])曜日?"
        r"|(?P<weekday_c>[월화수목금토일])요일"
    ),
    "version": rf"{_START}v?(?P<version_number>\d+(?:\.\d+){{2,}}|(?<=v)\d+(?:\.\d+)+){_END}",
    "years": rf"(?:(?<=\bin )|(?<=\bby )|(?<=\bfrom )|(?<=\bsince )|(?<=\buntil ))(?P<year>{_Y}){_END}(?!\s+[a-z]+s\b)",
    "quantity": (
        rf"(?P<sign>us\$|nt\$|[$€£¥])?(?:(?P<which_one>第|제)\s?)?{_START}(?P<amount>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?"
        rf"|\b(?:{_WORDS}|one(?=\s[a-z])(?!\sof\b))\b|{_HAN}(?=\s?{_UNIT})|(?<=第){_HAN}|(?:{_HANGUL})(?=\s(?:{_OTHER}))"
        rf"|半(?=个?小时|年|天|時間|日|{_COUNTERS['things']}))"
        rf"(?P<multiple>\s?(?:million|billion|thousand)\b|k\b|\s?[千万亿천만억])?"
        rf"(?:[\s-]?(?P<unit>{_UNIT})|{_STOP})"
    ),
}
_VALUE: Final = re.compile("|".join(f"(?P<{name}>{fold_run(pattern)})" for name, pattern in _PATTERNS.items()))
