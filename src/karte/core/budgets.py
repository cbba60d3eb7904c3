"""Budgets: how much of each part of a prompt may be, and what of it fits."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Final
from unicodedata import category

from karte.errors import InvalidValue

Measure = Callable[[str], int]
"""How large a text is: characters by default, or tokens as a host counts them. A longer text is never smaller."""

CUT: Final = "…"
"""What stands where something was cut off."""

_JOINERS: Final = frozenset("\u200d\ufe0e\ufe0f")
_LARGEST: Final = 10_000_000


@dataclass(frozen=True)
class Budgets:
    """The most that each part of a prompt may be, with its heading: in characters, or in what a measure counts."""

    policies: int = 2_000
    notes: int = 2_000
    facts: int = 1_200
    mistakes: int = 1_200

    @classmethod
    def read(cls, given: Mapping[str, int] | None) -> Budgets:
        """Read budgets by part; what is not given is as usual. Raises `InvalidValue`."""
        if given is None:
            return cls()
        names = [field.name for field in fields(cls)]
        if not isinstance(given, Mapping) or set(given) - set(names):
            raise InvalidValue(f"budget is an object with some of the keys {', '.join(names)}.")
        for name, value in given.items():
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _LARGEST:
                raise InvalidValue(f"The budget of {name} is a whole number from 0 to {_LARGEST:,}, not {value!r}.")
        return cls(**given)

    def to_dict(self) -> dict[str, int]:
        """policies, notes, facts, mistakes."""
        return dict(vars(self))


@dataclass(frozen=True)
class Room:
    """So much room, by a measure."""

    most: int
    measure: Measure = len

    def fits(self, text: str) -> bool:
        """Whether a text fits in; raises `InvalidValue` for a measure that gives no size."""
        return self.size(text) <= self.most

    def size(self, text: str) -> int:
        """How large a text is."""
        size = self.measure(text)
        if isinstance(size, bool) or not isinstance(size, int) or size < 0:
            raise InvalidValue(f"measure gives a whole number for a text, not {size!r}.")
        return size


def pack(turns: Iterable[int], write: Callable[[Sequence[int]], str], room: Room, most: int) -> list[int]:
    """The places of the lines that fit, at most `most`, ascending; each has its turn, and `write` makes a text of some.

    A line with which the text does not fit is skipped; a later one may.
    """
    places: list[int] = []
    for place in turns:
        if len(places) == most:
            break
        insort(places, place)
        if not room.fits(write(places)):
            places.remove(place)
    return places


def cut(text: str, room: Room) -> str:
    """As much of the beginning of a text as fits, with a sign where it was cut; nothing where not even that fits."""
    if room.fits(text):
        return text
    end = _most(len(text), lambda end: room.fits(_beginning(text, end)))
    while end and not room.fits(_beginning(text, end)):
        end -= 1
    return _beginning(text, end) if end else ""


def _beginning(text: str, end: int) -> str:
    return text[: _between(text, end)].rstrip() + CUT


def cut_before(text: str, write: Callable[[str], str], room: Room) -> int:
    """From where on the end of a text fits, written as `write` does: from the start of a line, if there is one."""
    if room.fits(write(text)):
        return 0
    start = len(text) - _most(len(text), lambda kept: room.fits(write(text[len(text) - kept :])))
    line = text.find("\n", start - 1 if start else 0)
    if 0 <= line < len(text.rstrip()):
        start = line + 1
    start = _between(text, start, step=1)
    while start < len(text) and not room.fits(write(text[start:])):
        start += 1
    return start


def _most(length: int, fits: Callable[[int], bool]) -> int:
    """The greatest number up to a length that fits, if all smaller ones do."""
    least, most = 0, length
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if fits(middle) else (least, middle - 1)
    return least


def _between(text: str, place: int, step: int = -1) -> int:
    """The nearest place before (or after) that stands between two characters as they are read, not inside one."""
    while 0 < place < len(text) and _inside(text, place):
        place += step
    return place


def _inside(text: str, place: int) -> bool:
    after, before = text[place], text[place - 1]
    return (
        before == "\u200d"
        or after in _JOINERS
        or category(after).startswith("M")
        or "\U0001f3fb" <= after <= "\U0001f3ff"
    )
