"""L5 on the pure fold: forgetting a source equals never having heard it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from karte.core import forgetting, standing
from karte.core.origins import Origin, OriginKind
from karte.core.periods import FOREVER
from karte.core.standing import Records, Tiers, Timeline
from karte.core.timeline import in_force
from karte.testing import histories
from karte.testing.hearing import Hearing, Source, hear, possible
from karte.testing.histories import INSTANTS, History
from tests.laws.properties import View, views

ORIGINS = tuple(Origin(kind, box) for kind, box in (("operator", "s"), ("operator", "t"), ("channel", "t")))


def told() -> st.SearchStrategy[History]:
    """Histories in which much rests on what somebody else said."""
    return st.one_of(
        histories.commanded(12),
        histories.commanded(12),
        histories.ended(12),
        histories.ended(9),
        histories.derived(10),
        histories.withdrawn(10),
        histories.aliased(10),
        histories.joined(10),
    )


@st.composite
def sources(draw: st.DrawFn) -> Source:
    """A container, an item, or all of a kind since some time."""
    origin = draw(st.sampled_from(ORIGINS))
    item = draw(st.sampled_from(["", "", "1", "2"]))
    if draw(st.sampled_from([True, True, True, False])):
        return Source(Origin(origin.kind, origin.container, item))
    return Source(kind=draw(st.sampled_from([OriginKind.OPERATOR, OriginKind.CHANNEL])), since=draw(st.integers(0, 6)))


Dumped = tuple[frozenset[View], frozenset[tuple[Any, ...]]]


def dumped(records: Records, tiers: Tiers, known_at: int = FOREVER) -> Dumped:
    """What records come to: the timelines in words, and at which instants which statement is stale."""
    lines = standing.resolve(records, tiers, known_at)
    return views(lines), frozenset(_stale(lines))


def _stale(lines: Sequence[Timeline]) -> list[tuple[Any, ...]]:
    homes = {member.key: line for line in lines for member in line.chain.members}
    numbers = {member.key: member.number for line in lines for member in line.chain.members}

    def holds(key: bytes, at: int) -> bool:
        segment = in_force(homes[key].segments, at) if key in homes else None
        return segment is not None and segment.statement == homes[key].statements[numbers[key]]

    return [
        (frozenset(memory.id for memory in found.memories), at)
        for line in lines
        for found in line.standings.values()
        for at in INSTANTS
        if any(not holds(parent, at) for said in found.said for parent in said.parents)
    ]


def forgotten(history: History, tiers: Tiers, source: Source, point: int) -> str | None:
    """L5: a source forgotten after `point` records, and the rest heard, comes to what is heard without it."""
    heard = possible(history, tiers)
    before, later = heard[:point], heard[point:]
    records = hear(before, tiers).records
    going = forgetting.fallen(records, source.lost, tiers).without(records)
    hearing = Hearing.of(tiers, going)
    for learned_at, event in enumerate(later, len(before) + 1):
        if not source.lost(event.origin, learned_at):
            hearing.hear(event, learned_at)
    expected = hear(heard, tiers, source).records
    for known_at in range(1, len(heard) + 1):
        found, wanted = dumped(hearing.records, tiers, known_at), dumped(expected, tiers, known_at)
        if found != wanted:
            return f"as of {known_at}: forgotten {_apart(found, wanted)}, never heard {_apart(wanted, found)}"
    return None


def _apart(one: Dumped, other: Dumped) -> str:
    return f"{set(one[0] - other[0])} {set(one[1] - other[1])}"
