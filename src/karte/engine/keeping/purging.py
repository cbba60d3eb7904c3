"""Purging: removing archived memories for good without changing what others come to."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from karte.core.assertions import Assertion, Details, identify
from karte.core.memories import Memory, Statement, Triple, prefix_of
from karte.core.namespaces import Namespace, Principal
from karte.core.standing import Standing
from karte.engine.gathering import Frame, timelines
from karte.engine.remembering.erasing import Erasing
from karte.engine.services import Services
from karte.ports import Head, Kept, Reading, Writing


@dataclass(frozen=True)
class Purging:
    """Purges memories of one owner that were archived at or before `until` (microseconds)."""

    services: Services
    caller: Principal
    owner: Namespace
    until: int

    def going(self, unit: Reading, due: Iterable[int]) -> set[int]:
        """Those of these memories on which nothing else stands, with what goes along with them.

        What is derived from a memory or linked to it must be due as well.
        """
        going: set[int] = set()
        for number in due:
            if number not in going:
                going |= self._whole(unit, number)
        return going

    def _whole(self, unit: Reading, number: int) -> set[int]:
        """A memory with all that is derived from it or linked to it; nothing where some of that stays."""
        reached, waiting = set[int](), {number}
        while waiting:
            if not self._due(unit, waiting):
                return set()
            reached |= waiting
            waiting = self._near(unit, waiting) - reached
        return reached

    def _due(self, unit: Reading, numbers: Collection[int]) -> bool:
        archived = unit.archive.of(self.owner, numbers)
        return all(number in archived and archived[number] <= self.until for number in numbers)

    def _near(self, unit: Reading, numbers: Collection[int]) -> set[int]:
        keys = {kept.memory.key for kept in unit.memories.get(self.owner, numbers).values()}
        links = unit.records.memory_links(self.owner, keys) if unit.records.has_links(self.owner) else []
        ends = {bytes.fromhex(end) for link in links for end in (link.left, link.right)} - keys
        linked = unit.memories.by_key(self.owner, ends) if ends else {}
        return {*unit.records.children(self.owner, keys), *(kept.memory.number for kept in linked.values())}

    def purge(self, unit: Writing, going: Collection[int]) -> None:
        """Erase these memories; those that displaced something leave an empty segment."""
        frame = Frame(unit, self.owner, self.services.tiers)
        kept = unit.memories.get(self.owner, going)
        shared = {chain for chain in {k.chain for k in kept.values()} if self._is_shared(unit, chain, going)}
        leaving = {number: k.memory for number, k in kept.items() if k.chain in shared}
        folded = timelines(frame, leaving) if leaving else {}
        for number, memory in leaving.items():
            self._leave_empty(unit, frame, memory, folded[number].standing(number))
        Erasing(self.services, replace(self.caller, namespace=self.owner), unit)([k.memory for k in kept.values()])

    def _is_shared(self, unit: Reading, chain: int, going: Collection[int]) -> bool:
        """Whether a chain has a value that stays."""
        others = set(unit.memories.in_chain(self.owner, chain)).difference(going)
        return any(not kept.memory.nothing for kept in unit.memories.get(self.owner, others).values())

    def _leave_empty(self, unit: Writing, frame: Frame, memory: Memory, standing: Standing) -> None:
        """State that there was no value where a memory claimed one: as its sources did, without their words."""
        if memory.triple is None:
            return
        empty = self._nothing(unit, frame, memory, memory.triple)
        said = unit.records.assertions(self.owner, [memory.number])
        for assertion in frame.counting(said):
            bare = _bare(assertion, empty.key, standing.trust)
            if not unit.records.has_assertion(self.owner, empty.number, bare.identity):
                unit.records.add_assertion(self.owner, empty.number, bare)

    def _nothing(self, unit: Writing, frame: Frame, memory: Memory, triple: Triple) -> Memory:
        """The statement of nothing that answers a memory's question, kept if it is new."""
        many = frame.question(memory).objects is not None
        asked = Triple(triple.subject, triple.predicate, triple.object if many else None)
        said = Statement("", triple=asked, place=memory.place, nothing=True).of(self.owner.agent)
        known = unit.memories.by_key(self.owner, [said.key]).get(said.key)
        if known:
            return known.memory
        number = unit.memories.reserve(self.owner, 1)
        empty = said.kept_as(number, self.services.ids.new(prefix_of(said.layer)))
        unit.memories.add(self.owner, Kept(empty, number, number), Head(unit.last_learned(), None))
        return empty


def _bare(assertion: Assertion, key: bytes, trust: int) -> Assertion:
    """An assertion of nothing with the source, times and trust of another one; what it rested on only bounds its trust."""
    bare = Assertion(
        key,
        assertion.origin,
        assertion.observed_at,
        assertion.valid_from,
        assertion.ends_at,
        min(assertion.trust, trust),
        Details(veracity=assertion.details.veracity),
        learned_at=assertion.learned_at,
    )
    return replace(bare, identity=identify(bare))
