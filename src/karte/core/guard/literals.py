"""Which of many words are in a text: all of them looked for at once, in many texts at once.

A word can only be where its first bytes are. Every stretch of four bytes in the texts is turned into a short code, all
of them in a few calls of numpy; only where a word with that code begins are the words themselves compared.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, compress
from typing import Final

import numpy as np
from numpy.typing import NDArray

_WINDOW: Final = 4
_BITS: Final = 16
_FACTOR: Final = 2_654_435_761
_SHIFT: Final = np.uint32(32 - _BITS)
_FACTORS: Final = {3: np.uint32(_FACTOR << 8 & 0xFFFFFFFF), 4: np.uint32(_FACTOR)}
"""How many first bytes of a word are coded, and what a window is multiplied by: of three, the fourth drops out."""

_SEPARATOR: Final = b"\0"
_GROUP: Final = 128
"""So many texts are looked through together: what is computed of them fits into the cache of a processor."""

_FEW: Final = 128
"""So many words are looked for one by one: that takes less time than to begin with numpy."""

Found = list[int]
"""Places of words in the list of words, in the order in which they stand in a text; a word may be there twice."""


class Words:
    """A list of words, none of them empty or with a NUL."""

    def __init__(self, words: Iterable[str]) -> None:
        """Sort the words by their first bytes."""
        self._all = list(words)
        self._short: list[tuple[str, int]] = []
        self._begun: dict[int, dict[bytes, list[tuple[bytes, int]]]] = {width: {} for width in _FACTORS}
        for number, word in enumerate(self._all):
            written = word.encode()
            width = min(len(written), _WINDOW)
            if width in self._begun:
                self._begun[width].setdefault(written[:width], []).append((written, number))
            else:
                self._short.append((word, number))
        self._tables = {width: _table(begun, _FACTORS[width]) for width, begun in self._begun.items() if begun}

    def in_each(self, texts: Sequence[str]) -> list[Found]:
        """The words in each of these texts."""
        if len(texts) * len(self._all) <= _FEW:
            return [self._one_by_one(text) for text in texts]
        return [
            found for start in range(0, len(texts), _GROUP) for found in self._in_group(texts[start : start + _GROUP])
        ]

    def _one_by_one(self, text: str) -> Found:
        there = compress(range(len(self._all)), map(text.__contains__, self._all))
        return sorted(there, key=lambda number: text.find(self._all[number]))

    def _in_group(self, texts: Sequence[str]) -> list[Found]:
        found = [[number for word, number in self._short if word in text] for text in texts]
        written = [text.encode(errors="surrogatepass") for text in texts]
        data = _SEPARATOR.join([*written, bytes(_WINDOW)])
        ends = list(accumulate(len(each) + len(_SEPARATOR) for each in written))
        for place, number in sorted(self._places(data)):
            found[bisect_right(ends, place)].append(number)
        return found

    def _places(self, data: bytes) -> Iterator[tuple[int, int]]:
        """Where a word begins, and which one; `data` ends with at least a window of NULs."""
        windows: NDArray[np.uint32] = np.ndarray((len(data) - _WINDOW + 1,), "<u4", data, 0, (1,))
        for width, table in self._tables.items():
            begun = self._begun[width]
            for place in table[_codes(windows, _FACTORS[width])].nonzero()[0].tolist():
                for word, number in begun.get(data[place : place + width], ()):
                    if data.startswith(word, place):
                        yield place, number


def _table(begun: Iterable[bytes], factor: np.uint32) -> NDArray[np.bool_]:
    """Which codes words have."""
    table = np.zeros(1 << _BITS, np.bool_)
    starts = b"".join(start.ljust(_WINDOW, b"\0") for start in begun)
    table[_codes(np.frombuffer(starts, "<u4"), factor)] = True
    return table


def _codes(windows: NDArray[np.uint32], factor: np.uint32) -> NDArray[np.uint32]:
    return (windows * factor) >> _SHIFT
