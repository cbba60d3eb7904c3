"""Removing records for good, with what is kept for speed of them, and folding anew what they bore on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from karte.core.assertions import NAME_LINKS, Assertion, Link, LinkKind, Withdrawal
from karte.core.beliefs import LEAST, holders, is_copy, resting
from karte.core.memories import Memory
from karte.core.namespaces import Namespace
from karte.engine.gathering import Frame, Refold
from karte.engine.indexing import indexed_terms
from karte.engine.likeness import Text
from karte.engine.services import Services
from karte.engine.shadowing import Shadowing
from karte.ports import Asked, Writing


@dataclass(frozen=True)
class Going:
    """What goes: assertions (identities, by the number of their memory), links and withdrawals."""

    assertions: Mapping[int, Collection[bytes]] = field(default_factory=dict)
    links: Collection[Link] = ()
    withdrawals: Collection[Withdrawal] = ()


@dataclass(frozen=True)
class Removing:
    """Removes records of one namespace in one transaction. Their bytes go with the next scrub."""

    services: Services
    namespace: Namespace
    unit: Writing

    def __call__(self, going: Going) -> list[Memory]:
        """Remove these, and the beliefs of the workspace that rest on them.

        Gives the memories of this namespace that went with them, because nobody else said them.
        """
        beliefs = _Beliefs.resting(self, going)
        gone = self.take(going)
        beliefs.fall()
        return gone

    def take(self, going: Going) -> list[Memory]:
        """Remove these alone."""
        unit, namespace = self.unit, self.namespace
        whole, parts = self._sorted(going.assertions)
        frame = Frame(unit, namespace, self.services.tiers)
        refold = Refold(frame, unit, unit.learn(self.services.clock.now()))
        around = refold.reach({*going.assertions, *self._touched(frame, going)})
        self._unindex(whole)
        refold.clear(around)
        for number, (gone, staying) in parts.items():
            self._take_part(number, gone, staying)
        unit.records.remove_withdrawals(namespace, going.withdrawals)
        unit.records.remove_links(namespace, [link.identity for link in going.links])
        if whole:
            unit.memories.erase(namespace, whole.keys())
        refold(around - whole.keys())
        Shadowing(self.services, unit, frame).of_memories(around - whole.keys(), refold.changed_at)
        return list(whole.values())

    def said(self, numbers: Collection[int]) -> dict[int, list[Assertion]]:
        """What was said of these memories, as far as they are there."""
        kept = self.unit.memories.get(self.namespace, numbers) if numbers else {}
        by_key = {k.memory.key: number for number, k in kept.items()}
        said: dict[int, list[Assertion]] = {number: [] for number in kept}
        for assertion in self.unit.records.assertions(self.namespace, kept) if kept else ():
            said[by_key[assertion.key]].append(assertion)
        return said

    def agreed(self, numbers: Collection[int]) -> list[set[int]]:
        """The memories that make each of the statements that several agents hold alike, of those that these state."""
        copied = [n for n, said in self.said(numbers).items() if any(map(is_copy, said))]
        kept = self.unit.memories.get(self.namespace, copied) if copied else {}
        chains = {k.chain for k in kept.values()}
        members = {n for chain in chains for n in (chain, *self.unit.memories.in_chain(self.namespace, chain))}
        homes = self.unit.memories.get(self.namespace, members) if members else {}
        statements = [
            {n for n, home in homes.items() if home.statement == statement}
            for statement in sorted({k.statement for k in kept.values()})
        ]
        return [numbers for numbers in statements if len(holders(self._copies(numbers))) >= LEAST]

    def lone(self, numbers: Collection[int]) -> Going:
        """The copies of a statement, where one agent alone is left that holds it."""
        copies = self._copies(numbers)
        if len(holders(copies)) >= LEAST:
            return Going()
        found: dict[int, set[bytes]] = {}
        for number, said in self.said(numbers).items():
            found[number] = {assertion.identity for assertion in said if is_copy(assertion)}
        return Going({number: identities for number, identities in found.items() if identities})

    def _copies(self, numbers: Collection[int]) -> list[Assertion]:
        return [assertion for said in self.said(numbers).values() for assertion in said if is_copy(assertion)]

    def _sorted(
        self, assertions: Mapping[int, Collection[bytes]]
    ) -> tuple[dict[int, Memory], dict[int, tuple[list[Assertion], list[Assertion]]]]:
        """The memories that go as a whole, and of the others what goes and what stays."""
        memories = {n: kept.memory for n, kept in self.unit.memories.get(self.namespace, assertions.keys()).items()}
        said = self.said(memories)
        staying = {n: [a for a in said[n] if a.identity not in assertions[n]] for n in memories}
        gone = {n: [a for a in said[n] if a.identity in assertions[n]] for n in memories}
        whole = {number: memory for number, memory in memories.items() if not staying[number]}
        return whole, {n: (gone[n], staying[n]) for n in memories if staying[n]}

    def _touched(self, frame: Frame, going: Going) -> set[int]:
        """The memories that links and withdrawals bear on."""
        records, targets = self.unit.records, {withdrawal.target for withdrawal in going.withdrawals}
        links = [*going.links, *(records.links_of(self.namespace, targets) if targets else ())]
        keys = {bytes.fromhex(end) for link in links for end in _ends(link)}
        linked = self.unit.memories.by_key(self.namespace, keys).values() if keys else ()
        found = {kept.memory.number for kept in linked}
        found |= set(records.whose(self.namespace, targets) if targets else ())
        return found.union(*(named_by(frame, link) for link in links))

    def _unindex(self, memories: Mapping[int, Memory]) -> None:
        lexicon = self.unit.lexicon
        for document in lexicon.documents(self.namespace, memories.keys()):
            text = Text(memories[document.number], indexed_terms(memories[document.number]), document)
            self.unit.likenesses.forget(self.namespace, document.number, text.bands)
        lexicon.remove(self.namespace, memories.keys())

    def _take_part(self, number: int, gone: Collection[Assertion], staying: Collection[Assertion]) -> None:
        """Remove some of what was said of a memory; it is shown in the words of somebody who still says it."""
        records, namespace = self.unit.records, self.namespace
        records.remove_assertions(namespace, number, [assertion.identity for assertion in gone])
        # Who named the memory by its id wrote no words; as shown they are those of somebody else.
        wrote = [assertion for assertion in staying if not assertion.rests_on] or staying
        words = min(wrote, key=lambda assertion: (assertion.learned_at, assertion.identity)).wording
        if words is None or any(assertion.wording is None for assertion in wrote):
            return
        self.unit.memories.reword(namespace, number, words)
        for assertion in staying:
            if assertion.wording == words:
                records.reword(namespace, number, assertion.identity, None)


@dataclass(frozen=True)
class _Beliefs:
    """What agents hold alike, as far as it rests on what goes: the copies that go along, and the memories that state it."""

    removing: Removing
    copies: Mapping[int, Collection[bytes]]
    statements: Collection[Collection[int]]

    @classmethod
    def resting(cls, removing: Removing, going: Going) -> _Beliefs:
        """Those that rest on what goes: on what an agent said, or on copies of the workspace themselves."""
        unit, sources = removing.unit, {identity for ids in going.assertions.values() for identity in ids}
        shared = Removing(removing.services, Namespace(), unit)
        if removing.namespace == shared.namespace:
            return cls(shared, {}, shared.agreed(going.assertions))
        numbers = unit.records.resting_on(shared.namespace, sources) if sources else []
        copies = {number: {a.identity for a in resting(said, sources)} for number, said in shared.said(numbers).items()}
        return cls(shared, copies, shared.agreed(numbers))

    def fall(self) -> None:
        """Remove the copies, and what one agent alone would be left with."""
        if any(self.copies.values()):
            self.removing.take(Going(self.copies))
        for numbers in self.statements:
            alone = self.removing.lone(numbers)
            if alone.assertions:
                self.removing.take(alone)


def named_by(frame: Frame, link: Link, like: Callable[[str], Collection[str]] | None = None) -> set[int]:
    """The memories that a link about names bears on: those with the predicate, or with any name of the class.

    `like` gives all names in the class of one; without it they are those of the links in force.
    """
    memories, namespace = frame.unit.memories, frame.namespace
    if link.kind is LinkKind.MULTI_VALUED:
        return set(memories.with_predicate(namespace, link.left))
    if link.kind is not LinkKind.ALIAS:
        return set()
    names = {name for end in (link.left, link.right) for name in (like or frame.names_like)(end)}
    return set(memories.answering(namespace, Asked(names))) | set(memories.with_object(namespace, names))


def _ends(link: Link) -> tuple[str, ...]:
    """The keys of the memories that a link joins."""
    return () if link.kind in NAME_LINKS else (link.left, link.right)
