"""Random histories of records, for hypothesis: few names, few instants and many ties, so that everything collides.

A history is a list of records in the order in which they are learned. `arrive` does the least that a store has to do
with it. Instants are small even numbers; odd ones lie between all bounds.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from hypothesis import strategies as st

from karte.core import assertions
from karte.core.assertions import Assertion, Details, Link, LinkKind, Veracity, Withdrawal
from karte.core.memories import Memory, Place, Statement, Triple
from karte.core.origins import Origin
from karte.core.periods import FOREVER
from karte.core.standing import Records

Event = Assertion | Link | Withdrawal
History = list[Event]
T = TypeVar("T")

LATEST: Final = 16
INSTANTS: Final = range(-1, LATEST + 2)
"""Every bound that a history can have, and an instant on either side of each."""

TIERS: Final = ((4_000,), (), (4_000, 9_000))
_OWNER: Final = "小雨"
_TRUSTS: Final = (500, 2_000, 3_000, 4_000, 4_000, 6_000, 8_900, 9_000, 10_000)
_ORIGINS: Final = tuple(
    Origin(kind, container, item)
    for kind, container in (("operator", "s"), ("operator", "t"), ("channel", "t"))
    for item in ("", "1", "2")
)


def _pool() -> dict[str, Memory]:
    keyed = [
        Statement(f"{value}!", triple=Triple(subject, predicate, value))
        for subject in ("ada", "小雨")
        for predicate in ("lives_in", "喜歡")
        for value in ("paris", "東京")
    ]
    keyed += [
        Statement("paris!", triple=Triple("ada", "lives_in", "東京")),
        Statement("paris!", triple=Triple("countess", "lives_in", "paris")),
        Statement("paris?", triple=Triple("ada", "lives_in", "paris")),
        Statement("somewhere", triple=Triple("ada", "lives_in")),
        Statement("paris!", triple=Triple("ada", "lives_in", "paris"), place=Place("work")),
    ]
    free = [Statement(content) for content in ("비가 온다", "晴れ", "the office is closed")]
    ends = [
        Statement("", triple=Triple("ada", "lives_in"), nothing=True),
        Statement("", triple=Triple("小雨", "喜歡", "paris"), nothing=True),
        Statement("", nothing=True, ends=free[0].of(_OWNER).key),
    ]
    memories = [replace(s.of(_OWNER), id=_label(s)) for s in (*keyed, *free, *ends)]
    return {memory.id: memory for memory in memories}


def _label(statement: Statement) -> str:
    triple = statement.triple
    names = f"{triple.subject} {triple.predicate} {triple.object}: " if triple else ""
    return f"{statement.place.scope}{names}{'(nothing)' if statement.nothing else statement.content}"


def _keys(pattern: str) -> tuple[bytes, ...]:
    return tuple(memory.key for label, memory in _BY_LABEL.items() if re.fullmatch(pattern, label))


_BY_LABEL: Final = _pool()
POOL: Final = {memory.key: memory for memory in _BY_LABEL.values()}
"""All memories that occur, by key; the id of each says what it states."""

FREE_KEY: Final = _BY_LABEL["비가 온다"].key
"""The free text that a memory of the pool ends."""

Scene = tuple[bytes, ...]
_SCENES: Final[tuple[Scene, ...]] = (
    _keys("ada lives_in.*"),
    _keys(r"(ada|小雨|countess) lives_in paris: paris[!?]|ada lives_in 東京.*"),
    _keys("小雨 喜歡.*|ada 喜歡.*"),
    _keys("[^:]*|:?[(]nothing[)]|ada lives_in (paris: paris!|東京: 東京!)|小雨 lives_in paris.*"),
    _keys("(ada|小雨) lives_in.*"),
    tuple(POOL),
)
"""Memories that are likely to meet: one question, names that an alias joins, many values, free text, two questions."""

_NAMES: Final = ("ada", "小雨", "countess", "paris", "東京")
_PAIRS: Final = (("ada", "小雨"), ("小雨", "ada"), ("countess", "ada"), ("paris", "東京"), ("東京", "paris"))


@st.composite
def _assertion(draw: st.DrawFn, key: bytes, parents: tuple[bytes, ...] = ()) -> Assertion:
    start = 2 * draw(st.integers(0, 6))
    end = draw(st.one_of(st.just(FOREVER), st.integers(start // 2 + 1, LATEST // 2).map(lambda half: 2 * half)))
    details = Details(
        veracity=draw(st.sampled_from(list(Veracity))),
        confidence=draw(st.sampled_from([None, None, 0.9, 0.3])),
        expires_at=draw(st.sampled_from([None, None, None, start + 2, start + 4])),
    )
    said = draw(st.integers(0, 3))
    return Assertion(key, draw(st.sampled_from(_ORIGINS)), said, start, end, _trust(draw), details, None, parents)


def _trust(draw: st.DrawFn) -> int:
    return draw(st.sampled_from(_TRUSTS))


def identified(event: Any) -> Any:
    """The same record with the identity that what it holds gives it."""
    if isinstance(event, Assertion):
        return replace(event, identity=assertions.identify(event))
    if isinstance(event, Link):
        return replace(event, identity=assertions.identify_link(event))
    return event


@dataclass(frozen=True)
class _Telling:
    """A history that is being drawn: from which memories, and what there is so far."""

    draw: st.DrawFn
    scene: tuple[bytes, ...]
    history: History

    @property
    def said(self) -> list[Assertion]:
        return [event for event in self.history if isinstance(event, Assertion)]

    def one_of(self, things: Sequence[T]) -> T:
        return self.draw(st.sampled_from(things))

    def power(self) -> int:
        """The trust of a decision: often enough to act on everything."""
        return self.one_of([10_000, 10_000, 6_000, 2_000])

    def say(self) -> Event:
        return self.draw(_assertion(self.one_of(self.scene)))

    def derive(self) -> Event:
        parents = self.draw(st.lists(st.sampled_from(self.said), min_size=1, max_size=2))
        return self.draw(_assertion(self.one_of(self.scene), tuple(sorted({parent.key for parent in parents}))))

    def vary(self) -> Event:
        """An assertion like one before, but for one thing that it says: near-ties find what should not decide."""
        other = self.draw(_assertion(self.one_of(self.scene)))
        changes = {name: getattr(other, name) for name in ("key", "origin", "observed_at", "trust", "details")}
        changes["valid_until"] = max(other.valid_until, other.valid_from + 2)
        name = self.one_of(sorted(changes))
        varied = replace(self.one_of(self.said), **{name: changes[name]})
        return varied if varied.valid_from < varied.valid_until else other

    def repeat(self) -> Event:
        return self.one_of(self.history)

    def join(self) -> Event:
        told = list(dict.fromkeys(assertion.key.hex() for assertion in self.said))
        left = self.one_of(told)
        right = self.one_of([key for key in told if key != left] or told)
        kind = self.one_of([LinkKind.SUPERSEDES, LinkKind.SUPERSEDES, LinkKind.SAME_AS, LinkKind.SAME_QUESTION])
        return Link(kind, left, right, self.one_of(_ORIGINS), self.draw(st.integers(0, 3)), self.power())

    def alias(self) -> Event:
        pair = self.one_of([*_PAIRS, self.draw(st.permutations(_NAMES))[:2]])
        return Link(LinkKind.ALIAS, pair[0], pair[1], self.one_of(_ORIGINS), 0, self.power())

    def declare(self) -> Event:
        predicate = self.one_of(["lives_in", "喜歡"])
        return Link(LinkKind.MULTI_VALUED, predicate, "", self.one_of(_ORIGINS), 0, self.power())

    def supersede(self) -> History:
        """A statement, known or new, takes over from one that was made: an assertion that rests on it, and a link."""
        loser = self.one_of(self.said)
        told = self.draw(_assertion(self.one_of([key for key in self.scene if key != loser.key] or self.scene)))
        named = (told.key,) if any(said.key == told.key for said in self.said) and self.one_of([True, False]) else ()
        link = Link(LinkKind.SUPERSEDES, told.key.hex(), loser.key.hex(), told.origin, told.observed_at, told.trust)
        return [replace(told, rests_on=(*named, loser.key)), link]

    def correct(self) -> History:
        """A statement is withdrawn, and another one made for its period."""
        wrong, right = self.one_of(self.said), self.draw(_assertion(self.one_of(self.scene)))
        told = replace(right, valid_from=wrong.valid_from, valid_until=wrong.valid_until, rests_on=(wrong.identity,))
        told = replace(told, details=replace(right.details, expires_at=None))
        return [Withdrawal(wrong.identity, right.origin, right.trust, event="corrected"), told]

    def endorse(self) -> Event:
        """A person says a claim again."""
        claim = self.one_of(self.said)
        return replace(claim, origin=self.one_of(_ORIGINS[:6]), trust=10_000, rests_on=(claim.identity,))

    def end(self) -> Event:
        """Somebody says that there is no value, of a question or of a free text."""
        nothing = [key for key in self.scene if POOL[key].nothing]
        if not nothing:
            return self.withdraw()
        told = self.draw(_assertion(self.one_of(nothing)))
        return replace(told, rests_on=() if POOL[told.key].names else (FREE_KEY,))

    def withdraw(self) -> Event:
        targets = [event.identity for event in self.history if not isinstance(event, Withdrawal)]
        return Withdrawal(self.one_of(targets), self.one_of(_ORIGINS), self.power())


_OF_ALL_KINDS: Final = ("say", "say", "say", "vary", "vary", "derive", "repeat", "join", "alias", "declare", "withdraw")


@st.composite
def histories(
    draw: st.DrawFn, most: int = 9, kinds: Collection[str] = _OF_ALL_KINDS, scenes: Collection[Scene] = _SCENES
) -> History:
    """Histories of at most `most` records; `kinds` may hold a kind several times to make it more frequent.

    A history is told of the memories of one of the `scenes`. Kinds are say, vary (a near-tie), derive, repeat, join (two memories), alias, declare (a predicate of many values)
    and withdraw (an assertion or a link); and the commands supersede, correct, endorse and end, which rest on what was
    said before.
    """
    telling = _Telling(draw, draw(st.sampled_from(list(scenes))), [])
    for kind in draw(st.lists(st.sampled_from(list(kinds)), min_size=most // 2, max_size=most)):
        told = getattr(telling, kind if telling.said else "say")()
        telling.history.extend(identified(event) for event in (told if isinstance(told, list) else [told]))
    return telling.history


def any_histories(most: int = 9) -> st.SearchStrategy[History]:
    """Histories of all kinds, some of them with many aliases, links, withdrawals or derivations."""
    heavy = [aliased(most), joined(most), withdrawn(most), derived(most)]
    return st.one_of(histories(most), histories(most), *heavy)


def aliased(most: int = 9) -> st.SearchStrategy[History]:
    """Histories with many aliases among few names."""
    return histories(most, ("say", "say", "say", "vary", "alias", "alias", "alias", "declare"), _SCENES[1:3])


def joined(most: int = 9) -> st.SearchStrategy[History]:
    """Histories with many links between memories: guests, free text that touches one chain or several."""
    return histories(most, ("say", "say", "say", "vary", "join", "join", "join"), _SCENES[3:5])


def withdrawn(most: int = 9) -> st.SearchStrategy[History]:
    """Histories with many withdrawals, of assertions and of links, also several of one target."""
    return histories(most, ("say", "vary", "vary", "withdraw", "withdraw", "join", "alias"))


def derived(most: int = 9) -> st.SearchStrategy[History]:
    """Histories in which much is derived from something else, also in circles."""
    return histories(most, ("say", "vary", "derive", "derive", "derive", "withdraw"))


def commanded(most: int = 9) -> st.SearchStrategy[History]:
    """Histories of many commands that rest on what was said before, by several sources, with what else bears on them."""
    kinds = ("say", "say", "say", "supersede", "correct", "endorse", "end", "derive", "withdraw", "alias", "declare")
    return histories(most, kinds)


def ended(most: int = 9) -> st.SearchStrategy[History]:
    """Histories in which much is ended, under names that aliases join and part again."""
    return histories(most, ("say", "say", "end", "end", "alias", "withdraw", "declare"), _SCENES[2:5])


def arrive(history: Sequence[Event]) -> Records:
    """Learn a history in its order, at the system times 1, 2, 3 ...: what is the same again keeps its first time.

    Memories are numbered as they first occur.
    """
    first: dict[object, Event] = {}
    numbered: dict[bytes, Memory] = {}
    for learned_at, event in enumerate(history, 1):
        name = event if isinstance(event, Withdrawal) else event.identity
        first.setdefault(name, replace(event, learned_at=learned_at))
        if isinstance(event, Assertion) and event.key not in numbered:
            numbered[event.key] = replace(POOL[event.key], number=len(numbered) + 1)
    kept = first.values()
    return Records(
        tuple(numbered.values()),
        tuple(event for event in kept if isinstance(event, Assertion)),
        tuple(event for event in kept if isinstance(event, Link)),
        tuple(event for event in kept if isinstance(event, Withdrawal)),
    )
