"""Width in columns: how wide a text is where every character stands in one cell or in two."""

from __future__ import annotations

from typing import Final
from unicodedata import category, east_asian_width

_WIDE: Final = frozenset("WF")
_WITHOUT_WIDTH: Final = frozenset({"Mn", "Me", "Cf", "Cc"})


def width(text: str) -> int:
    """The columns that a text takes: 2 for a wide or full-width character (UAX #11), 0 for marks and control characters."""
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(_width(char) for char in text)


def _width(char: str) -> int:
    if category(char) in _WITHOUT_WIDTH:
        return 0
    return 2 if east_asian_width(char) in _WIDE else 1
