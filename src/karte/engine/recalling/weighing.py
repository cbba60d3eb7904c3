"""Weighing: how far each candidate is to be relied on, and what that makes of its score."""

from __future__ import annotations

from bisect import insort
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from karte.core.periods import DAY, HOUR
from karte.core.ranking.fusion import ordered
from karte.core.ranking.profiles import Profile
from karte.core.ranking.retention import retention, retrievability
from karte.core.ranking.standing import Reliance, factors, stand
from karte.core.results import Item, Status
from karte.core.timeline import in_force
from karte.core.trust import tier
from karte.engine.asking import Asking
from karte.engine.gathering import timelines
from karte.engine.reading.describing import STALE, Describing

_CONTESTED: Final = "contested"
_STEP: Final = 10
_NOTHING: Final[Mapping[int, float]] = MappingProxyType({})


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
    outdone: Mapping[int, float] = _NOTHING,
) -> dict[int, Weighed]:
    """Weigh candidates until the `wanted` best are among those weighed, whatever the rest would come to.

    `outdone` says how far (0..1) more trusted candidates answer as well as each; 0 where it is not named.
    Describing a memory costs more than ranking it, and no factor but use can raise a score: from where a base score
    with all of use could not reach the last of the best, nothing more is looked at.
    """
    most = 1.0 + profile.usage
    numbers = ordered(scores)
    found: dict[int, Weighed] = {}
    best: list[float] = []
    start, step = 0, wanted
    while start < len(numbers) and (len(best) < wanted or scores[numbers[start]] * most >= best[-wanted]):
        part = numbers[start : start + step]
        for number, item in describing.items(part).items():
            standing = factors(profile, reliance(item, describing.when.now, outdone.get(number, 0.0)))
            found[number] = Weighed(item, standing, stand(scores[number], standing))
            insort(best, found[number].score)
        start, step = start + step, _STEP
    return found


def reliance(item: Item, now: int, outdone: float = 0.0) -> Reliance:
    """What the standing of a memory rests on, `now`; `outdone` is that of `Reliance`."""
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
        outdone,
    )


def tiers(question: Asking, numbers: Collection[int]) -> dict[int, int]:
    """The tier of trust in which each of these memories holds as asked; what does not hold is in the lowest."""
    believed = dict.fromkeys(numbers, 0)
    if question.when.present:
        when = question.when
        for held in question.unit.facts.spells(question.frame.namespace, list(numbers)):
            alive = held.expires_at is None or held.expires_at > when.now
            if alive and held.start <= when.at < held.end:
                believed[held.number] = held.trust
    else:
        believed |= _believed_then(question, numbers)
    return {number: tier(trust, question.frame.tiers) for number, trust in believed.items()}


def _believed_then(question: Asking, numbers: Collection[int]) -> dict[int, int]:
    """The trust (basis points) in what was known then of these memories, of those that hold as asked."""
    folded = timelines(question.frame, numbers, question.when.known_at) if numbers else {}
    found = {}
    for number in numbers:
        timeline = folded.get(number)
        segment = timeline and in_force(timeline.segments, question.when.at)
        if timeline and segment and segment.statement == timeline.statements[number]:
            found[number] = segment.rank[3]
    return found


def recency(item: Item, now: int) -> float:
    """How likely (0..1) a memory would be recalled by itself `now`: its retrievability."""
    return retrievability((now - item.used_at) // DAY, item.access_count, item.details.importance)
