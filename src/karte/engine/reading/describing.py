"""Describing memories to a caller: what they say, how they stand at an instant, who said so."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

from karte.core.assertions import Assertion
from karte.core.results import Item, Said, Status, Validity, said_by
from karte.core.reviews import disputes
from karte.core.standing import Standing, Timeline
from karte.core.timeline import Segment, Spell, in_force, spells
from karte.core.trust import FULL
from karte.engine.asking import When
from karte.engine.gathering import Frame, timelines
from karte.ports import Kept, Reading, Usage

MOST_REAFFIRMATIONS = 20
STALE = "stale"
ARCHIVED = "archived"
CONTESTED = "contested"


@dataclass(frozen=True)
class Derived(Item):
    """A memory that was derived: `inherited` is who said what it was derived from, which counts for nothing here."""

    inherited: tuple[Said, ...] = ()

    def _told(self) -> dict[str, Any]:
        """As of every memory, but the origins are those of its parents too."""
        told = super()._told()
        return {**told, "origins": [*told["origins"], *(said.to_dict() for said in self.inherited)]}


class Course:
    """The timeline of a chain as shown, without what has expired: spells by statement, and by where they meet."""

    def __init__(self, timeline: Timeline, now: int) -> None:
        self.timeline = timeline
        self.segments = [segment for segment in timeline.segments if not segment.expired(now)]
        self._spells: dict[int, list[Spell]] = defaultdict(list)
        for spell in spells(self.segments):
            self._spells[spell.statement].append(spell)
        self._starting = {segment.start: segment for segment in self.segments}
        self._ending = {segment.end: segment for segment in self.segments}

    def spells(self, statement: int) -> list[Spell]:
        """When a statement holds, in time order."""
        return self._spells.get(statement, [])

    def before(self, spell: Spell) -> Segment | None:
        """The segment that a spell takes over from."""
        return self._ending.get(spell.start)

    def after(self, spell: Spell) -> Segment | None:
        """The segment that takes over from a spell."""
        return self._starting.get(spell.end)


@dataclass(frozen=True)
class Describing:
    """Describes memories of one namespace as of `when`."""

    frame: Frame
    when: When
    _courses: dict[int, Course] = field(default_factory=dict)
    _usages: dict[int, Usage] = field(default_factory=dict)
    _archived: set[int] = field(default_factory=set)
    _contested: set[int] = field(default_factory=set)

    def items(self, numbers: Collection[int]) -> dict[int, Item]:
        """The statements of these memories, by the numbers asked for; those expired or unknown then are left out."""
        folded = timelines(self.frame, numbers, self.when.known_at) if numbers else {}
        found = {number: folded[number] for number in numbers if number in folded}
        self.read_usages(found.values())
        return {
            number: self.item(timeline, timeline.standing(number))
            for number, timeline in found.items()
            if not self.expired(timeline.standing(number))
        }

    def course(self, timeline: Timeline) -> Course:
        """The course of a chain, made once."""
        found = self._courses.get(id(timeline))
        if found is None:
            found = self._courses[id(timeline)] = Course(timeline, self.when.now)
        return found

    def expired(self, standing: Standing) -> bool:
        """Whether all that was said of a statement has expired."""
        expiries = [a.details.expires_at for a in standing.said]
        return bool(expiries) and all(expiry is not None and expiry <= self.when.now for expiry in expiries)

    def item(self, timeline: Timeline, standing: Standing) -> Item:
        """One statement of a chain as a caller sees it."""
        said = standing.said or standing.withdrawn
        memory, first = standing.representative, said[0]
        recalls = self._recalls(standing)
        item = Item(
            memory,
            self.frame.namespace.owner,
            first.wording or memory.wording,
            first.details,
            self._validity(timeline, standing),
            standing.trust / FULL,
            standing.confidence,
            said_by(standing.said),
            min(a.learned_at for a in said),
            tuple(a.details.source_event or str(a.origin) for a in standing.said[1 : MOST_REAFFIRMATIONS + 1]),
            tuple(sorted({tag for a in said for tag in a.details.tags})),
            self._parents(said),
            self._marks(standing),
            len(standing.said) - 1 + recalls if standing.said else recalls,
            recalls,
            self._recalled_at(standing),
        )
        inherited = self._inherited(said)
        return Derived(**vars(item), inherited=inherited) if inherited else item

    def read_usages(self, chains: Iterable[Timeline]) -> None:
        """Read counters and marks of all memories of these chains at once, before their statements are described."""
        standings = [standing for chain in chains for standing in chain.standings.values()]
        missing = {memory.number for standing in standings for memory in standing.memories} - self._usages.keys()
        self._usages.update(dict.fromkeys(missing, Usage()))
        self._usages.update(self._unit.usages.of(self.frame.namespace, missing) if missing else {})
        self._archived.update(self._unit.archive.of(self.frame.namespace, missing) if missing else ())
        shared = {m.number for standing in standings for m in standing.memories if m.place.domain} & missing
        self._contested.update(self._disputed(shared) if shared else ())

    def _disputed(self, numbers: Collection[int]) -> set[int]:
        """Those of these memories that another one contradicts, if both hold and nobody has decided."""
        pairs = disputes(self._unit.reviews.about(self.frame.namespace, numbers))
        both = {number for pair in pairs for number in pair}
        holding = self._unit.timelines.holding(self.frame.namespace, both, self.when.at, self.when.now) if both else {}
        return {number for pair in pairs if holding.keys() >= set(pair) for number in pair}

    def _recalls(self, standing: Standing) -> int:
        return sum(self._usages[memory.number].recalls for memory in standing.memories)

    def _recalled_at(self, standing: Standing) -> int | None:
        instants = [self._usages[memory.number].last for memory in standing.memories]
        return max((instant for instant in instants if instant is not None), default=None)

    @property
    def _unit(self) -> Reading:
        return self.frame.unit

    def _parents(self, said: Iterable[Assertion]) -> tuple[str, ...]:
        keys = {parent for assertion in said for parent in assertion.parents}
        if not keys:
            return ()
        return tuple(sorted(k.memory.id for k in self._kept(keys)))

    def _kept(self, keys: Collection[bytes]) -> list[Kept]:
        """The memories of these keys that the caller sees."""
        sight, kept = self.frame.sight, self._unit.memories.by_key(self.frame.namespace, keys).values()
        return [k for k in kept if sight is None or sight.sees(k.memory)]

    def _inherited(self, said: Iterable[Assertion]) -> tuple[Said, ...]:
        """Who said what these were derived from, in however many steps, without who made these themselves."""
        keys = {parent for assertion in said for parent in assertion.parents}
        if not keys:
            return ()
        own, reached = set(said_by(tuple(said))), set()
        found: set[Said] = set()
        while keys:
            reached |= keys
            numbers = [k.memory.number for k in self._kept(keys)]
            folded = timelines(self.frame, numbers, self.when.known_at)
            parents = [folded[number].standing(number) for number in numbers if number in folded]
            found.update(*(said_by(parent.said) for parent in parents))
            told = [assertion for parent in parents for assertion in parent.said or parent.withdrawn]
            keys = {key for assertion in told for key in assertion.parents} - reached
        return tuple(sorted(found - own, key=lambda one: (one.observed_at, one.origin.order)))

    def archived(self, standing: Standing) -> bool:
        """Whether a statement was moved out of recall: all memories that make it are in the archive."""
        return all(memory.number in self._archived for memory in standing.memories)

    def _marks(self, standing: Standing) -> tuple[str, ...]:
        contested = any(memory.number in self._contested for memory in standing.memories)
        marks = {ARCHIVED: self.archived(standing), STALE: self._stale(standing.said), CONTESTED: contested}
        return tuple(mark for mark, bears in marks.items() if bears)

    def _stale(self, said: Iterable[Assertion]) -> bool:
        keys = {parent for assertion in said for parent in assertion.parents}
        if not keys:
            return False
        parents = [k.memory.number for k in self._unit.memories.by_key(self.frame.namespace, keys).values()]
        folded = timelines(self.frame, parents, self.when.known_at)
        return any(not _holds(folded[number], number, self.when) for number in parents if number in folded)

    def _validity(self, timeline: Timeline, standing: Standing) -> Validity:
        course = self.course(timeline)
        mine = course.spells(standing.representative.number)
        spell = _spell_at(mine, self.when.at)
        status = self._status(timeline, standing, mine)
        if spell is None:
            first = (standing.said or standing.withdrawn)[0]
            return Validity(status, first.valid_from, first.ends_at)
        before, after = course.before(spell), course.after(spell)
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


def _named(timeline: Timeline, segment: Segment | None) -> str | None:
    memory = None if segment is None else timeline.standings[segment.statement].representative
    return None if memory is None or memory.nothing else memory.id
