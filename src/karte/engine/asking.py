"""Asking about a namespace: from where, as of when, and which memories hold then."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from karte.core.memories import Layer
from karte.core.namespaces import Namespace, Principal, Scope
from karte.core.periods import FOREVER
from karte.core.reviews import Review, ReviewState
from karte.core.standing import Timeline
from karte.core.timeline import in_force
from karte.engine.gathering import Frame, timelines
from karte.engine.seeing import sight_of
from karte.engine.services import Services
from karte.ports import Kept, Reading


@dataclass(frozen=True)
class When:
    """The instants of a question: as of the world time `at` and the system time `known_at`; expiry is judged `now`."""

    at: int
    now: int
    known_at: int = FOREVER

    @property
    def present(self) -> bool:
        """Whether everything known counts."""
        return self.known_at == FOREVER


@dataclass(frozen=True)
class Instants:
    """World time and system time as asked; None is now."""

    at: int | None = None
    known_at: int | None = None

    def when(self, services: Services, unit: Reading) -> When:
        """Fill in now: never earlier than what was learned last, so that a clock that steps back hides nothing."""
        now = present(services, unit)
        return When(now if self.at is None else self.at, now, FOREVER if self.known_at is None else self.known_at)


@dataclass(frozen=True)
class Asking:
    """One question: a view of the store, the frame of the caller's namespace, the instants, and what may be shown.

    `layers` are those shown beside what is recalled; the frame has what the caller sees of the namespace.
    """

    unit: Reading
    frame: Frame
    when: When
    layers: frozenset[Layer] = frozenset()

    @classmethod
    def of(
        cls,
        services: Services,
        unit: Reading,
        caller: Principal,
        instants: Instants | None = None,
        layers: Collection[Layer] = (),
    ) -> Asking:
        """A question within a unit of work that is open already."""
        frame = Frame(unit, caller.namespace, services.tiers, sight_of(unit, caller))
        return cls(unit, frame, (instants or Instants()).when(services, unit), frozenset(layers))

    def shown(self, numbers: Iterable[int]) -> set[int]:
        """Those of these memories that the caller may be shown, whether they hold or not."""
        aside = self.unit.memories.aside(self.frame.namespace)
        open_ = {number for number in numbers if number not in aside or aside[number] in self.layers}
        sight = self.frame.sight
        if sight is None or not open_:
            return open_
        kept = self.unit.memories.get(self.frame.namespace, open_)
        return {number for number, k in kept.items() if sight.sees(k.memory)}

    def named(self, ids: Collection[str]) -> dict[str, Kept]:
        """The memories of these ids that the caller may be shown; the others are missing like those that never were."""
        kept = self.unit.memories.by_id(self.frame.namespace, ids)
        shown = self.shown(k.memory.number for k in kept.values())
        return {memory_id: k for memory_id, k in kept.items() if k.memory.number in shown}

    def holding(self, numbers: Collection[int]) -> dict[int, int]:
        """Those of these memories whose statement is in force as asked, with the statement's number.

        What is archived now is left out, whatever instant is asked about.
        """
        found = self._in_force(numbers)
        if found and len(shown := self.shown(found)) < len(found):
            found = {number: found[number] for number in found if number in shown}
        archived = self.archived(found)
        return {number: found[number] for number in found if number not in archived} if archived else found

    def archived(self, numbers: Collection[int]) -> dict[int, int]:
        """Those of these memories that are archived now, with the instant since when."""
        return self.unit.archive.of(self.frame.namespace, numbers) if numbers else {}

    def _in_force(self, numbers: Collection[int]) -> dict[int, int]:
        if self.when.present:
            return self._present(numbers)
        changed, settled = self._changed(numbers)
        found = self._present(settled)
        folded = timelines(self.frame, changed, self.when.known_at) if changed else {}
        for number in changed:
            statement = self._holding_in(folded.get(number), number)
            if statement is not None:
                found[number] = statement
        return found

    def _present(self, numbers: Collection[int]) -> dict[int, int]:
        return self.unit.timelines.holding(self.frame.namespace, numbers, self.when.at, self.when.now)

    def _changed(self, numbers: Collection[int]) -> tuple[list[int], list[int]]:
        """Those whose chain changed after the system time asked, and those whose present fold is that of then."""
        kept = self.unit.memories.get(self.frame.namespace, numbers)
        heads = self.unit.timelines.heads(self.frame.namespace, {k.chain for k in kept.values()})
        late = {chain for chain, head in heads.items() if head.changed_at > self.when.known_at}
        changed = [number for number, k in kept.items() if k.chain in late]
        return changed, [number for number, k in kept.items() if k.chain not in late]

    def _holding_in(self, timeline: Timeline | None, number: int) -> int | None:
        segment = timeline and in_force(timeline.segments, self.when.at)
        if not timeline or not segment or segment.expired(self.when.now):
            return None
        return segment.statement if timeline.statements[number] == segment.statement else None


@contextmanager
def asking(
    services: Services, caller: Principal, instants: Instants | None = None, layers: Collection[Layer] = ()
) -> Iterator[Asking]:
    """Open a view for one question; raises `MissingScope` where the caller may not read."""
    caller.require(Scope.READ)
    with services.store.reading() as unit:
        yield Asking.of(services, unit, caller, instants, layers)


def present(services: Services, unit: Reading) -> int:
    """Now, but never earlier than what was learned last."""
    return max(services.clock.now(), unit.last_learned())


def every_review(unit: Reading, owner: Namespace) -> list[Review]:
    """All reviews of a namespace, decided or not, latest first."""
    return unit.reviews.listed(owner, list(ReviewState), unit.reviews.count(owner))


def owners_of(unit: Reading) -> list[Namespace]:
    """The workspace itself, then its agents by name."""
    return [Namespace(), *(Namespace(agent.name) for agent in unit.agents.all())]
