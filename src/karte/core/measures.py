"""How values are written: the words for units, counters, months and days in five languages, and the pattern of all.

Names of units and counters are alternatives of a pattern, the longer ones first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from karte.core.text.folding import fold_run

DURATION: Final = "duration"
MONTH: Final = 2_629_800.0
"""A month in seconds, on the average."""

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
        MONTH: "months?|个月|[か個ヶヵカ]月間?|개월|달",
        12 * MONTH: "years?|yrs?|年間?|년",
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
SIGNS: Final = {"$": "usd", "us$": "usd", "nt$": "twd", "€": "eur", "£": "gbp", "¥": "cny"}
MULTIPLES: Final = {
    "k": 1e3,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "千": 1e3,
    "万": 1e4,
    "亿": 1e8,
    "천": 1e3,
    "만": 1e4,
    "억": 1e8,
}

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
MONTH_NAMES: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
SINGLE_DAYS: Final = ("一月월", "二火화", "三水수", "四木목", "五金금", "六土토", "日天일")
_FORENOON: Final = "上午|早上|凌晨|午前|오전"
_AFTERNOON: Final = "下午|晚上|午後|夜里|오후"
RELATIVE_YEARS: Final = {
    **dict.fromkeys(("去年", "昨年", "작년"), -1),
    **dict.fromkeys(("今年", "本年", "올해"), 0),
    **dict.fromkeys(("明年", "来年", "내년"), 1),
    "前年": -2,
}
_RELATIVE: Final = "|".join(RELATIVE_YEARS)
_RELATIVE_PERIODS: Final = (
    r"\b(?P<which>last|this|next) (?P<period>year|quarter|month|week)\b"
    r"|(?P<which_han>上|这|本|下)个?(?P<period_han>周|星期|礼拜|月|季度)(?![一二三四五六日天])"
    r"|(?P<which_ja>先|今|来)(?P<period_ja>週|月|期)|(?P<which_ko>지난|이번|다음) ?(?P<period_ko>주|달|분기)"
)
OFFSETS: Final = {
    **dict.fromkeys(("last", "上", "先", "지난"), -1),
    **dict.fromkeys(("this", "这", "本", "今", "이번"), 0),
    **dict.fromkeys(("next", "下", "来", "다음"), 1),
}
PERIODS: Final = {
    "year": "year",
    **dict.fromkeys(("quarter", "季度", "期", "분기"), "quarter"),
    **dict.fromkeys(("month", "月", "달"), "month"),
    **dict.fromkeys(("week", "周", "星期", "礼拜", "주"), "week"),
}
_START: Final = r"(?<![a-z0-9_.\-/])"
_END: Final = r"(?![a-z0-9_]|[.:/\-]\d)"
_STOP: Final = r"(?![a-z0-9_])"


def _units() -> Iterator[tuple[str, str, float]]:
    yield from ((names, kind, 1.0) for kind, names in _PLAIN.items())
    for kind, scale in _SCALES.items():
        yield from ((names, kind, factor) for factor, names in scale.items())


HALF: Final = "半"
HAN_NUMBER: Final = re.compile(_HAN)
COUNTED: Final = [(re.compile(fold_run(names)), counter) for counter, names in _COUNTERS.items()]
UNITS: Final = [(re.compile(fold_run(names)), kind, factor) for names, kind, factor in _units()]
_NAMES: Final = "|".join([*(names for names, _, _ in _units()), *_COUNTERS.values(), _PLACES]).split("|")
_LATIN: Final = "|".join(name for name in _NAMES if name.isascii() and name[0].isalpha())
_OTHER: Final = "|".join(name for name in _NAMES if not (name.isascii() and name[0].isalpha()))
_UNIT: Final = rf"(?:(?:{_LATIN}){_STOP}|{_OTHER})"
_N: Final = rf"(?:\d{{1,2}}|{_HAN})"
_Y: Final = r"(?:19|20)\d\d"
_TH: Final = r"(?:st|nd|rd|th)?"

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
VALUE: Final = re.compile("|".join(f"(?P<{name}>{fold_run(pattern)})" for name, pattern in _PATTERNS.items()))
