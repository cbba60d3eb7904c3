"""Merging: facts of one owner that say the same in other words become one statement, by a link that can be withdrawn.

Candidates share a digest of all their words and values, or a question and its answer, so each memory is compared with
a few others, never with all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from karte.core.assertions import Assertion, Link, LinkKind, Withdrawal, identify_link
from karte.core.conflicts import Said
from karte.core.memories import Layer
from karte.core.namespaces import Namespace
from karte.core.periods import FOREVER
from karte.core.restating import key_of, restates
from karte.core.trust import tier
from karte.engine.asking import Asking
from karte.engine.gathering import Refold
from karte.engine.services import Services
from karte.engine.shadowing import Shadowing
from karte.ports import Kept, Reading, Writing

PAGE: Final = 500
_MOST_COMPARED: Final = 16
"""With so many different statements of one block a memory is compared; further ones of the block are left alone."""

PARTED: Final = "consolidated"
"""The event of withdrawals of links whose ends are not believed alike any more."""

Block = tuple[str | int, bytes | str]
"""What restatements share: the scope with the digest of a text, or the chain with the object."""


@dataclass(frozen=True)
class Pair:
    """Two memories of one owner that say the same; the older one is `one`."""

    one: Kept
    other: Kept


def pages(unit: Reading, namespace: Namespace) -> Iterator[list[int]]:
    """The numbers of all memories, latest first."""
    before = FOREVER
    while numbers := unit.memories.recent(namespace, before, PAGE):
        yield numbers
        before = numbers[-1]


@dataclass(frozen=True)
class Fact:
    """A semantic memory that has a value, and whether it holds as asked."""

    kept: Kept
    holds: bool

    @property
    def number(self) -> int:
        """Its number."""
        return self.kept.memory.number

    @property
    def keyed(self) -> bool:
        """Whether it answers a question."""
        return self.kept.memory.names is not None


def facts(question: Asking, numbers: Collection[int]) -> list[Fact]:
    """Those of these memories that are semantic, and hold or answer a question that another one may answer now."""
    kept = question.unit.memories.get(question.frame.namespace, numbers)
    wanted = [n for n, k in sorted(kept.items()) if k.memory.layer is Layer.SEMANTIC and not k.memory.nothing]
    holding = question.holding(wanted)
    found = [Fact(kept[number], number in holding) for number in wanted]
    return [fact for fact in found if fact.holds or fact.keyed]


def said_of(kept: Kept) -> Said:
    """A memory as it is compared."""
    return Said(kept.memory.content, None, kept.memory.names)


@dataclass
class Blocks:
    """Facts by what restatements share; only the numbers are kept."""

    members: dict[Block, list[int]] = field(default_factory=lambda: defaultdict(list))

    def add(self, fact: Fact) -> None:
        """Put a fact where its restatements are."""
        kept, names = fact.kept, fact.kept.memory.names
        if names is not None:
            self.members[kept.chain, names.object or ""].append(fact.number)
        elif (key := key_of(said_of(kept))) is not None:
            self.members[kept.memory.scope, key].append(fact.number)

    def shared(self) -> list[list[int]]:
        """The blocks of more than one fact, each by number."""
        return [sorted(numbers) for numbers in self.members.values() if len(numbers) > 1]


def pairs(block: Sequence[Fact]) -> list[Pair]:
    """Which of the facts of one block say the same and are not one statement yet, each with the first that says it.

    None where none of them holds: what is over is left as it was told.
    """
    firsts: list[tuple[Kept, Said]] = []
    found = []
    for fact in sorted(block, key=lambda fact: fact.number) if any(fact.holds for fact in block) else ():
        one, said = fact.kept, said_of(fact.kept)
        same = next((first for first, other in firsts if restates(other, said)), None)
        if same is None:
            firsts = [*firsts, (one, said)][:_MOST_COMPARED]
        elif same.statement != one.statement:
            found.append(Pair(same, one))
    return found


@dataclass(frozen=True)
class Merging:
    """Joins facts of one owner; `question` is asked in the same unit of work."""

    services: Services
    question: Asking

    @property
    def _namespace(self) -> Namespace:
        return self.question.frame.namespace

    def pairs(self, blocks: Sequence[Collection[int]]) -> list[Pair]:
        """The pairs of these blocks (numbers of facts) that a link would join."""
        there = {fact.number: fact for fact in facts(self.question, {number for block in blocks for number in block})}
        found = [pair for block in blocks for pair in pairs([there[n] for n in block if n in there])]
        return [pair for pair in found if self.links(pair)]

    def links(self, pair: Pair) -> list[Link]:
        """The links that would join two facts: one for who said each first, so that it outlasts neither.

        None where the two are believed in different tiers, since a link may lend no trust; where some of what was said
        expires, since it would lend its words; and where they were joined before, since somebody parted them.
        """
        said = [self._counting(kept) for kept in (pair.one, pair.other)]
        if not all(said) or len(self._tiers(said)) > 1:
            return []
        trusts = [max(a.trust for a in each) for each in said]
        firsts = [min(each, key=lambda a: a.order) for each in said]
        ends = (pair.one.memory.key.hex(), pair.other.memory.key.hex())
        observed_at = max(first.observed_at for first in firsts)
        made = {
            identify_link(link): link
            for first in firsts
            for link in [Link(LinkKind.SAME_AS, *ends, first.origin, observed_at, min(trusts))]
        }
        known = self._known(pair)
        return [replace(link, identity=identity) for identity, link in made.items()] if known.isdisjoint(made) else []

    def parted(self, blocks: Sequence[Collection[int]]) -> list[Link]:
        """The links between facts of one block that are believed in different tiers by now."""
        records, namespace = self.question.unit.records, self._namespace
        if not records.has_links(namespace):
            return []
        numbers = {number for block in blocks for number in block}
        kept = {k.memory.key.hex(): k for k in self.question.unit.memories.get(namespace, numbers).values()}
        found = records.memory_links(namespace, [k.memory.key for k in kept.values()])
        links = [link for link in found if link.kind is LinkKind.SAME_AS and {link.left, link.right} <= kept.keys()]
        taken_back = {w.target for w in records.withdrawals(namespace, [link.identity for link in links])}
        return [link for link in links if link.identity not in taken_back and self._lends(link, kept)]

    def _lends(self, link: Link, kept: Mapping[str, Kept]) -> bool:
        """Whether a link joins what is believed in different tiers; one that is of the lower tier does not act."""
        tiers = self._tiers([self._counting(kept[end]) for end in (link.left, link.right)])
        return len(tiers) > 1 and tier(link.trust, self.services.tiers) >= max(tiers)

    def _tiers(self, said: Sequence[Sequence[Assertion]]) -> set[int]:
        """The tiers in which these are believed, each by its most trusted source."""
        return {tier(max(a.trust for a in each), self.services.tiers) for each in said if each}

    def _counting(self, kept: Kept) -> list[Assertion]:
        said = self.question.unit.records.assertions(self._namespace, [kept.memory.number])
        counting = self.question.frame.counting(said)
        return [] if any(a.details.expires_at is not None for a in counting) else counting

    def _known(self, pair: Pair) -> set[bytes]:
        """The links there are between the two, but for those that upkeep itself took back."""
        records, keys = self.question.unit.records, {pair.one.memory.key, pair.other.memory.key}
        if not records.has_links(self._namespace):
            return set()
        ends = {key.hex() for key in keys}
        between = {k.identity for k in records.memory_links(self._namespace, keys) if {k.left, k.right} == ends}
        return between - {withdrawal.target for withdrawal in self._own_withdrawals(between)}

    def _own_withdrawals(self, links: Collection[bytes]) -> list[Withdrawal]:
        found = self.question.unit.records.withdrawals(self._namespace, links) if links else []
        return [withdrawal for withdrawal in found if withdrawal.event == PARTED]

    def join(self, unit: Writing, joined: Sequence[Pair]) -> None:
        """Join these pairs, and fold anew what that bears on."""
        if not joined:
            return
        now = unit.learn(self.services.clock.now())
        links = [link for pair in joined for link in self.links(pair)]
        unit.records.remove_withdrawals(self._namespace, self._own_withdrawals([link.identity for link in links]))
        for link in links:
            unit.records.add_link(self._namespace, replace(link, learned_at=now))
        self._refold(unit, links, now)

    def part(self, unit: Writing, links: Sequence[Link]) -> None:
        """Withdraw links in the name of who gave them, and fold anew what that bears on."""
        if not links:
            return
        now = unit.learn(self.services.clock.now())
        for link in links:
            said = Withdrawal(link.identity, link.origin, link.trust, event=PARTED, learned_at=now)
            unit.records.add_withdrawal(self._namespace, said)
        self._refold(unit, links, now)

    def _refold(self, unit: Writing, links: Sequence[Link], now: int) -> None:
        keys = {bytes.fromhex(end) for link in links for end in (link.left, link.right)}
        numbers = {kept.memory.number for kept in unit.memories.by_key(self._namespace, keys).values()}
        Refold(self.question.frame, unit, now)(numbers)
        Shadowing(self.services, unit, self.question.frame).of_memories(numbers, now)
