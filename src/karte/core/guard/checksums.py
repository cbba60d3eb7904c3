"""Check digits: what tells a card, account or identity number from any other row of digits.

Each check takes the text as found, with its blanks and hyphens, and tells whether the number can be one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

_NO_DIGIT: Final = re.compile(r"\D")
_CARD: Final = re.compile(r"3[47]\d{13}|4\d{12}(?:\d{3}){0,2}|(?:5[1-5]|2[2-7])\d{14}|(?:35|6[0245])\d{14}")
_GROUPED: Final = re.compile(r"\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|3\d{3}([ -])\d{6}\2\d{5}")
_IBAN: Final = (
    "AD24 AE23 AT20 BE16 BG22 CH21 CY28 CZ24 DE22 DK18 EE20 ES24 FI18 FR27 GB22 GR27 HR21 HU28 IE22 IL23 IS26 IT27 LI21 "
    "LT20 LU20 LV21 MC27 MT31 NL18 NO15 PL28 PT25 RO24 RS22 SA24 SE24 SI19 SK24 SM27 TR26 UA29"
)
"""The countries and the lengths of their numbers."""

_TAIWAN_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVXYWZIO"
"""The letters in the order of their codes, 10 for A to 35 for O."""

_CHINA_WEIGHTS: Final = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_KOREA_WEIGHTS: Final = (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)
_JAPAN_WEIGHTS: Final = (6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)
_DATE: Final = re.compile(r"(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])")


def luhn(found: str) -> bool:
    """Whether the last digit is the check digit of ISO/IEC 7812-1."""
    digits = _digits(found)
    doubled = (digit * 2 - 9 * (digit > 4) for digit in digits[-2::-2])  # noqa: PLR2004 - twice 5 is the first with two digits
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def card(found: str) -> bool:
    """A number of a payment card: of a known issuer, not one digit over and over, with a right check digit."""
    digits = _NO_DIGIT.sub("", found)
    return bool(_CARD.fullmatch(digits)) and len(set(digits)) > 1 and luhn(digits)


def grouped_card(found: str) -> bool:
    """As `card`, and written in the groups that cards have: what needs no word beside it."""
    return bool(_GROUPED.fullmatch(found)) and card(found)


def iban(found: str) -> bool:
    """An account number by ISO 13616: of the length of its country, 1 modulo 97."""
    compact = "".join(found.split()).upper()
    if f"{compact[:2]}{len(compact)}" not in _IBAN:
        return False
    return int("".join(str(int(char, 36)) for char in compact[4:] + compact[:4])) % 97 == 1


def taiwan_id(found: str) -> bool:
    """A letter for the place, 1, 2, 8 or 9, seven digits and a check digit (Ministry of the Interior)."""
    code = _TAIWAN_LETTERS.index(found[0].upper()) + 10
    digits = [code // 10, code % 10, *_digits(found)]
    weights = (1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1)
    return sum(digit * weight for digit, weight in zip(digits, weights, strict=True)) % 10 == 0


def china_id(found: str) -> bool:
    """Eighteen signs by GB 11643-1999: a place, a date of birth, an order, a check sign modulo 11."""
    total = sum(digit * weight for digit, weight in zip(_digits(found[:17]), _CHINA_WEIGHTS, strict=True))
    return (
        found[6:8] in {"18", "19", "20"}
        and bool(_DATE.match(found, 10))
        and "10X98765432"[total % 11] == found[17].upper()
    )


def korea_id(found: str) -> bool:
    """A resident number of before October 2020: a date of birth, seven digits with a check digit at the end."""
    digits = _digits(found)
    total = sum(digit * weight for digit, weight in zip(digits[:12], _KOREA_WEIGHTS, strict=True))
    return bool(_DATE.match(found, 2)) and (11 - total % 11) % 10 == digits[12]


def japan_my_number(found: str) -> bool:
    """Twelve digits with a check digit by the ordinance of 2014 on the individual number."""
    digits = _digits(found)
    rest = sum(digit * weight for digit, weight in zip(digits[:11], _JAPAN_WEIGHTS, strict=True)) % 11
    return len(set(digits)) > 1 and digits[11] == (0 if rest <= 1 else 11 - rest)


def _digits(found: str) -> list[int]:
    return [int(char) for char in _NO_DIGIT.sub("", found)]


_PLACEHOLDER: Final = re.compile(
    r"(?i)[<{\[$%(*•.…_-].*|x{3,}.*|.*[({\[].*|(?:your|my|the|some|new|old|test|example|change|insert|enter|none|null|true|false|"
    r"required|optional|hidden|password|passwd|secret|redacted|str|string|env|os\.|https?:|process|config)[\w.:/-]*|\d{1,2}-\d{1,2}\w*"
)
_SIGNS: Final = re.compile(r"[!@#$%^&*+~?=]")


def mixed(found: str) -> bool:
    """A key: digits and letters, or large and small ones, and no word that stands for a key."""
    letters, digits = any(map(str.isalpha, found)), any(map(str.isdecimal, found))
    return letters and digits and not _PLACEHOLDER.fullmatch(found)


def chosen(found: str) -> bool:
    """A password that somebody chose: letters with digits or signs, or six digits and more; no word, no placeholder."""
    letters, digits = any(map(str.isalpha, found)), any(map(str.isdecimal, found))
    telling = (letters and (digits or bool(_SIGNS.search(found)))) or (found.isdecimal() and len(found) >= 6)  # noqa: PLR2004 - a year has four
    return telling and not _PLACEHOLDER.fullmatch(found)


def written(found: str) -> bool:
    """A password inside an address, where nothing else can stand: anything but a placeholder."""
    return not _PLACEHOLDER.fullmatch(found)


CHECKS: Final[Mapping[str, Callable[[str], bool]]] = {
    "card": card,
    "china_id": china_id,
    "chosen": chosen,
    "grouped_card": grouped_card,
    "iban": iban,
    "japan_my_number": japan_my_number,
    "korea_id": korea_id,
    "mixed": mixed,
    "taiwan_id": taiwan_id,
    "written": written,
}
"""The checks by the names that rules give them."""
