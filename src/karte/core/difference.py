"""What differs between two texts: by their terms, and item by item where one was put in another's place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

from karte.core.grammar import After
from karte.core.text import terms
from karte.core.wording import Item, Wording

_NEGATIONS: Final = frozenset(
    terms(
        "not no never none without cannot can't don't doesn't didn't won't isn't aren't wasn't weren't stop stopped "
        "ない なし ません"
    )
)
_NEGATIVE_SIGNS: Final = frozenset(terms("不 没 无 非 未 别 않 없 못"))
"""Characters that deny, also inside a pair of a longer run."""

_DIGIT: Final = re.compile(r"\d")


def similarity(one: Iterable[str], other: Iterable[str]) -> float:
    """The share of terms that two texts have in common (Jaccard index of their distinct terms), 0..1."""
    first, second = set(one), set(other)
    together = first | second
    return len(first & second) / len(together) if together else 0.0


def skeleton(found: Iterable[str]) -> list[str]:
    """The distinct terms without a digit, in order: what is left of a text when its values are taken out."""
    return sorted({term for term in found if term.isalpha() or not _DIGIT.search(term)})


def difference(one: Iterable[str], other: Iterable[str]) -> str:
    """What keeps two similar texts from being one statement, from their terms; empty where nothing does.

    Numbers, dates and versions are terms with a digit; a negation is a word of a small list (en, zh, ja, ko); any
    other term that stands in one text alone is named as words. Order and repetition do not differ.
    """
    kinds = {_kind(term) for term in set(one) ^ set(other)}
    return ", ".join(name for name in ("value", "polarity", "words") if name in kinds)


def _kind(term: str) -> str:
    if _DIGIT.search(term):
        return "value"
    return "polarity" if term in _NEGATIONS or not _NEGATIVE_SIGNS.isdisjoint(term) else "words"


BEGIN: Final = "^"
END: Final = "$"
VALUE: Final = "#"
_PREFIX: Final = 4
"""So many first letters of a word may stand for it: `prod`, `config`."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Items in a row that the other text does not have, and the keys of what both have, left and right of them.

    `rest` is the size of what follows it in its text; `early` tells whether the predicate begins after it.
    """

    items: tuple[Item, ...]
    left: str
    right: str
    rest: float
    early: bool

    @property
    def shown(self) -> str:
        """Its words, as written."""
        joint = "" if all(not item.shown.isascii() for item in self.items) else " "
        return joint.join(item.shown for item in self.items)


@dataclass(frozen=True, slots=True)
class Swap:
    """What one text has where the other has something else."""

    one: Piece
    other: Piece

    @property
    def shown(self) -> str:
        """Both, as written."""
        return f"{self.one.shown} / {self.other.shown}"

    @property
    def first(self) -> bool:
        """Whether they begin their texts."""
        return self.one.left == BEGIN

    @property
    def last(self) -> bool:
        """Whether they end their texts."""
        return self.one.right == END


@dataclass(frozen=True)
class Apart:
    """What keeps two wordings apart: the items that each has `alone`, as far as they are not values.

    `values` are those pairs of values that can answer one question and differ, `single` the values without such a
    partner. `share` is the part of their words that both have (Dice's coefficient by size, 0..1).
    """

    wordings: tuple[Wording, Wording]
    alone: tuple[Sequence[Item], Sequence[Item]]
    values: tuple[tuple[Item, Item], ...]
    single: tuple[Item, ...]
    share: float

    @property
    def denied(self) -> bool:
        """Whether one of them denies and the other does not."""
        one, other = self.wordings
        return one.denials % 2 != other.denials % 2

    @property
    def borne(self) -> tuple[str, ...]:
        """The words of grammar that a statement turns on, of the first and of the second, where these differ."""
        one, other = (wording.bearings for wording in self.wordings)
        return () if one == other else (" ".join(sorted(one - other)), " ".join(sorted(other - one)))

    @property
    def alike(self) -> bool:
        """Whether nothing differs but order and grammar."""
        return not (any(self.alone) or self.values or self.single or self.denied)

    @cached_property
    def one(self) -> tuple[Piece, ...]:
        """The pieces of words that the first has alone."""
        return _pieces(self.wordings[0], self.alone[0], [*(a for a, _ in self.values), *self.single])

    @cached_property
    def other(self) -> tuple[Piece, ...]:
        """The pieces of words that the second has alone."""
        return _pieces(self.wordings[1], self.alone[1], [*(b for _, b in self.values), *self.single])

    @cached_property
    def swaps(self) -> list[Swap]:
        """Pieces that stand at the same place: between the same neighbours."""
        places = {(piece.left, piece.right): piece for piece in self.other}
        return [
            Swap(piece, places[piece.left, piece.right]) for piece in self.one if (piece.left, piece.right) in places
        ]

    @property
    def ordered(self) -> bool:
        """Whether the words that both have come in the same order."""
        one, other = (
            [item.key for item in wording.items if not item.value and item.place not in places]
            for wording, places in zip(self.wordings, ({i.place for i in side} for side in self.alone), strict=True)
        )
        return one == other


def apart(one: Wording, other: Wording) -> Apart:
    """What keeps two statements apart."""
    mine = [item for item in one.items if not other.has(item)]
    theirs = [item for item in other.items if not one.has(item)]
    if mine and theirs:
        mine, theirs = _without_equivalents(mine, theirs)
    values, single = _paired([i for i in mine if i.value], [i for i in theirs if i.value])
    alone = [i for i in mine if not i.value], [i for i in theirs if not i.value]
    whole, lost = one.size + other.size, sum(item.size for side in alone for item in side)
    return Apart((one, other), alone, values, single, 1 - lost / whole if whole else 0.0)


def _without_equivalents(mine: Sequence[Item], theirs: Sequence[Item]) -> tuple[list[Item], list[Item]]:
    """What is left without items that say the same in other forms: a value more exactly, a word by its beginning."""
    same = [(a, b) for a in mine if a.value for b in theirs if b.value and a.value.fits(b.value)]
    beginnings = {item.key[:_PREFIX]: item for item in theirs if len(item.key) >= _PREFIX and not item.value}
    for item in mine:
        other = beginnings.get(item.key[:_PREFIX])
        if other and _begins(item.key, other.key):
            same.append((item, other))
    ones, others = {a.place for a, _ in same}, {b.place for _, b in same}
    return [a for a in mine if a.place not in ones], [b for b in theirs if b.place not in others]


def _begins(one: str, other: str) -> bool:
    short, long = (one, other) if len(one) < len(other) else (other, one)
    return long.startswith(short) and long.isalpha()


def _paired(mine: Sequence[Item], theirs: Sequence[Item]) -> tuple[tuple[tuple[Item, Item], ...], tuple[Item, ...]]:
    """Values that differ as pairs, in text order, and those that are left."""
    left, pairs, single = list(theirs), [], []
    for item in mine:
        partner = next((other for other in left if _comparable(item, other)), None)
        if partner is None:
            single.append(item)
        else:
            left.remove(partner)
            pairs.append((item, partner))
    return tuple(pairs), (*single, *left)


def _comparable(one: Item, other: Item) -> bool:
    return bool(one.value and other.value and one.value.comparable(other.value))


def _pieces(wording: Wording, words: Sequence[Item], others: Iterable[Item]) -> tuple[Piece, ...]:
    if not words:
        return ()
    found: list[Piece] = []
    places, values = {item.place for item in words}, [*others]
    left, row = BEGIN, list[Item]()
    for item in wording.items:
        if item.place in places:
            row.append(item)
            continue
        key = VALUE if item.value and any(item is value for value in values) else item.key
        if row:
            found.append(_piece(row, left, key, wording.items))
            row = []
        left = key
    if row:
        found.append(_piece(row, left, END, wording.items))
    return tuple(found)


def _piece(row: Sequence[Item], left: str, right: str, items: Sequence[Item]) -> Piece:
    last = row[-1]
    rest = sum(item.size for item in items[last.place + 1 :])
    return Piece(tuple(row), left, right, rest, items[-1].told and not last.told)


def breaks(one: Wording, other: Wording) -> int:
    """How many neighbours in one text are none in the other: three at most where one piece has moved."""
    pairs = [{(a.key, b.key) for a, b in pairwise(wording.items)} for wording in (one, other)]
    return max(len(pairs[0] - pairs[1]), len(pairs[1] - pairs[0]))


def exchanged(one: Wording, other: Wording) -> tuple[int, int] | None:
    """The places in the first of two words or values that have changed parts in the second; None where none have.

    Words may come in another order and keep their parts: `Since 2022 we use Kafka`, `We use Kafka since 2022`.
    """
    ones, others = [item.key for item in one.items], [item.key for item in other.items]
    if ones == others or sorted(ones) != sorted(others):
        return None
    start = next(place for place, (a, b) in enumerate(zip(ones, others, strict=True)) if a != b)
    end = next(place for place in range(len(ones), 0, -1) if ones[place - 1] != others[place - 1])
    first, last = one.items[start], one.items[end - 1]
    parts = _other_parts(one, other)
    if parts or not (_comparable(first, last) or not (first.value or last.value)):
        return parts
    neighbours = end - start == len((first, last)) and (first.name or first.value) and (last.name or last.value)
    return (start, end - 1) if neighbours or _around(ones[start:end], others[start:end]) else None


def _other_parts(one: Wording, other: Wording) -> tuple[int, int] | None:
    """Where a word is what something is said of in one text, and what something is done to in the other."""
    parts = {item.key: item.after for item in other.items}
    moved = [item.place for item in one.items if {item.after, parts.get(item.key)} == {After.TOPIC, After.OBJECT}]
    return (moved[0], moved[-1]) if moved else None


def _around(ones: Sequence[str], others: Sequence[str]) -> bool:
    """Whether two pieces have changed places around what stands between them, not only the one before the other."""
    whole = len(ones)
    rotated = any([*ones[place:], *ones[:place]] == [*others] for place in range(1, whole))
    return not rotated and any(
        ones[:first] == others[whole - first :] and ones[whole - last :] == others[:last]
        for first in range(1, whole - 1)
        for last in range(1, whole - first)
        if ones[first : whole - last] == others[last : whole - first]
    )
