"""What differs between two texts: by their terms, and item by item where one was put in another's place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

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
    """What keeps two texts apart.

    `one` and `other` are the pieces of words that each has alone, `values` those pairs of values that can answer one
    question and differ, `single` the values without such a partner. `share` is the part of their words that both have
    (Dice's coefficient by size, 0..1). `denied` tells whether one of them denies and the other does not, `ordered` whether
    what both have comes in the same order.
    """

    one: tuple[Piece, ...]
    other: tuple[Piece, ...]
    values: tuple[tuple[Item, Item], ...]
    single: tuple[Item, ...]
    share: float
    denied: bool
    ordered: bool

    @cached_property
    def swaps(self) -> list[Swap]:
        """Pieces that stand at the same place: between the same neighbours."""
        places = {(piece.left, piece.right): piece for piece in self.other}
        return [
            Swap(piece, places[piece.left, piece.right]) for piece in self.one if (piece.left, piece.right) in places
        ]

    @property
    def alike(self) -> bool:
        """Whether nothing differs but order and grammar."""
        return not (self.one or self.other or self.values or self.single or self.denied)


def apart(one: Wording, other: Wording) -> Apart:
    """What keeps two statements apart; the order of their words is left to the caller."""
    mine = [item for item in one.items if not other.has(item)]
    theirs = [item for item in other.items if not one.has(item)]
    if mine and theirs:
        same = [(a, b) for a in mine for b in theirs if _same(a, b)]
        mine = [item for item in mine if not any(item is a for a, _ in same)]
        theirs = [item for item in theirs if not any(item is b for _, b in same)]
    values, single = _paired([i for i in mine if i.value], [i for i in theirs if i.value])
    return Apart(
        _pieces(one.items, mine),
        _pieces(other.items, theirs),
        values,
        single,
        _share(one, mine, other, theirs),
        one.denials % 2 != other.denials % 2,
        _common(one, mine) == _common(other, theirs),
    )


def _common(wording: Wording, alone: Sequence[Item]) -> list[str]:
    places = {item.place for item in alone}
    return [item.key for item in wording.items if item.place not in places and not item.value]


def _same(one: Item, other: Item) -> bool:
    """Whether two items say the same in other forms: a value more exactly, a word by its beginning."""
    if one.value or other.value:
        return bool(one.value and other.value and one.value.fits(other.value))
    short, long = sorted((one.key, other.key), key=len)
    return len(short) >= _PREFIX and long.startswith(short) and long.isalpha()


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


def _pieces(items: Sequence[Item], alone: Sequence[Item]) -> tuple[Piece, ...]:
    if not alone:
        return ()
    found: list[Piece] = []
    places = {item.place for item in alone}
    left, row = BEGIN, list[Item]()
    for item in items:
        if item.place in places and not item.value:
            row.append(item)
            continue
        key = VALUE if item.place in places else item.key
        if row:
            found.append(_piece(row, left, key, items))
            row = []
        left = key
    if row:
        found.append(_piece(row, left, END, items))
    return tuple(found)


def _piece(row: Sequence[Item], left: str, right: str, items: Sequence[Item]) -> Piece:
    last = row[-1]
    rest = sum(item.size for item in items[last.place + 1 :])
    return Piece(tuple(row), left, right, rest, items[-1].told and not last.told)


def _share(one: Wording, mine: Sequence[Item], other: Wording, theirs: Sequence[Item]) -> float:
    whole = one.size + other.size
    alone = sum(item.size for item in (*mine, *theirs) if not item.value)
    return 1 - alone / whole if whole else 0.0
