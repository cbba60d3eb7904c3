"""A clock that is set, ids and secrets that are counted: with them, the same calls give the same answers."""

from __future__ import annotations

from datetime import datetime

from karte.core.periods import SECOND, instant_of


class GivenClock:
    """A clock that stands still until it is moved."""

    def __init__(self, moment: datetime) -> None:
        self._now = instant_of(moment)

    def now(self) -> int:
        """Microseconds since the epoch."""
        return self._now

    def advance(self, seconds: float = 1) -> None:
        """Move the clock, backwards too."""
        self._now += round(seconds * SECOND)


class CountedIds:
    """Ids by count: `mem_00000001`, `mem_00000002` ..."""

    def __init__(self) -> None:
        self._made = 0

    def new(self, prefix: str) -> str:
        """The next id."""
        self._made += 1
        return f"{prefix}{self._made:08}"


class CountedSecrets:
    """Secrets by count, which anybody can guess."""

    def __init__(self) -> None:
        self._made = 0

    def new(self, count: int) -> bytes:
        """The next one, of so many bytes."""
        self._made += 1
        return self._made.to_bytes(count)
