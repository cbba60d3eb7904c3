"""Hearing a history, with or without a source: what forgetting that source must come to.

Forgetting a source equals never having heard it. So the history is told once more without the source, and what names
something that does not exist then is refused, as a workspace would. Whether it exists is seen in what was heard so far;
nothing here knows how `karte.core.forgetting` finds what falls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from karte.core.assertions import NAME_LINKS, Assertion, Link, Withdrawal
from karte.core.origins import Origin, OriginKind
from karte.core.periods import FOREVER
from karte.core.standing import Records
from karte.testing.histories import POOL, Event, History
from karte.testing.oracle import Oracle


@dataclass(frozen=True)
class Source:
    """A source to forget: an origin (an item, or a container with all its items), or a kind since a system time."""

    origin: Origin | None = None
    kind: OriginKind | None = None
    since: int = 0

    def lost(self, origin: Origin, learned_at: int) -> bool:
        """Whether a record of this origin, learned then, is of the source."""
        if self.origin is None:
            return origin.kind is self.kind and learned_at >= self.since
        places = (self.origin.kind, self.origin.container) == (origin.kind, origin.container)
        return places and (not self.origin.item or self.origin.item == origin.item)


@dataclass
class Hearing:
    """What was heard so far: the first of each record, under the tiers (basis points) by which links act."""

    tiers: Sequence[int]
    heard: dict[object, Event] = field(default_factory=dict)

    @classmethod
    def of(cls, tiers: Sequence[int], records: Records) -> Hearing:
        """What these records tell was heard."""
        events: list[Event] = [*records.assertions, *records.links, *records.withdrawals]
        kept = sorted(events, key=lambda event: event.learned_at)
        return cls(tiers, {_name(event): event for event in kept})

    def hear(self, event: Event, learned_at: int) -> bool:
        """Hear one record; False where it is the same again, or names something that is not there."""
        if _name(event) in self.heard or not self._possible(event):
            return False
        self.heard[_name(event)] = replace(event, learned_at=learned_at)
        return True

    @property
    def records(self) -> Records:
        """All that was heard."""
        return self.told()

    def told(self) -> Records:
        """All that was heard; memories are numbered as they first occurred."""
        events = list(self.heard.values())
        said = [event for event in events if isinstance(event, Assertion)]
        keys = dict.fromkeys(assertion.key for assertion in said)
        return Records(
            tuple(replace(POOL[key], number=number) for number, key in enumerate(keys, 1)),
            tuple(said),
            tuple(event for event in events if isinstance(event, Link)),
            tuple(event for event in events if isinstance(event, Withdrawal)),
        )

    def _possible(self, event: Event) -> bool:
        said = [heard for heard in self.heard.values() if isinstance(heard, Assertion)]
        keys = {assertion.key for assertion in said}
        if isinstance(event, Withdrawal):
            return event.target in self.heard
        if isinstance(event, Link):
            return event.kind in NAME_LINKS or {bytes.fromhex(event.left), bytes.fromhex(event.right)} <= keys
        there = keys | {assertion.identity for assertion in said}
        memory = POOL[event.key]
        asked = memory.nothing and memory.names is not None
        answered = not asked or Oracle(self.records, self.tiers, FOREVER).answered(memory)
        return answered and {*event.parents, *event.rests_on} <= there


def _name(event: Event) -> object:
    return replace(event, learned_at=0) if isinstance(event, Withdrawal) else event.identity


def hear(history: History, tiers: Sequence[int], source: Source | None = None) -> Hearing:
    """Hear a history at the system times 1, 2, 3 ..., without a source if one is given."""
    hearing = Hearing(tiers)
    for learned_at, event in enumerate(history, 1):
        if source is None or not source.lost(event.origin, learned_at):
            hearing.hear(event, learned_at)
    return hearing


def possible(history: History, tiers: Sequence[int]) -> History:
    """A history without what a workspace would refuse, and without what is the same again."""
    hearing = Hearing(tiers)
    return [event for learned_at, event in enumerate(history, 1) if hearing.hear(event, learned_at)]
