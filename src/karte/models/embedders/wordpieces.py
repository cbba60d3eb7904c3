"""WordPiece, as BERT (uncased) reads a text: from characters to the numbers of word pieces.

The algorithm and the list of pieces are those of Devlin et al., BERT, 2019. Read here rather than by the package
`tokenizers`, which brings a client for downloads and 32 MB with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pkgutil import get_data
from typing import Final, cast
from unicodedata import category, normalize

UNKNOWN: Final = 100
FIRST: Final = 101
LAST: Final = 102

_LONGEST_WORD: Final = 100
_WORDS_REMEMBERED: Final = 32_768
_IDEOGRAPHS: Final = (
    range(0x3400, 0x4DC0),
    range(0x4E00, 0xA000),
    range(0xF900, 0xFB00),
    range(0x20000, 0x2A6E0),
    range(0x2A700, 0x2CEB0),
    range(0x2F800, 0x2FA20),
)
_DROPPED: Final = frozenset({"Cc", "Cf", "Co", "Cs", "Mn"})
_MARKS: Final = "$+<=>^`|~"  # ASCII that BERT takes for punctuation and Unicode for symbols


class WordPieces:
    """The pieces of the model's list."""

    def __init__(self) -> None:
        data = cast("bytes", get_data(__name__, "wordpieces.txt"))  # None only from a loader without data
        self._numbers = {piece: number for number, piece in enumerate(data.decode().split("\n")[:-1])}
        self._characters = _Characters()
        self._of_word = lru_cache(_WORDS_REMEMBERED)(self._split)

    def numbers(self, text: str, longest: int) -> list[int]:
        """At most `longest` numbers, the marks of start and end among them; what does not fit is cut off."""
        found: list[int] = [FIRST]
        for word in normalize("NFD", text).translate(self._characters).split():
            found.extend(self._of_word(word))
            if len(found) >= longest:
                break
        return [*found[: longest - 1], LAST]

    def _split(self, word: str) -> tuple[int, ...]:
        if len(word) > _LONGEST_WORD:
            return (UNKNOWN,)
        found = tuple(self._pieces(word))
        return (UNKNOWN,) if UNKNOWN in found else found

    def _pieces(self, word: str) -> Iterator[int]:
        """The longest piece there is, again and again; ends with `UNKNOWN` where there is none."""
        start = 0
        while start < len(word):
            prefix = "##" if start else ""
            ends = range(len(word), start, -1)
            end = next((end for end in ends if prefix + word[start:end] in self._numbers), None)
            if end is None:
                yield UNKNOWN
                return
            yield self._numbers[prefix + word[start:end]]
            start = end


class _Characters(dict[int, str]):
    """What BERT makes of a code point of decomposed text; asked once for each."""

    def __missing__(self, code: int) -> str:
        self[code] = made = _read(chr(code))
        return made


def _read(char: str) -> str:
    kind = category(char)
    if (char.isspace() and kind != "Cc") or char in "\t\n\r":
        return " "
    if kind in _DROPPED or char == "\ufffd":
        return ""
    if kind[0] == "P" or char in _MARKS or any(ord(char) in ideographs for ideographs in _IDEOGRAPHS):
        return f" {char} "
    return char.lower()
