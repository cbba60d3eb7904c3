"""Whether two statements contradict each other, say the same, or may both hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from functools import cached_property
from typing import Final

from karte.core.difference import BEGIN, VALUE, Apart, Piece, Swap, apart, breaks, exchanged
from karte.core.grammar import MODALS, After, Before
from karte.core.memories import Triple
from karte.core.quantities import PLACE, WHEN
from karte.core.text import fold_content
from karte.core.wording import Item, Wording, read_wording


class Relation(StrEnum):
    """How two statements stand to each other.

    `CONTRADICTION` is sure: they answer one question differently. `UNSURE` is for a person to decide. `COMPATIBLE`
    statements may both hold, such as those of two subjects; `UNRELATED` ones have too little in common to be compared.
    """

    SAME_STATEMENT = "same statement"
    CONTRADICTION = "contradiction"
    UNSURE = "unsure"
    COMPATIBLE = "compatible"
    UNRELATED = "unrelated"

    @property
    def surfaced(self) -> bool:
        """Whether somebody is told of it."""
        return self in {Relation.CONTRADICTION, Relation.UNSURE}


@dataclass(frozen=True)
class Verdict:
    """A relation, how sure it is (0..1), and what differs in plain words, such as `number 80 / 81`."""

    relation: Relation
    confidence: float
    differs: tuple[str, ...] = ()


LONGEST: Final = 2_000
"""Characters of a text that is one statement; what a longer one says is more than can be compared."""


@dataclass(frozen=True)
class Said:
    """A statement as it is compared: its text, its topic, and its triple in normal form where it has one."""

    content: str
    topic: str | None = None
    names: Triple | None = None

    @classmethod
    def of(cls, content: str, topic: str | None = None, names: Triple | None = None) -> Said:
        """A statement, read once: keep it to compare it with many others."""
        said = cls(content, topic, names)
        if not said.long:
            said.wording  # noqa: B018 - read now, remembered for every comparison
        return said

    @property
    def long(self) -> bool:
        """Whether it is longer than one statement is."""
        return len(self.content) > LONGEST

    @cached_property
    def wording(self) -> Wording:
        """Its text as items."""
        return read_wording(self.content)

    @cached_property
    def topic_wording(self) -> Wording:
        """Its topic as items; none without one."""
        return read_wording(self.topic or "")


_RELATED: Final = 0.34
"""The least share of common words of two statements that are compared; below it, their vectors must be near."""

_ALIKE: Final = 0.5
"""The least share of common words of two statements that may answer one question in other words."""

_MOSTLY: Final = 0.75
"""The same where both have words of their own and one denies: what is denied must be the same thing."""

_NEAR: Final = 0.7
"""The least likeness that counts as much as common words do."""

_TAIL: Final = 2.0
"""What may follow an answer, in words: the end of a name, or a verb at the end of a Japanese sentence."""

_LONGEST: Final = 4
_MOST_BREAKS: Final = 6
"""Two moved pieces; a text in which more has moved is another one of the same words."""

_NO_ANSWER: Final = frozenset({After.TIE, After.OBJECT, After.TOPIC})
_OF_NOUNS: Final = frozenset({Before.ARTICLE, Before.PREPOSITION})


def compare(one: Said, other: Said, likeness: float | None = None) -> Verdict:
    """How two statements stand to each other; the order of the two makes no difference.

    `likeness` is the cosine of their vectors in 0..1, with 0 where the embedder's unrelated texts are and 1 where equal
    ones are; None without an embedder or for a text that it does not read. Names are taken as they are: aliases are
    resolved before, and a predicate that may have several objects at once is none to ask about. A text of more than
    `LONGEST` characters is compared with an equal one only.
    """
    if one.names and other.names:
        return _by_names(one.names, other.names) or _other_predicate(_by_text(one, other, likeness))
    return _by_text(one, other, likeness)


def _by_names(one: Triple, other: Triple) -> Verdict | None:
    """What the triples alone tell; None for two predicates of one subject."""
    if one.subject != other.subject:
        return Verdict(Relation.COMPATIBLE, 0.9, (f"subject {one.subject} / {other.subject}",))
    if one.predicate != other.predicate:
        return None
    if one.object == other.object:
        return Verdict(Relation.SAME_STATEMENT, 0.9)
    return Verdict(Relation.CONTRADICTION, 0.95, (f"object {one.object} / {other.object}",))


def _other_predicate(verdict: Verdict) -> Verdict:
    """Two predicates are two questions, unless one is the other by another name: never sure."""
    if verdict.relation is Relation.CONTRADICTION:
        return replace(verdict, relation=Relation.UNSURE, confidence=_ALIKE)
    return verdict


def _by_text(one: Said, other: Said, likeness: float | None) -> Verdict:
    if one.long or other.long:
        return _by_spelling(one, other)
    near = likeness or 0.0
    found = apart(one.wording, other.wording)
    if found.alike:
        return _by_bearings(found.borne) if found.borne else _in_order(one.wording, other.wording)
    if found.share < _RELATED and near < _NEAR:
        return _unrelated(found)
    if found.denied:
        return _by_polarity(found, one.wording)
    return _by_values(found, one, other, near) if found.values else _by_words(found, near)


def _by_spelling(one: Said, other: Said) -> Verdict:
    """Long texts are one statement or none."""
    same = fold_content(one.content) == fold_content(other.content)
    return Verdict(Relation.SAME_STATEMENT if same else Relation.UNRELATED, 0.95)


def _by_bearings(borne: tuple[str, ...]) -> Verdict:
    """Nothing differs but `before` and `after`, `can` and `must`, or that one says `only`."""
    relation = Relation.UNSURE if all(borne) else Relation.COMPATIBLE
    return Verdict(relation, 0.6, (" / ".join(borne),))


def _in_order(one: Wording, other: Wording) -> Verdict:
    """Nothing differs but, perhaps, which of two stands where: `Anna reports to Bob`, `Bob reports to Anna`."""
    if breaks(one, other) > _MOST_BREAKS:
        return Verdict(Relation.COMPATIBLE, 0.6, ("order",))
    places = exchanged(one, other)
    if places is None:
        return Verdict(Relation.SAME_STATEMENT, 0.95)
    first, second = (one.items[place] for place in places)
    relation = Relation.UNSURE if first.value and second.value else Relation.COMPATIBLE
    return Verdict(relation, 0.6, (f"order of {first.shown} / {second.shown}",))


def _by_polarity(found: Apart, one: Wording) -> Verdict:
    differs = ("negation",)
    denying, plain = (found.one, found.other) if one.denials % 2 else (found.other, found.one)
    limited = any(word not in MODALS for words in found.borne for word in words.split())
    if not (denying or plain or found.values or found.single or limited):
        return Verdict(Relation.CONTRADICTION, 0.95, differs)
    rewritten = limited or found.swaps or not found.ordered or (denying and plain and found.share < _MOSTLY)
    if rewritten or _restated(denying, plain):
        return Verdict(Relation.COMPATIBLE, 0.6, differs)
    return Verdict(Relation.UNSURE, found.share, differs) if found.share >= _ALIKE else _unrelated(found)


def _restated(denying: Sequence[Piece], plain: Sequence[Piece]) -> bool:
    """Whether what is said without a negation may have it in a word: `not supported`, `is unsupported`."""
    return not denying and any(piece.items[0].before is Before.COPULA for piece in plain)


def _by_values(found: Apart, one: Said, other: Said, near: float) -> Verdict:
    differs = tuple(_shown(a, b) for a, b in found.values)
    subjects = [swap for swap in found.swaps if _subject(swap)]
    if subjects:
        return Verdict(Relation.COMPATIBLE, 0.8, (*(f"subject {swap.shown}" for swap in subjects), *differs))
    if _several(found):
        return Verdict(Relation.COMPATIBLE, 0.7, differs)
    if not (found.one or found.other or found.single):
        return _by_value_alone(found, one, other, differs)
    if found.share >= _ALIKE or near >= _NEAR:
        return Verdict(Relation.UNSURE, max(found.share, near), differs)
    return Verdict(Relation.COMPATIBLE, _ALIKE, differs)


def _by_value_alone(found: Apart, one: Said, other: Said, differs: tuple[str, ...]) -> Verdict:
    """The texts are equal but for values."""
    here = [_standing(a, one.wording, b, other.wording) for a, b in found.values]
    if Standing.NAMES in here:
        return Verdict(Relation.COMPATIBLE, 0.7, differs)
    if len(here) > 1 or Standing.MAY_NAME in here or found.borne or _topics_differ(one, other):
        return Verdict(Relation.UNSURE, 0.6, differs)
    return Verdict(Relation.CONTRADICTION, 0.95, differs)


class Standing(IntEnum):
    """Whether a value is what a statement tells, or names what it tells something of: `Room 204`, `In 2024`."""

    TELLS = 0
    MAY_NAME = 1
    NAMES = 2


def _standing(one: Item, wording: Wording, other: Item, otherwise: Wording) -> Standing:
    return max(_part(one, wording), _part(other, otherwise))


def _part(item: Item, wording: Wording) -> Standing:
    value, rest = item.value, sum(each.size for each in wording.items[item.place + 1 :])
    if value is None or not rest:
        return Standing.TELLS
    early = wording.items[-1].told and not item.told
    noun = value.bare and not value.counted and item.place > 0 and item.before is Before.NOTHING
    if value.counter == PLACE or (noun and early) or (_when(item) and item.place == 0 and value.amount[0] is not None):
        return Standing.NAMES
    told_of = _when(item) and any(each.value and each is not item and not _when(each) for each in wording.items)
    if early or told_of or item.place == 0 or (noun and _names_before(item, wording, rest)):
        return Standing.MAY_NAME
    return Standing.TELLS


def _names_before(item: Item, wording: Wording, rest: float) -> bool:
    """Whether a bare number follows a noun and belongs to it: `in room 204`, `第` and its like aside."""
    word = wording.items[item.place - 1]
    return word.before in _OF_NOUNS or (word.size < 1 < rest and not item.after)


def _topics_differ(one: Said, other: Said) -> bool:
    return bool(one.topic and other.topic and apart(one.topic_wording, other.topic_wording).swaps)


def _by_words(found: Apart, near: float) -> Verdict:
    swaps = found.swaps
    differs = tuple(swap.shown for swap in swaps)
    if len(swaps) == 1 == len(found.one) == len(found.other) and not found.single and _answer(swaps[0]):
        definite = all(wording.definite for wording in found.wordings) and not found.borne
        if definite and swaps[0].last and _before(swaps[0]) is Before.COPULA and _named(swaps[0]):
            return Verdict(Relation.CONTRADICTION, 0.85, differs)
        return Verdict(Relation.UNSURE, 0.6, differs)
    if not swaps and _renamed(found) and max(found.share, near) >= _ALIKE:
        return Verdict(
            Relation.UNSURE,
            _ALIKE,
            tuple(f"{a.shown} / {b.shown}" for a, b in zip(found.one, found.other, strict=False)),
        )
    return Verdict(Relation.COMPATIBLE, found.share, differs)


def _unrelated(found: Apart) -> Verdict:
    return Verdict(Relation.UNRELATED, 1 - found.share)


def _subject(swap: Swap) -> bool:
    """Whether it stands for another subject: at the beginning, as a noun that is no answer, or as a name."""
    return swap.first or (_noun(swap.one) and _noun(swap.other)) or _named(swap)


def _noun(piece: Piece) -> bool:
    return piece.items[0].before in _OF_NOUNS or any(item.after for item in piece.items)


def _named(swap: Swap) -> bool:
    return _has_name(swap.one) and _has_name(swap.other)


def _has_name(piece: Piece) -> bool:
    return any(item.name for item in piece.items)


def _renamed(found: Apart) -> bool:
    """Whether each text has a name that the other has not, and not for its subject."""
    named = [[piece for piece in side if _has_name(piece)] for side in (found.one, found.other)]
    return all(named) and not any(piece.left == BEGIN or piece.early for side in named for piece in side)


def _before(swap: Swap) -> Before:
    return min(swap.one.items[0].before, swap.other.items[0].before)


def _answer(swap: Swap) -> bool:
    """Whether it stands where the answer does: near the end, after a copula or a preposition, or before に or 에서."""
    pieces = (swap.one, swap.other)
    if swap.first or any(piece.early or piece.rest > _TAIL or len(piece.items) > _LONGEST for piece in pieces):
        return False
    if any(piece.items[-1].after in _NO_ANSWER for piece in pieces):
        return False
    return _before(swap) >= Before.PREPOSITION or all(piece.items[-1].after is After.OBLIQUE for piece in pieces)


def _several(found: Apart) -> bool:
    """Whether a time or a number tells which of several is meant, or what is counted differs with the number."""
    when = sum(_when(a) for a, _ in found.values)
    if 0 < when < len(found.values) or (when and found.values[0][0].place == 0 and found.swaps):
        return True
    (item, _), bare = found.values[0], [a for a, _ in found.values if a.value and a.value.bare]
    if bare and any(swap.one.left == VALUE and not bare[0].after for swap in found.swaps):
        return True
    return len(found.values) > 1 and item in bare and not (item.value and item.value.counted)


def _when(item: Item) -> bool:
    return item.value is not None and item.value.kind in WHEN


def _shown(one: Item, other: Item) -> str:
    kind = one.value.kind if one.value else "value"
    return f"{kind} {one.shown} / {other.shown}"
