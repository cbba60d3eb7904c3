"""The voices of recall: each says which memories it would answer a query with, and how strongly.

A voice is asked twice: for candidates in its own order, then for exact scores of all that any voice brought up. It
knows nothing of what is in force, of filters or of the other voices.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Protocol


class Voice(Protocol):
    """One voice, asked one query in one namespace."""

    @property
    def name(self) -> str:
        """lexical, vector, temporal or graph."""

    def batches(self, first: int) -> Iterator[list[int]]:
        """All its candidates, best first, in batches of growing size; `first` is the size of the first."""

    def score(self, numbers: Collection[int]) -> dict[int, float]:
        """Its raw scores of these memories, 0 or more; those it has nothing to say of are left out."""

    def evidence(self, numbers: Collection[int]) -> dict[int, str]:
        """Why it found these memories, in a few words; those it has nothing to say of are left out."""
