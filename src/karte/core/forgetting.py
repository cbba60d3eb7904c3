"""What falls when a source is forgotten: its own records, and all that would not have been given without them.

Forgetting a source equals never having heard it. A command or a derivation dies with the source if anything it names
would not have existed without the source when it was given, even if that was said by somebody else since.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from karte.core.assertions import NAME_LINKS, Assertion, Link, Withdrawal
from karte.core.chains import Naming
from karte.core.memories import Memory
from karte.core.origins import Origin
from karte.core.periods import FOREVER
from karte.core.standing import Records, Tiers, acting_links

Lost = Callable[[Origin, int], bool]
"""Whether a record of this origin, learned at this system time, is of the source that is forgotten."""


@dataclass(frozen=True)
class Fallen:
    """What goes: assertions and links by identity, and withdrawals."""

    assertions: frozenset[bytes]
    links: frozenset[bytes]
    withdrawals: frozenset[Withdrawal]

    def without(self, records: Records) -> Records:
        """The records that stay."""
        return Records(
            records.memories,
            tuple(a for a in records.assertions if a.identity not in self.assertions),
            tuple(link for link in records.links if link.identity not in self.links),
            tuple(w for w in records.withdrawals if w not in self.withdrawals),
        )


def fallen(records: Records, lost: Lost, tiers: Tiers) -> Fallen:
    """What goes of these records, which hold all of the source's and all that names any of them.

    `tiers` are the thresholds of trust (basis points), by which links between names act.
    """
    existed = _Existence(records.assertions, _Questions(records, tiers))
    questions = _Questions(records, tiers, lost)
    staying = [a for a in records.assertions if not lost(a.origin, a.learned_at)]
    while True:
        exists = _Existence(staying, questions)
        still = [a for a in staying if _stands(a, existed, exists)]
        if len(still) == len(staying):
            break
        staying = still
    kept = {assertion.identity for assertion in staying}
    assertions = frozenset(a.identity for a in records.assertions if a.identity not in kept)
    links = frozenset(link.identity for link in _dying(records.links, lost, existed, exists))
    gone = assertions | links
    withdrawals = (w for w in records.withdrawals if w.target in gone or lost(w.origin, w.learned_at))
    return Fallen(assertions, links, frozenset(withdrawals))


_NEVER: Final = FOREVER


class _Questions:
    """What memories with a triple answer: as names stood at a system time, with the source or without it."""

    def __init__(self, records: Records, tiers: Tiers, lost: Lost | None = None) -> None:
        self.memories = {memory.key: memory for memory in records.memories}
        self._tiers = tiers
        links = [link for link in records.links if link.kind in NAME_LINKS]
        self._ever = Naming.of(links)
        self._links = [link for link in links if lost is None or not lost(link.origin, link.learned_at)]
        identities = {link.identity for link in self._links}
        self._withdrawals = [
            w
            for w in records.withdrawals
            if w.target in identities and (lost is None or not lost(w.origin, w.learned_at))
        ]

    def widest(self, key: bytes) -> tuple[str, ...] | None:
        """What a memory answers if all names are one that were ever joined; None for free text, and for strangers."""
        memory = self.memories.get(key)
        if memory is None or memory.names is None:
            return None
        return (memory.scope, self._ever.classes.of(memory.names.subject), memory.names.predicate)

    def naming(self, known_at: int) -> Naming:
        """What the links that were in force at a system time said about names."""
        links = [link for link in self._links if link.learned_at <= known_at]
        withdrawals = [w for w in self._withdrawals if w.learned_at <= known_at]
        return Naming.of(acting_links(links, withdrawals, (), self._tiers))

    def ended_by(self, assertion: Assertion) -> Memory | None:
        """The memory that states that there is no value for a question; None for every other assertion."""
        memory = self.memories.get(assertion.key)
        return memory if memory is not None and memory.nothing and memory.names is not None else None


def bereft(records: Records, falling: Fallen, apart: Iterable[Assertion]) -> frozenset[bytes]:
    """Those (identities) of assertions that are kept apart which name something that falls of these records."""
    existed = _since(records.assertions)
    exists = _since(a for a in records.assertions if a.identity not in falling.assertions)
    return frozenset(
        assertion.identity
        for assertion in apart
        for thing in (*assertion.parents, *assertion.rests_on)
        if existed.get(thing, _NEVER) < assertion.learned_at <= exists.get(thing, _NEVER)
    )


def _since(assertions: Iterable[Assertion]) -> dict[bytes, int]:
    """Since when (system time) there are memories, by key, and assertions, by identity."""
    since: dict[bytes, int] = {}
    for assertion in assertions:
        for thing in (assertion.key, assertion.identity):
            since[thing] = min(since.get(thing, _NEVER), assertion.learned_at)
    return since


class _Existence:
    """Since when (system time) there are memories, assertions, and answers to questions."""

    def __init__(self, assertions: Iterable[Assertion], questions: _Questions) -> None:
        self._since = _since(assertions)
        self.questions = questions

    def at(self, thing: bytes, known_at: int) -> bool:
        return self._since.get(thing, _NEVER) <= known_at

    @cached_property
    def _answering(self) -> Mapping[object, list[bytes]]:
        found: dict[object, list[bytes]] = defaultdict(list)
        for key in self.questions.memories:
            if key in self._since:
                found[self.questions.widest(key)].append(key)
        return found

    def answered(self, asking: Memory, known_at: int) -> bool:
        """Whether anything was said by then that answers what a memory answers."""
        others = [key for key in self._answering[self.questions.widest(asking.key)] if self.at(key, known_at)]
        if not others:
            return False
        naming = self.questions.naming(known_at)
        question = naming.question(asking)
        return any(naming.question(self.questions.memories[key]) == question for key in others)


def _stands(assertion: Assertion, existed: _Existence, exists: _Existence) -> bool:
    """Whether all that an assertion names was there before it was given.

    What was not among the records then was not taken away by forgetting either.
    """
    before = assertion.learned_at - 1
    named = (*assertion.parents, *assertion.rests_on)
    if any(existed.at(thing, before) and not exists.at(thing, before) for thing in named):
        return False
    ended = existed.questions.ended_by(assertion)
    return ended is None or not existed.answered(ended, before) or exists.answered(ended, before)


def _dying(links: Iterable[Link], lost: Lost, existed: _Existence, exists: _Existence) -> list[Link]:
    return [link for link in links if lost(link.origin, link.learned_at) or not _joins(link, existed, exists)]


def _joins(link: Link, existed: _Existence, exists: _Existence) -> bool:
    if link.kind in NAME_LINKS:
        return True
    ends = (bytes.fromhex(link.left), bytes.fromhex(link.right))
    return not any(existed.at(end, link.learned_at) and not exists.at(end, link.learned_at) for end in ends)
