"""Gathering everything that can bear on some memories, and keeping the fold of it.

The records around a memory are closed under three relations: the same question (aliases resolved), a link between
memories, and derivation (ancestors only lend their trust). Folding the closure gives the same timelines whatever
memory one started from.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from karte.core.assertions import Assertion, Link
from karte.core.chains import Naming
from karte.core.granting import Sight
from karte.core.memories import Memory, Triple
from karte.core.namespaces import Namespace
from karte.core.periods import FOREVER
from karte.core.standing import Records, Tiers, Timeline, acting_links, counting_assertions, resolve
from karte.ports import MIXED, Asked, Head, Kept, Reading, Writing

_BEGINNING = -FOREVER


@dataclass(frozen=True)
class Frame:
    """What every question about one namespace needs: where to ask, of whom, and the tiers of trust."""

    unit: Reading
    namespace: Namespace
    tiers: Tiers
    sight: Sight | None = None

    def name_links(self, names: Iterable[str], known_at: int = FOREVER) -> list[Link]:
        """All links known at `known_at` about these names and about names joined to them."""
        links: dict[bytes, Link] = {}
        asked: set[str] = set()
        waiting = set(names) if self.unit.records.has_links(self.namespace) else set()
        while waiting:
            asked |= waiting
            found = self.unit.records.name_links(self.namespace, waiting)
            links |= {link.identity: link for link in found if link.learned_at <= known_at}
            waiting = {name for link in found for name in (link.left, link.right) if name} - asked
        return list(links.values())

    def naming(self, names: Iterable[str], known_at: int = FOREVER) -> Naming:
        """What the links in force at `known_at` say about these names."""
        links = self.name_links(names, known_at)
        if not links:
            return Naming.of(())
        withdrawals = self.unit.records.withdrawals(self.namespace, [link.identity for link in links])
        known = [w for w in withdrawals if w.learned_at <= known_at]
        return Naming.of(acting_links(links, known, (), self.tiers))

    def names_like(self, name: str, known_at: int = FOREVER) -> frozenset[str]:
        """All names in the class of a name (normal form), itself included."""
        return self.naming([name], known_at).classes.like(name)

    def counting(self, said: Collection[Assertion]) -> list[Assertion]:
        """Those of these assertions that nobody withdrew whose word reaches them."""
        withdrawals = self.unit.records.withdrawals(self.namespace, [assertion.identity for assertion in said])
        return counting_assertions(said, withdrawals, self.tiers)

    def holders(self, numbers: Collection[int], at: int) -> set[int]:
        """The statements in force at an instant, now known, in the chains of these memories."""
        kept = self.unit.memories.get(self.namespace, numbers)
        timelines = self.unit.timelines
        return {
            segment.statement
            for chain in {k.chain for k in kept.values()}
            for segment in timelines.segments(self.namespace, chain, at, at + 1)
        }

    def question(self, memory: Memory, known_at: int = FOREVER) -> Asked:
        """What a memory with a triple answers: the names of its chain's members as of `known_at`."""
        names = memory.names or Triple("", "")
        naming = self.naming({names.subject, names.predicate, names.object or names.subject}, known_at)
        subjects = naming.classes.like(names.subject)
        if names.predicate not in naming.multi_valued:
            return Asked(subjects, names.predicate, memory.scope)
        objects = naming.classes.like(names.object) if names.object else frozenset({""})
        return Asked(subjects, names.predicate, memory.scope, objects)


@dataclass
class _Closure:
    frame: Frame
    known_at: int
    kept: dict[int, Kept] = field(default_factory=dict)
    links: dict[bytes, Link] = field(default_factory=dict)
    asked: set[tuple[str, Triple]] = field(default_factory=set)

    def grow(self, seeds: Iterable[int]) -> None:
        waiting = set(seeds)
        while waiting:
            fresh = self.frame.unit.memories.get(self.frame.namespace, waiting)
            self.kept |= fresh
            memories = [kept.memory for kept in fresh.values()]
            found = self._linked(memories) | self._answering(memories)
            waiting = found - self.kept.keys()

    def _linked(self, memories: Collection[Memory]) -> set[int]:
        records, namespace = self.frame.unit.records, self.frame.namespace
        if not records.has_links(namespace):
            return set()
        links = [
            link
            for link in records.memory_links(namespace, [memory.key for memory in memories])
            if link.learned_at <= self.known_at
        ]
        self.links |= {link.identity: link for link in links}
        keys = {bytes.fromhex(side) for link in links for side in (link.left, link.right)}
        known = {kept.memory.key for kept in self.kept.values()}
        return {kept.memory.number for kept in self.frame.unit.memories.by_key(namespace, keys - known).values()}

    def _answering(self, memories: Collection[Memory]) -> set[int]:
        questions = []
        for memory in memories:
            if memory.names and not self._has_asked(memory.scope, memory.names):
                asked = self.frame.question(memory, self.known_at)
                questions.append(asked)
                value = None if asked.objects is None else memory.names.object or ""
                self.asked |= {
                    (memory.scope, Triple(subject, memory.names.predicate, value)) for subject in asked.subjects
                }
        return set(self.frame.unit.memories.answering(self.frame.namespace, *questions)) if questions else set()

    def _has_asked(self, scope: str, names: Triple) -> bool:
        whole = Triple(names.subject, names.predicate)
        one = Triple(names.subject, names.predicate, names.object or "")
        return (scope, one) in self.asked or (scope, whole) in self.asked

    def name_links(self) -> list[Link]:
        """The links about any name that the memories hold, and about names joined to those."""
        names = {
            name
            for kept in self.kept.values()
            if (triple := kept.memory.names)
            for name in (triple.subject, triple.predicate, triple.object)
            if name
        }
        return self.frame.name_links(names, self.known_at)


def gather(frame: Frame, seeds: Iterable[int], known_at: int = FOREVER) -> Records:
    """Read all records that bear on these memories at `known_at`."""
    closure = _Closure(frame, known_at)
    closure.grow(seeds)
    memories = tuple(kept.memory for kept in closure.kept.values())
    assertions = _with_ancestors(frame, closure.kept.keys())
    links = (*closure.links.values(), *closure.name_links())
    targets = [a.identity for a in assertions] + [link.identity for link in links]
    withdrawals = frame.unit.records.withdrawals(frame.namespace, targets)
    return Records(memories, tuple(assertions), links, tuple(withdrawals))


def _with_ancestors(frame: Frame, numbers: Collection[int]) -> list[Assertion]:
    said = frame.unit.records.assertions(frame.namespace, numbers)
    reached = set(numbers)
    parents = {parent for assertion in said for parent in assertion.parents}
    while parents:
        kept = frame.unit.memories.by_key(frame.namespace, parents)
        fresh = {k.memory.number for k in kept.values()} - reached
        reached |= fresh
        more = frame.unit.records.assertions(frame.namespace, fresh) if fresh else []
        said += more
        parents = {parent for assertion in more for parent in assertion.parents}
    return said


def timelines(frame: Frame, seeds: Collection[int], known_at: int = FOREVER) -> dict[int, Timeline]:
    """Fold everything around these memories; gives the timeline of each memory reached, by number."""
    folded = resolve(gather(frame, seeds, known_at), frame.tiers, known_at)
    return {member.number: timeline for timeline in folded for member in timeline.chain.members}


@dataclass(frozen=True)
class Refold:
    """Folds what a command touched, and keeps the result."""

    frame: Frame
    unit: Writing
    changed_at: int

    def __call__(self, seeds: Iterable[int]) -> None:
        """Refold these memories' chains, then the chains of what was derived from them."""
        done: set[int] = set()
        waiting = set(seeds)
        while waiting:
            members = timelines(self.frame, waiting)
            self._keep(members)
            done |= waiting | members.keys()
            keys = self._keys(members)
            waiting = set(self.unit.records.children(self.frame.namespace, keys)) - done if keys else set()

    def reach(self, seeds: Iterable[int]) -> set[int]:
        """All memories whose chains bear on these."""
        return set(timelines(self.frame, set(seeds)))

    def clear(self, numbers: Collection[int]) -> None:
        """Drop the kept fold of these memories' chains."""
        for chain in {kept.chain for kept in self.unit.memories.get(self.frame.namespace, numbers).values()}:
            self._clear(chain)

    def _keys(self, members: dict[int, Timeline]) -> list[bytes]:
        return [member.key for timeline in distinct(members) for member in timeline.chain.members]

    def _keep(self, members: dict[int, Timeline]) -> None:
        self.clear(members.keys())
        for timeline in distinct(members):
            self._clear(head_of(timeline))
        self.put(members)

    def put(self, members: Mapping[int, Timeline], changes: Mapping[int, int] | None = None) -> None:
        """Keep these timelines, by member, of chains that have no kept fold.

        `changes` says by the head of a chain when it changed, where that is not `changed_at`.
        """
        namespace, unit = self.frame.namespace, self.unit
        kept = unit.memories.get(namespace, members.keys())
        for timeline in distinct(members):
            chain = head_of(timeline)
            for number, standing in timeline.standings.items():
                for memory in standing.memories:
                    before = kept.get(memory.number)
                    if (
                        before
                        and (before.chain, before.statement) != (chain, number)
                        and memory in timeline.chain.members
                    ):
                        unit.memories.place(namespace, memory.number, chain, number)
            unit.timelines.replace(namespace, chain, (), timeline.segments)
            if timeline.mixed:
                unit.timelines.replace(namespace, chain, (), timeline.free_segments, free=True)
            changed_at = (changes or {}).get(chain, self.changed_at)
            unit.timelines.set_head(namespace, chain, Head(changed_at, shared_tier(timeline)))

    def _clear(self, chain: int) -> None:
        for free in (False, True):
            old = self.unit.timelines.segments(self.frame.namespace, chain, _BEGINNING, FOREVER, free=free)
            self.unit.timelines.replace(self.frame.namespace, chain, old, (), free=free)


def distinct(members: Mapping[int, Timeline]) -> list[Timeline]:
    """Each timeline once."""
    return list({id(timeline): timeline for timeline in members.values()}.values())


def head_of(timeline: Timeline) -> int:
    """The number that names a chain: that of its least member."""
    return min(member.number for member in timeline.chain.members)


def shared_tier(timeline: Timeline) -> int | None:
    """The tier that all claims of a chain share, `MIXED` where they differ, None where no claim counts."""
    if timeline.mixed:
        return MIXED
    return timeline.segments[0].rank[0] if timeline.segments else None
