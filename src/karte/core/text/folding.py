"""Which spellings count as one: of a name, of a statement, and inside the terms of a text."""

import re
from functools import cache
from typing import cast
from unicodedata import normalize

_EMOJI = "[\u2190-\u2bff\u3030\U0001f000-\U0001faff]"
_INVISIBLE = (  # Unicode's Default_Ignorable_Code_Point
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_FIRST_INVISIBLE = re.compile(f"[{_INVISIBLE}]")
# Group 1 stays, being part of an emoji: the tags of a flag, the joiner of a family.
INVISIBLE = re.compile(
    f"(\U0001f3f4[\U000e0020-\U000e007f]+|(?:(?<={_EMOJI})|(?<={_EMOJI}\ufe0f))\u200d(?={_EMOJI}))|[{_INVISIBLE}]"
)

_SAME_LETTERS = {
    "\u2018": "'",
    "\u2019": "'",
    "\u02bc": "'",
    "\u2010": "-",
    "\u2212": "-",
    "\u2044": "/",
    "\u066b": ".",
    "\u066c": ",",
    "æ": "ae",
    "ð": "d",
    "ø": "o",
    "þ": "th",
    "đ": "d",
    "ħ": "h",
    "ı": "i",
    "ł": "l",
    "œ": "oe",
    "ŧ": "t",
}
_LETTERS = str.maketrans(_SAME_LETTERS)
_ACCENTS = re.compile(
    "(?<=[a-z\u0370-\u03ff])[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff]+"  # Latin and Greek
    "|(?<=\u0435)\u0308"  # the dots of Cyrillic ё; й is a letter of its own
    "|[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]"  # Hebrew points
    "|[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]"  # Arabic vowels, and the line that stretches a word
)
_KATAKANA = (*range(0x30A1, 0x30F7), 0x30FD, 0x30FE)
_KATAKANA_TO_HIRAGANA = -0x60
_LAST_KEPT = 0x1FFFF


def fold_name(text: str) -> str:
    """Return the form in which subjects, predicates, objects and names are compared.

    NFKC, case-folded, inner blanks collapsed to one, no blanks at the ends: `User` = `ｕｓｅｒ`.
    """
    if text.isascii():
        return " ".join(text.lower().split())
    return " ".join(normalize("NFKC", normalize("NFKC", text).casefold()).split())


def fold_content(text: str) -> str:
    """Return the form in which two contents are the same statement.

    NFC, case-folded, inner blanks collapsed to one, no blanks at the ends. Not NFKC: `x²` is not `x2`.
    """
    if text.isascii():
        return " ".join(text.lower().split())
    return " ".join(normalize("NFC", normalize("NFC", text).casefold()).split())


def clean(text: str) -> str:
    """Return `text` in NFKC and without the invisible characters that are not part of an emoji."""
    if text.isascii():
        return text
    if _FIRST_INVISIBLE.search(text):
        text = INVISIBLE.sub(r"\1", text)
    return normalize("NFKC", text)


def fold_word(word: str) -> str:
    """Return a clean word in lower case, without accents, points and vowel marks, in ASCII digits.

    A mark goes only where it is an accent: Cyrillic `й`, kana `が` and the vowels of Devanagari stay.
    """
    if word.isascii():
        return word.lower()
    letters = normalize("NFD", word.casefold()).translate(_LETTERS)
    folded = fold_run(normalize("NFC", _ACCENTS.sub("", letters)))
    return "".join(str(int(char)) if char.isdecimal() else char for char in folded)


def fold_run(run: str) -> str:
    """Return Han and kana, character by character, in the one form they are found by.

    Traditional characters become simplified, katakana becomes hiragana; the length stays the same.
    """
    return run.translate(_characters())


class _Characters(dict[int, int]):
    """A table of code points in which every other code point is itself."""

    def __missing__(self, code: int) -> int:
        if code <= _LAST_KEPT:  # so that the next time is fast, in a bounded table
            self[code] = code
        return code


@cache
def _characters() -> _Characters:
    from pkgutil import get_data  # noqa: PLC0415 - who never meets a Han character need not wait for it

    table = _Characters((code, code + _KATAKANA_TO_HIRAGANA) for code in _KATAKANA)
    data = cast("bytes", get_data(__name__, "han_fold.txt"))  # None only from a loader without data
    lines = [line for line in data.decode().splitlines() if line[0] != "#"]
    table.update({ord(char): ord(line[0]) for line in lines for char in line[1:]})
    return table
