"""Describing memories to a caller: what they say, how they stand at an instant, who said so."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from karte.core.assertions import Assertion
from karte.core.memories import Memory, Wording
from karte.core.results import Item, Status, Validity, said_by
from karte.core.standing import Standing, Timeline
from karte.core.timeline import Segment, Spell, in_force, spells
from karte.core.trust import FULL
from karte.engine.asking import When
from karte.engine.gathering import Frame, timelines
from karte.ports import Reading

MOST_REAFFIRMATIONS = 20
STALE = "stale"


def lasting(segments: Iterable[Segment], now: int) -> list[Segment]:
    """The segments whose claim has not expired by `now`."""
    return [s for s in segments if not s.expired(now)]


@dataclass(frozen=True)
class Describing:
    """Describes memories of one namespace as of `when`."""

    frame: Frame
    when: When

    def items(self, numbers: Collection[int]) -> dict[int, Item]:
        """The statements of these memories, by the numbers asked for; those expired or unknown then are left out."""
        found: dict[int, Item] = {}
        folded = timelines(self.frame, numbers, self.when.known_at) if numbers else {}
        for number in numbers:
            if number in folded:
                standing = folded[number].standing(number)
                if not self.expired(standing):
                    found[number] = self.item(folded[number], standing)
        return found

    def expired(self, standing: Standing) -> bool:
        """Whether all that was said of a statement has expired."""
        expiries = [a.details.expires_at for a in standing.said]
        return bool(expiries) and all(expiry is not None and expiry <= self.when.now for expiry in expiries)

    def item(self, timeline: Timeline, standing: Standing) -> Item:
        """One statement of a chain as a caller sees it."""
        said = standing.said or standing.withdrawn
        memory, first = standing.representative, said[0]
        numbers = [m.number for m in standing.memories]
        recalls = sum(usage.recalls for usage in self._unit.usages.of(self.frame.namespace, numbers).values())
        return Item(
            memory,
            self.frame.namespace.owner,
            first.wording or Wording(memory.content, memory.triple),
            first.details,
            self._validity(timeline, standing),
            standing.trust / FULL,
            standing.confidence,
            said_by(standing.said),
            min(a.learned_at for a in said),
            tuple(a.details.source_event or str(a.origin) for a in standing.said[1 : MOST_REAFFIRMATIONS + 1]),
            tuple(sorted({tag for a in said for tag in a.details.tags})),
            self._parents(said),
            (STALE,) if self._stale(standing.said) else (),
            len(standing.said) - 1 + recalls if standing.said else recalls,
            recalls,
        )

    @property
    def _unit(self) -> Reading:
        return self.frame.unit

    def _parents(self, said: Iterable[Assertion]) -> tuple[str, ...]:
        keys = {parent for assertion in said for parent in assertion.parents}
        if not keys:
            return ()
        kept = self._unit.memories.by_key(self.frame.namespace, keys)
        return tuple(sorted(k.memory.id for k in kept.values()))

    def _stale(self, said: Iterable[Assertion]) -> bool:
        keys = {parent for assertion in said for parent in assertion.parents}
        if not keys:
            return False
        parents = [k.memory.number for k in self._unit.memories.by_key(self.frame.namespace, keys).values()]
        folded = timelines(self.frame, parents, self.when.known_at)
        return any(not _holds(folded[number], number, self.when) for number in parents if number in folded)

    def _validity(self, timeline: Timeline, standing: Standing) -> Validity:
        number = standing.representative.number
        shown = spells(lasting(timeline.segments, self.when.now))
        mine = [spell for spell in shown if spell.statement == number]
        spell = _spell_at(mine, self.when.at)
        status = self._status(timeline, standing, mine)
        if spell is None:
            first = (standing.said or standing.withdrawn)[0]
            return Validity(status, first.valid_from, first.ends_at)
        before = next((s for s in shown if s.end == spell.start), None)
        after = next((s for s in shown if s.start == spell.end), None)
        return Validity(status, spell.start, spell.end, _named(timeline, before), _named(timeline, after))

    def _status(self, timeline: Timeline, standing: Standing, mine: list[Spell]) -> Status:
        at = self.when.at
        free = in_force(timeline.free_segments, at)
        if not standing.said:
            return Status.WITHDRAWN
        if any(spell.start <= at < spell.end for spell in mine):
            return Status.IN_FORCE
        if free and free.statement == standing.representative.number:
            return Status.SHADOWED
        return Status.FUTURE if any(spell.start > at for spell in mine) else Status.HISTORICAL


def _holds(timeline: Timeline, number: int, when: When) -> bool:
    segment = in_force(timeline.segments, when.at)
    return segment is not None and segment.statement == timeline.statements[number]


def _spell_at(mine: list[Spell], at: int) -> Spell | None:
    """The spell that covers an instant, else the last one before it, else the first one after."""
    begun = [spell for spell in mine if spell.start <= at]
    return begun[-1] if begun else (mine[0] if mine else None)


def _named(timeline: Timeline, spell: Spell | None) -> str | None:
    memory = memory_of(timeline.standings, spell.statement) if spell else None
    return None if memory is None or memory.nothing else memory.id


def memory_of(standings: Mapping[int, Standing], statement: int) -> Memory | None:
    """The memory that represents a statement."""
    standing = standings.get(statement)
    return standing.representative if standing else None
