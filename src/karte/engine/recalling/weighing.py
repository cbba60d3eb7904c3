"""Weighing: how far each candidate is to be relied on, and what that makes of its score."""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from karte.core.periods import DAY, HOUR
from karte.core.ranking.fusion import ordered
from karte.core.ranking.profiles import Profile
from karte.core.ranking.retention import retention, retrievability
from karte.core.ranking.standing import Reliance, factors, stand
from karte.core.results import Item, Status
from karte.engine.reading.describing import STALE, Describing

_CONTESTED: Final = "contested"
_STEP: Final = 10


@dataclass(frozen=True)
class Weighed:
    """A candidate with its standing factors and its final score."""

    item: Item
    standing: Mapping[str, float]
    score: float


def weigh(describing: Describing, profile: Profile, scores: Mapping[int, float], wanted: int) -> dict[int, Weighed]:
    """Weigh candidates until the `wanted` best are among those weighed, whatever the rest would come to.

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
            standing = factors(profile, reliance(item, describing.when.now))
            found[number] = Weighed(item, standing, stand(scores[number], standing))
            insort(best, found[number].score)
        start, step = start + step, _STEP
    return found


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


def recency(item: Item, now: int) -> float:
    """How likely (0..1) a memory would be recalled by itself `now`: its retrievability."""
    return retrievability((now - item.used_at) // DAY, item.access_count, item.details.importance)
