"""Numbers as words, and the patterns that they are found by."""

from __future__ import annotations

import re
from typing import Final

_ONES: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS: Final = (
    *("ten", "eleven", "twelve", "thirteen", "fourteen"),
    *("fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINAL_ONES: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_IRREGULAR: Final = {"twelve": "twelfth"}
_ORDINAL_TEENS: Final = tuple(_IRREGULAR.get(word, f"{word}th") for word in _TEENS)
_ORDINAL_TENS: Final = tuple(f"{word[:-1]}ieth" for word in _TENS)

_WORDS: Final = {
    **{word: number for number, word in enumerate((*_ONES, *_TEENS), 1)},
    **{word: 10 * number for number, word in enumerate(_TENS, 2)},
    **{word: number for number, word in enumerate((*_ORDINAL_ONES, *_ORDINAL_TEENS), 1)},
    **{word: 10 * number for number, word in enumerate(_ORDINAL_TENS, 2)},
}
_VAGUE: Final = {"couple": (2, 3), "few": (2, 5), "several": (3, 7)}
SOME: Final = (2, 5)
"""What `a few` means: so many to so many."""

_TENS_PATTERN: Final = "|".join(_TENS)
COUNT: Final = (
    rf"(?:\d{{1,4}}|(?:a\s+)?couple(?:\s+of)?|(?:a\s+)?few|several|(?:{_TENS_PATTERN})(?:[\s-](?:{'|'.join(_ONES)}))?"
    rf"|{'|'.join(sorted((*_ONES, *_TEENS), key=len, reverse=True))}|an?)"
)
"""An English number, or a word for one that is not exact."""

ORDINAL: Final = (
    rf"(?:\d{{1,4}}(?:st|nd|rd|th)|(?:{_TENS_PATTERN})[\s-](?:{'|'.join(_ORDINAL_ONES)})"
    rf"|{'|'.join((*_ORDINAL_ONES, *_ORDINAL_TEENS, *_ORDINAL_TENS))})"
)
"""An English ordinal, in digits or words."""

HAN: Final = "(?:[0-9]{1,3}|[〇零一二三四五六七八九十百两]{1,5})"
"""A Chinese or Japanese number, after folding."""

_HAN_DIGITS: Final = dict(zip("〇零一二三四五六七八九两", (0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 2), strict=True))
_HAN_TENS: Final = {"十": 10, "百": 100}

_NATIVE: Final = ("한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉")
_NATIVE_TENS: Final = {"열": 10, "스물": 20, "스무": 20, "서른": 30}
_SINO: Final = dict(zip("일이삼사오육칠팔구", range(1, 10), strict=True))
HANGUL: Final = (
    rf"(?:[0-9]{{1,4}}|(?:열|스물|서른)?(?:{'|'.join(_NATIVE)})|열|스무|서른|[일이삼사오육칠팔구]?십[일이삼사오육칠팔구]?"
    r"|[일이삼사오육칠팔구])"
)
"""A Korean number of either kind."""


def english(text: str) -> tuple[int, int]:
    """The least and the greatest that an English number can mean: 3 is (3, 3), a few (2, 5)."""
    words = re.findall(r"[a-z]+|\d+", text.lower())
    for word in words:
        if word in _VAGUE:
            return _VAGUE[word]
    total = sum(int(word) if word.isdecimal() else _WORDS.get(word, 0) for word in words) or 1
    return total, total


def ordinal(text: str) -> int:
    """The number of an English ordinal or cardinal."""
    return english(text)[0]


def han(text: str) -> int:
    """The number of digits or of Han characters: `十二` and `一二` are 12, `二十五` is 25, `一百` is 100."""
    if text.isdecimal():
        return int(text)
    if not set(text) & set(_HAN_TENS):
        return int("".join(str(_HAN_DIGITS[char]) for char in text))
    total = digit = 0
    for char in text:
        if char in _HAN_TENS:
            total, digit = total + (digit or 1) * _HAN_TENS[char], 0
        else:
            digit = _HAN_DIGITS[char]
    return total + digit


def hangul(text: str) -> int:
    """The number of digits or of Korean words of either kind: `열두` and `십이` are 12."""
    if text.isdecimal():
        return int(text)
    tens = next((word for word in _NATIVE_TENS if text.startswith(word)), "")
    if tens or text in _NATIVE:
        rest = text[len(tens) :]
        return _NATIVE_TENS.get(tens, 0) + (_NATIVE.index(rest) + 1 if rest else 0)
    before, ten, after = text.rpartition("십")
    return (10 * _SINO.get(before, 1) if ten else 0) + _SINO.get(after, 0)
