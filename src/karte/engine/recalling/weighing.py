"""Weighing: how far each candidate is to be relied on, and what that makes of its score."""

from __future__ import annotations

from bisect import insort
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile
from types import MappingProxyType
from typing import Final

from karte.core.periods import DAY, HOUR
from karte.core.ranking.fusion import ordered
from karte.core.ranking.profiles import Profile
from karte.core.ranking.retention import retention, retrievability
from karte.core.ranking.standing import YIELDING, Reliance, factors, stand, yielding
from karte.core.results import Item, Status
from karte.core.standing import Tiers
from karte.core.timeline import in_force
from karte.core.trust import FULL, tier
from karte.engine.asking import Asking
from karte.engine.gathering import timelines
from karte.engine.reading.describing import STALE, Describing

_CONTESTED: Final = "contested"
_STEP: Final = 10
_NOBODY: Final[Mapping[int, Collection[int]]] = MappingProxyType({})


@dataclass(frozen=True)
class Weighed:
    """A candidate with its standing factors and its final score."""

    item: Item
    standing: Mapping[str, float]
    score: float


def weigh(
    describing: Describing,
    profile: Profile,
    scores: Mapping[int, float],
    wanted: int,
    rivals: Mapping[int, Collection[int]] = _NOBODY,
) -> dict[int, Weighed]:
    """Weigh candidates until the `wanted` best are among those weighed, whatever the rest would come to.

    `rivals` are, by candidate, the more trusted ones below which it has to stand. Describing a memory costs more than
    ranking it, and no factor but use can raise a score: from where a base score with all of use could not reach the
    last of the best, nothing more is looked at, but for the rest of a step where diversity chooses among all of it.
    """
    most = 1.0 + profile.usage
    numbers = ordered(scores)
    weighing = _Weighing(describing, profile, scores, rivals)
    found: dict[int, Weighed] = {}
    best: list[float] = []

    def reaches(number: int) -> bool:
        return len(best) < wanted or scores[number] * most >= best[-wanted]

    start, step = 0, wanted
    while start < len(numbers) and reaches(numbers[start]):
        some = numbers[start : start + step]
        batch = some if profile.relevance < 1 else list(takewhile(reaches, some))
        for number, weighed in weighing.weighed(batch).items():
            found[number] = weighed
            insort(best, weighed.score)
        start, step = start + len(batch), _STEP
    return found


@dataclass
class _Weighing:
    """Candidates weighed so far: by themselves, and with what they yield to."""

    describing: Describing
    profile: Profile
    scores: Mapping[int, float]
    rivals: Mapping[int, Collection[int]]
    alone: dict[int, Weighed] = field(default_factory=dict)
    among: dict[int, Weighed] = field(default_factory=dict)

    @cached_property
    def _best(self) -> float:
        """The best base score of those that have rivals."""
        return max((self.scores[number] for number, above in self.rivals.items() if above), default=0.0) or 1.0

    def weighed(self, numbers: Collection[int]) -> dict[int, Weighed]:
        """These candidates, but for those that have expired."""
        self._look({*numbers, *(rival for number in numbers for rival in self.rivals.get(number, ()))})
        return {number: self._among_rivals(number) for number in numbers if number in self.alone}

    def _look(self, numbers: Collection[int]) -> None:
        fresh = [number for number in numbers if number not in self.alone]
        for number, item in self.describing.items(fresh).items():
            standing = factors(self.profile, reliance(item, self.describing.when.now))
            self.alone[number] = Weighed(item, standing, stand(self.scores[number], standing))

    def _among_rivals(self, number: int) -> Weighed:
        if number not in self.among:
            alone = self.among[number] = self.alone[number]
            above = [self._among_rivals(rival).score for rival in self.rivals.get(number, ()) if rival in self.alone]
            factor = yielding(self.profile.trust, alone.score, above, self.scores[number] / self._best)
            if factor < 1:
                standing = {**alone.standing, YIELDING: factor}
                self.among[number] = Weighed(alone.item, standing, stand(self.scores[number], standing))
        return self.among[number]


def reliance(item: Item, now: int) -> Reliance:
    """What the standing of a memory rests on, `now`."""
    age = (now - item.used_at) // HOUR
    in_force = item.status is Status.IN_FORCE
    return Reliance(
        retention(item.details.memory_type, age, in_force=in_force),
        item.confidence,
        item.trust,
        len(item.said),
        item.recall_count,
        STALE in item.marks,
        _CONTESTED in item.marks,
    )


def trusts(question: Asking, numbers: Collection[int]) -> dict[int, int]:
    """The trust (basis points) of whoever says each of these memories for the instant asked; 0 where it does not hold."""
    believed = dict.fromkeys(numbers, 0)
    if not question.when.present:
        return believed | _believed_then(question, numbers)
    when = question.when
    for held in question.unit.facts.spells(question.frame.namespace, list(numbers)):
        alive = held.expires_at is None or held.expires_at > when.now
        if alive and held.start <= when.at < held.end:
            believed[held.number] = held.trust
    return believed


def _believed_then(question: Asking, numbers: Collection[int]) -> dict[int, int]:
    """The same by what was known then, of those that hold as asked."""
    folded = timelines(question.frame, numbers, question.when.known_at) if numbers else {}
    found = {}
    for number in numbers:
        timeline = folded.get(number)
        segment = timeline and in_force(timeline.segments, question.when.at)
        if timeline and segment and segment.statement == timeline.statements[number]:
            found[number] = segment.rank[3]
    return found


def on_record(item: Item, trust: int, tiers: Tiers) -> dict[str, str]:
    """In words, where who says a memory for the instant asked is of a lower tier than others that say it."""
    known = round(item.trust * FULL)
    return {"trust": f"{trust / FULL:g} as asked"} if tier(trust, tiers) < tier(known, tiers) else {}


def recency(item: Item, now: int) -> float:
    """How likely (0..1) a memory would be recalled by itself `now`: its retrievability."""
    return retrievability((now - item.used_at) // DAY, item.access_count, item.details.importance)
