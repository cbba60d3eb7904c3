"""Rows of whole numbers side by side, small in memory and quick to become arrays."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


class Columns:
    """A table of 64-bit numbers; the first column says what a row is about."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._values = array("q")

    def __len__(self) -> int:
        return len(self._values) // self._width

    def extend(self, rows: Iterable[tuple[int, ...]]) -> None:
        """Add rows."""
        for row in rows:
            self._values.extend(row)

    def drop(self, about: Collection[int]) -> None:
        """Remove all rows about these."""
        if about and len(self):
            rows = self.rows()
            kept = rows[~np.isin(rows[:, 0], np.fromiter(about, np.int64, len(about)))]
            self._values = array("q", kept.tobytes())

    def rows(self) -> Ints:
        """A copy of all rows, [rows, width]."""
        return np.array(self._values, np.int64).reshape(-1, self._width)
