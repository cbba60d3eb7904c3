"""Numbers drawn by chance from a seed, the same on every machine and with every version of numpy.

SplitMix64 (Steele, Lea and Flood, 2014) over a counter: numpy's own generators may change their streams.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_Words = NDArray[np.uint64]

_STEP: Final = 0x9E3779B97F4A7C15
_MIX_ONE: Final = np.uint64(0xBF58476D1CE4E5B9)
_MIX_TWO: Final = np.uint64(0x94D049BB133111EB)
_WORD: Final = 2**64
_SPARE_BITS: Final = np.uint64(11)
_FRACTION: Final = 2.0**-53


class Chance:
    """A stream of numbers that a seed decides."""

    def __init__(self, seed: int) -> None:
        self._state = seed % _WORD

    def words(self, count: int) -> _Words:
        """The next 64-bit words."""
        steps = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(_STEP)
        mixed = steps + np.uint64(self._state)
        self._state = (self._state + count * _STEP) % _WORD
        mixed = (mixed ^ (mixed >> np.uint64(30))) * _MIX_ONE
        mixed = (mixed ^ (mixed >> np.uint64(27))) * _MIX_TWO
        return mixed ^ (mixed >> np.uint64(31))

    def shares(self, count: int) -> Floats:
        """Numbers spread evenly over [0, 1)."""
        return (self.words(count) >> _SPARE_BITS).astype(np.float64) * _FRACTION

    def integers(self, least: int, most: int, count: int) -> Ints:
        """Whole numbers from `least` to `most`, both included."""
        return least + (self.shares(count) * (most - least + 1)).astype(np.int64)

    def integer(self, least: int, most: int) -> int:
        """One whole number from `least` to `most`, both included."""
        return int(self.integers(least, most, 1)[0])

    def order(self, count: int) -> Ints:
        """The numbers below `count` in a random order."""
        return np.argsort(self.words(count), kind="stable").astype(np.int64)
