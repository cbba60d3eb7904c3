"""Synthetic memories in English and Chinese, so that speed can be measured anywhere without any data.

Words are made from a seed: English ones from syllables, the frequent ones short; Chinese ones of one to four of 3,500
Han characters. Words and characters are drawn by a Zipf-Mandelbrot law, p(rank) ~ 1 / (rank + 1)^1.07 (Mandelbrot, 1953),
over 100,000 English and 60,000 Chinese words. An English text has 27 words on average, every fiftieth of them a number;
a Chinese one has 35 characters. A query takes half of its 6 to 12 words from one text and half from another one,
common words included.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Protocol

import numpy as np

from karte.bench.chance import Chance, Floats

ENGLISH_WORDS: Final = 100_000
CHINESE_WORDS: Final = 60_000

_SHIFT: Final = 1.0
_EXPONENT: Final = 1.07
_STOCK: Final = 1 << 16
_ONSETS: Final = [
    "b",
    "br",
    "c",
    "ch",
    "d",
    "f",
    "g",
    "gr",
    "h",
    "j",
    "k",
    "l",
    "m",
    "n",
    "p",
    "pl",
    "r",
    "s",
    "sh",
    "st",
    "t",
    "th",
    "tr",
    "v",
    "w",
    "y",
    "z",
]
_VOWELS: Final = ["a", "e", "i", "o", "u", "ai", "ea", "oo", "ou"]
_CODAS: Final = ("", "", "", "", "", "l", "n", "nd", "r", "s", "st", "ck")
_SYLLABLES: Final = ((60, 1), (8_000, 2), (ENGLISH_WORDS, 3))
_HAN: Final = (0x4E00, 0x9FA5)
_CHARACTERS: Final = 3_500
_NUMBER_EVERY: Final = 50
_COMMA_EVERY: Final = 9
_SENTENCE: Final = (12, 42)
_HAN_SENTENCE: Final = (18, 52)
_CLAUSE: Final = 12
_QUERY_WORDS: Final = (6, 12)
_CHARACTERS_A_WORD: Final = 1.9


class Texts(Protocol):
    """A language that texts and queries are made in."""

    name: str

    def text(self) -> str:
        """The next text."""

    def query(self, one: str, other: str) -> str:
        """A question of 6 to 12 words about two of these texts."""


class Ranks:
    """Ranks from 0, drawn by a Zipf-Mandelbrot law."""

    def __init__(self, chance: Chance, size: int) -> None:
        self._chance = chance
        weights = np.cumsum((np.arange(1, size + 1) + _SHIFT) ** -_EXPONENT)
        self._bounds: Floats = weights / weights[-1]
        self._stock: list[int] = []

    def draw(self, count: int) -> list[int]:
        """So many ranks, fewer than 65,536."""
        if len(self._stock) < count:
            self._stock += np.searchsorted(self._bounds, self._chance.shares(_STOCK), side="right").tolist()
        drawn, self._stock[-count:] = self._stock[-count:], []
        return drawn


class English:
    """English in shape: words of syllables between blanks, commas, full stops, numbers."""

    name = "en"

    def __init__(self, chance: Chance, words: int = ENGLISH_WORDS) -> None:
        self._chance = chance
        self._words = _english_words(chance, words)
        self._ranks = Ranks(chance, words)

    def text(self) -> str:
        """A sentence of 12 to 42 words."""
        words = [self._word(rank) for rank in self._ranks.draw(self._chance.integer(*_SENTENCE))]
        for place in range(_COMMA_EVERY, len(words), _COMMA_EVERY):
            words[place - 1] += ","
        return " ".join(words).capitalize() + "."

    def _word(self, rank: int) -> str:
        if rank % _NUMBER_EVERY == _NUMBER_EVERY - 1:
            return str(rank * 7 % 10_000)
        return self._words[rank]

    def query(self, one: str, other: str) -> str:
        """Six to twelve different words, half of them from each text."""
        count = self._chance.integer(*_QUERY_WORDS)
        asked = self._some(one, count // 2)
        rest = [word for word in self._some(other, count) if word not in asked]
        return " ".join([*asked, *rest[: count - len(asked)]])

    def _some(self, text: str, count: int) -> list[str]:
        words = list(dict.fromkeys(word.strip(",.").lower() for word in text.split()))
        return [words[place] for place in self._chance.order(len(words))[:count]]


class Chinese:
    """Chinese in shape: words of one to four characters without blanks, commas and full stops."""

    name = "zh"

    def __init__(self, chance: Chance, words: int = CHINESE_WORDS) -> None:
        self._chance = chance
        self._words = _chinese_words(chance, words)
        self._ranks = Ranks(chance, words)

    def text(self) -> str:
        """A sentence of 18 to 52 characters."""
        length = self._chance.integer(*_HAN_SENTENCE)
        characters = "".join(self._words[rank] for rank in self._ranks.draw(length))[:length]
        clauses = [characters[place : place + _CLAUSE] for place in range(0, length, _CLAUSE)]
        return "，".join(clauses) + "。"

    def query(self, one: str, other: str) -> str:
        """Two stretches of 6 to 12 words together, one from each text."""
        count = self._chance.integer(*_QUERY_WORDS)
        return self._stretch(one, count // 2) + self._stretch(other, count - count // 2)

    def _stretch(self, text: str, words: int) -> str:
        characters = text.replace("，", "").replace("。", "")
        length = min(round(words * _CHARACTERS_A_WORD), len(characters))
        start = self._chance.integer(0, len(characters) - length)
        return characters[start : start + length]


def _english_words(chance: Chance, count: int) -> list[str]:
    """Different words: 60 of one syllable, up to 8,000 of two, the others of three."""
    words: dict[str, None] = {}
    for last, syllables in _SYLLABLES:
        for draws in _draws(chance, 3 * syllables):
            if len(words) >= min(last, count):
                break
            words["".join(_syllable(draws[place : place + 3]) for place in range(0, 3 * syllables, 3))] = None
    return list(words)


def _syllable(draws: list[int]) -> str:
    return _ONSETS[draws[0] % len(_ONSETS)] + _VOWELS[draws[1] % len(_VOWELS)] + _CODAS[draws[2] % len(_CODAS)]


def _chinese_words(chance: Chance, count: int) -> list[str]:
    """Different words: the first ones of one character, the others of two, three or four."""
    first, last = _HAN
    characters = [chr(first + place) for place in chance.order(last - first + 1)[:_CHARACTERS].tolist()]
    ranks = Ranks(chance, _CHARACTERS)
    lengths = (2, 2, 2, 2, 2, 2, 2, 3, 3, 4)
    words: dict[str, None] = dict.fromkeys(characters[: min(200, count)])
    for (draw,) in _draws(chance, 1):
        if len(words) >= count:
            break
        words["".join(characters[rank] for rank in ranks.draw(lengths[draw % len(lengths)]))] = None
    return list(words)


def _draws(chance: Chance, width: int) -> Iterator[list[int]]:
    """Endless rows of whole numbers from 0 to 2**31 - 1."""
    while True:
        yield from chance.integers(0, 2**31 - 1, width * 4096).reshape(-1, width).tolist()
