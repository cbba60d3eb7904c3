"""Placing an assertion: into its chain, and into the present fold.

Most writes touch nothing but their own chain, and there one more claim only changes segments inside its period: that
is folded in place. Whatever is joined, derived or said in several rows is folded anew with all that bears on it; both
ways give the same segments.
"""

from __future__ import annotations

from dataclasses import dataclass

from karte.core.assertions import Assertion
from karte.core.memories import Memory
from karte.core.results import Outcome
from karte.core.standing import claim_of
from karte.core.timeline import Segment, in_force, insert
from karte.engine.gathering import Frame, Refold
from karte.ports import MIXED, Head, Kept, Writing


@dataclass(frozen=True)
class Placed:
    """Where a memory went, and what was in force before and after at the instant that matters to its teller."""

    chain: int
    statement: int
    outcome: Outcome
    displaced: int | None = None


@dataclass(frozen=True)
class Placing:
    """One write's view of a namespace. `now` is the system time of the assertion."""

    frame: Frame
    unit: Writing
    now: int

    def first(self, memory: Memory, assertion: Assertion) -> Placed:
        """Place the first assertion of a new memory."""
        claim = self._claim(memory, assertion, memory.number)
        chain = self._chain_for(memory)
        if chain is None:
            return self._alone(memory, assertion, claim)
        kept = Kept(memory, chain, memory.number)
        before = self._at_stake(chain, claim)
        self.unit.memories.add(self.frame.namespace, kept, Head(self.now, None))
        again = self._same_meaning(memory, chain)
        if again or assertion.parents or not self._insert(chain, claim):
            self._refold(memory.number)
        return self._judge(memory.number, claim, before, said_before=again)

    def further(self, kept: Kept, assertion: Assertion) -> Placed:
        """Place one more assertion of a known memory."""
        claim = self._claim(kept.memory, assertion, kept.statement)
        before = self._at_stake(kept.chain, claim)
        if not self._simple(kept, assertion) or not self._insert(kept.chain, claim):
            self._refold(kept.memory.number)
        return self._judge(kept.memory.number, claim, before, said_before=True)

    def _claim(self, memory: Memory, assertion: Assertion, statement: int) -> Segment:
        return claim_of(assertion, memory, statement, assertion.trust, self.frame.tiers)

    def _alone(self, memory: Memory, assertion: Assertion, claim: Segment) -> Placed:
        number, namespace = memory.number, self.frame.namespace
        self.unit.memories.add(namespace, Kept(memory, number, number), Head(self.now, claim.rank[0]))
        if assertion.parents:
            self._refold(number)
        elif claim.start < claim.end:
            self.unit.timelines.replace(namespace, number, (), [claim])
        ended = claim.end <= self.now
        outcome = Outcome.ENDED if memory.nothing else Outcome.HISTORICAL if ended else Outcome.STORED
        return Placed(number, number, outcome)

    def chain_of(self, memory: Memory) -> int | None:
        """The chain that a memory belongs to, or would belong to."""
        kept = self.unit.memories.by_key(self.frame.namespace, [memory.key]).get(memory.key)
        return kept.chain if kept else self._chain_for(memory)

    def _chain_for(self, memory: Memory) -> int | None:
        if memory.names is None:
            return None
        return self.unit.memories.chain_answering(self.frame.namespace, self.frame.question(memory))

    def _same_meaning(self, memory: Memory, chain: int) -> bool:
        numbers = self.unit.memories.in_chain(self.frame.namespace, chain, memory.content_key)
        others = [n for n in numbers if n != memory.number]
        if not others:
            return False
        kept = self.unit.memories.get(self.frame.namespace, others)
        names = {name for k in kept.values() if k.memory.names for name in (k.memory.names.object,) if name}
        naming = self.frame.naming(names | ({memory.names.object} if memory.names and memory.names.object else set()))
        return any(naming.meaning(k.memory) == naming.meaning(memory) for k in kept.values())

    def _simple(self, kept: Kept, assertion: Assertion) -> bool:
        """Whether one more claim of this memory bears on nothing but the segments of its own chain."""
        namespace, memory = self.frame.namespace, kept.memory
        if assertion.parents or kept.statement != memory.number:
            return False
        if self.unit.records.memory_links(namespace, [memory.key]) or self.unit.records.children(
            namespace, [memory.key]
        ):
            return False
        same = self.unit.memories.in_chain(namespace, kept.chain, memory.content_key)
        return not any(number != memory.number for number in same)

    def _insert(self, chain: int, claim: Segment) -> bool:
        """Fold a claim into a chain's segments; False where only a whole fold can tell."""
        head = self.unit.timelines.heads(self.frame.namespace, [chain]).get(chain)
        if head is None or head.tier is None or head.tier not in (MIXED, claim.rank[0]):
            return False
        self._insert_into(chain, claim, free=False)
        if head.tier == MIXED:
            self._insert_into(chain, claim.unguarded, free=True)
        self.unit.timelines.set_head(self.frame.namespace, chain, Head(self.now, head.tier))
        return True

    def _insert_into(self, chain: int, claim: Segment, *, free: bool) -> None:
        timelines, namespace = self.unit.timelines, self.frame.namespace
        room = timelines.room_for(namespace, chain, claim, free=free)
        timelines.replace(namespace, chain, room.beaten, insert(claim, room), free=free)

    def _refold(self, number: int) -> None:
        Refold(self.frame, self.unit, self.now)([number])

    def _stake(self, claim: Segment) -> int:
        """The instant at which the claim can change the present: now, or later where it starts later."""
        return max(self.now, claim.start)

    def _at_stake(self, chain: int, claim: Segment) -> int | None:
        at = self._stake(claim)
        found = self.unit.timelines.segments(self.frame.namespace, chain, at, at + 1)
        return found[0].statement if found else None

    def _judge(self, number: int, claim: Segment, before: int | None, *, said_before: bool) -> Placed:
        kept = self.unit.memories.get(self.frame.namespace, [number])[number]
        after = self._at_stake(kept.chain, claim)
        displaced = before if after == kept.statement and before not in (None, kept.statement) else None
        if kept.memory.nothing and after == kept.statement:
            outcome = Outcome.ENDED
        elif displaced is not None:
            outcome = Outcome.SUPERSEDED
        elif said_before:
            outcome = Outcome.REAFFIRMED
        elif after == kept.statement:
            outcome = Outcome.STORED
        else:
            outcome = Outcome.SHADOWED if self._shadowed(kept, claim) else Outcome.HISTORICAL
        return Placed(kept.chain, kept.statement, outcome, displaced)

    def _shadowed(self, kept: Kept, claim: Segment) -> bool:
        at = self._stake(claim)
        free = self.unit.timelines.segments(self.frame.namespace, kept.chain, at, at + 1, free=True)
        found = in_force(free, at)
        return found is not None and found.statement == kept.statement
