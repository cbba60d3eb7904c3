"""The text of a rule: made from the mistakes alone, without a model, in the language of their lessons.

English is taken where the lessons are of several languages, or of one that there are no words for.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from karte.core.lessons import Category
from karte.core.text.folding import fold_run

MOST_POINTS: Final = 20
"""A rule names so many lessons and counts the others."""

LONGEST_POINT: Final = 300
"""Characters of a lesson that a rule repeats."""

_HAN: Final = re.compile("[㐀-\u9fff]")
_KANA: Final = re.compile("[ぁ-ゖァ-ヺ]")
_HANGUL: Final = re.compile("[가-힣]")

_SIMPLE: Final = frozenset(
    "们这个为时说对会来发过还进请给让应问题务单总经实现点线图书写无认证数据户错误须备删环检测译员顾联记录关开动"
    "话从与两严业东车长门见贝风马鱼鸟页项预领频顺额风险邮银钱货质贴费资购销锁键链报执扩护择换损"
)
"""Characters of simplified Chinese that traditional texts do not have: common ones are enough to tell the two apart."""


class Language(StrEnum):
    """A language that rules are written in."""

    ENGLISH = "en"
    TRADITIONAL_CHINESE = "zh-TW"
    SIMPLIFIED_CHINESE = "zh-CN"
    JAPANESE = "ja"
    KOREAN = "ko"


@dataclass(frozen=True)
class _Words:
    """`head` takes the kind and the number of mistakes, `times` a number, `more` the number of lessons left out."""

    kinds: dict[Category, str]
    head: str
    times: str
    more: str
    care: dict[Category, str]


def _by_category(*said: str) -> dict[Category, str]:
    return dict(zip(Category, said, strict=True))


_WORDS: Final = {
    Language.ENGLISH: _Words(
        _by_category("safety", "hallucination", "factual", "capability", "behavioral"),
        "Recurring {kind} issues consolidated from {count} past mistakes.",
        " (×{count})",
        "- and {count} more",
        _by_category(
            "Apply extra care: stop before anything that cannot be undone, and have it confirmed.",
            "Apply extra care: state only what a source says, and say so where there is none.",
            "Apply extra care: check each fact against its source before stating it.",
            "Apply extra care: go through these points before the work is called done.",
            "Apply extra care: go through these points before answering.",
        ),
    ),
    Language.TRADITIONAL_CHINESE: _Words(
        _by_category("安全", "憑空捏造", "事實", "能力", "行為"),
        "反覆出現的{kind}問題，由 {count} 次過往錯誤整併而成。",
        "（{count} 次）",
        "- 另有 {count} 項",
        _by_category(
            "請格外小心：凡是無法復原的動作，先停下來取得確認。",
            "請格外小心：只說有來源的內容，沒有來源就直說。",
            "請格外小心：說出每一項事實之前，先與來源核對。",
            "請格外小心：宣告完成之前，逐項檢查以上各點。",
            "請格外小心：回答之前，逐項檢查以上各點。",
        ),
    ),
    Language.SIMPLIFIED_CHINESE: _Words(
        _by_category("安全", "凭空捏造", "事实", "能力", "行为"),
        "反复出现的{kind}问题，由 {count} 次过往错误整合而成。",
        "（{count} 次）",
        "- 另有 {count} 项",
        _by_category(
            "请格外小心：凡是无法恢复的操作，先停下来取得确认。",
            "请格外小心：只说有来源的内容，没有来源就直说。",
            "请格外小心：说出每一项事实之前，先与来源核对。",
            "请格外小心：宣布完成之前，逐项检查以上各点。",
            "请格外小心：回答之前，逐项检查以上各点。",
        ),
    ),
    Language.JAPANESE: _Words(
        _by_category("安全", "捏造", "事実誤認", "能力", "振る舞い"),
        "繰り返された{kind}の問題。過去の誤り {count} 件をまとめたもの。",
        "（{count} 回）",
        "- ほか {count} 件",
        _by_category(
            "特に注意：取り消せない操作の前に止まり、確認を取ること。",
            "特に注意：出典のあることだけを述べ、なければそう伝えること。",
            "特に注意：事実は出典と照らし合わせてから述べること。",
            "特に注意：完了とする前に、以上の点を一つずつ確認すること。",
            "特に注意：答える前に、以上の点を一つずつ確認すること。",
        ),
    ),
    Language.KOREAN: _Words(
        _by_category("안전", "허위 생성", "사실", "능력", "행동"),
        "반복된 {kind} 문제: 지난 실수 {count}건을 정리함.",
        " ({count}회)",
        "- 그 밖에 {count}건",
        _by_category(
            "각별히 주의: 되돌릴 수 없는 작업 전에는 멈추고 확인을 받을 것.",
            "각별히 주의: 출처가 있는 내용만 말하고, 없으면 없다고 밝힐 것.",
            "각별히 주의: 사실은 출처와 대조한 뒤에 말할 것.",
            "각별히 주의: 완료라고 하기 전에 위의 사항을 하나씩 점검할 것.",
            "각별히 주의: 답하기 전에 위의 사항을 하나씩 점검할 것.",
        ),
    ),
}


@dataclass(frozen=True)
class Point:
    """A lesson as its first source wrote it, and how often it was taught."""

    lesson: str
    count: int


def rule_text(category: Category, points: Sequence[Point]) -> str:
    """The text of the rule that these lessons make: what kind, how many, the lessons in order, the care to take."""
    words = _WORDS[language_of([point.lesson for point in points])]
    head = words.head.format(kind=words.kinds[category], count=sum(point.count for point in points))
    lines = [_line(point, words) for point in points[:MOST_POINTS]]
    left = len(points) - MOST_POINTS
    more = [words.more.format(count=left)] if left > 0 else []
    return "\n".join([head, *lines, *more, words.care[category]])


def _line(point: Point, words: _Words) -> str:
    line = " ".join(point.lesson.split())
    short = line if len(line) <= LONGEST_POINT else f"{line[: LONGEST_POINT - 1]}…"
    return f"- {short}{words.times.format(count=point.count) if point.count > 1 else ''}"


def language_of(texts: Collection[str]) -> Language:
    """The one language that all of these texts are written in; English where they are not of one."""
    whole = "".join(texts)
    chinese = Language.SIMPLIFIED_CHINESE if _simplified(whole) else Language.TRADITIONAL_CHINESE
    found = {_script(text, chinese) for text in texts}
    return found.pop() if len(found) == 1 else Language.ENGLISH


def _script(text: str, chinese: Language) -> Language:
    if _HANGUL.search(text):
        return Language.KOREAN
    if _KANA.search(text):
        return Language.JAPANESE
    return chinese if _HAN.search(text) else Language.ENGLISH


def _simplified(text: str) -> bool:
    """Whether Chinese is written in simplified characters: more of them than of traditional ones."""
    traditional = sum(one != other for one, other in zip(text, fold_run(text), strict=True))
    return sum(char in _SIMPLE for char in text) > traditional
