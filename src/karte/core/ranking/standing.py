"""Standing factors: how far a memory is to be relied on, whatever the query is.

Each is near 1 and is listed in the answer by its name; a strength of 0 in the profile leaves it out. Only one depends on
the query: what is little trusted yields to more trusted memories that answer the query about as well.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from karte.core.ranking.profiles import Profile

STALE: Final = 0.8
"""The factor of a memory whose parent is not in force."""

CONTESTED: Final = 0.9
"""The factor of a memory in an open conflict."""

YIELDING: Final = "yielding"
"""The name of the factor of a memory that yields to a more trusted one."""

OUTDONE: Final = 0.8
"""A memory is outdone where a more trusted one has so much of its evidence."""

BELOW: Final = 0.6
"""A memory that is outdone stands below each more trusted one that has so much of its evidence."""

ENOUGH: Final = 0.5
"""By words and meaning together, evidence beyond this makes no better answer: a text that repeats the question has it."""

SAYING: Final = {"lexical": (0.8, 0.9), "vector": (0.55, 0.65)}
"""What a voice gives (normalised) a memory that begins to say what is asked, and one that does."""

_FULL_STRENGTH: Final = 0.1
"""The strength of trust from which on a memory yields wholly."""

_STEP: Final = 1e-9
"""By so much a memory that yields stands below the other."""

_EVERYTHING: Final[Mapping[int, float]] = MappingProxyType({})
_FULL_USE: Final = math.log(50)


@dataclass(frozen=True, slots=True)
class Reliance:
    """What the factors are made of; `retention`, `confidence` and `trust` are 0..1, the counts 0 or more."""

    retention: float = 1.0
    confidence: float = 1.0
    trust: float = 1.0
    mentions: int = 1
    recalls: int = 0
    stale: bool = False
    contested: bool = False


def factors(profile: Profile, reliance: Reliance) -> dict[str, float]:
    """The standing factors of a memory by name: those that the profile gives a strength, and its marks."""
    found = {
        "retention": _leaning(profile.retention, reliance.retention),
        "confidence": _leaning(profile.confidence, reliance.confidence),
        "usage": usage(profile.usage, reliance.mentions, reliance.recalls),
        "trust": _leaning(profile.trust, reliance.trust),
    }
    named = {name: factor for name, factor in found.items() if getattr(profile, name) > 0}
    marks = {"stale": STALE} if reliance.stale else {}
    return named | marks | ({"contested": CONTESTED} if reliance.contested else {})


def usage(strength: float, mentions: int, recalls: int) -> float:
    """1 + strength * min(1, ln((1 + mentions + recalls) / 2) / ln 50), at least 1.

    What was said once and never recalled has 1; the full strength is reached at 99 mentions and recalls, so that being
    recalled often cannot carry a memory past one that fits better.
    """
    used = math.log((1 + mentions + recalls) / 2) / _FULL_USE
    return 1.0 + strength * min(max(used, 0.0), 1.0)


def yielding(strength: float, score: float, rivals: Iterable[float], share: float = 1.0) -> float:
    """The factor that brings a score just below the least of its rivals' scores, to the power of min(1, 10 * strength).

    `share` (0..1) is its base score in that of the best that yields, so that those that yield keep their proportions.
    1 where there are no rivals, or where it is below them anyhow.
    """
    least = min(rivals, default=math.inf) * (1.0 - _STEP) * share
    return 1.0 if score <= least or score <= 0 else float((least / score) ** min(strength / _FULL_STRENGTH, 1.0))


def best_from(evidence: Mapping[int, float], tiers: Mapping[int, int]) -> dict[int, float]:
    """The best evidence in each tier of trust and those above it, by tier."""
    best: dict[int, float] = {}
    for number, sure in evidence.items():
        best[tiers[number]] = max(sure, best.get(tiers[number], 0.0))
    highest = 0.0
    for tier in sorted(best, reverse=True):
        highest = best[tier] = max(best[tier], highest)
    return best


def rivals(
    evidence: Mapping[int, float],
    tiers: Mapping[int, int],
    saying: Mapping[int, float] = _EVERYTHING,
    enough: float = math.inf,
) -> dict[int, list[int]]:
    """For each memory that is outdone, those in higher tiers of trust below which it stands.

    It is outdone where one of them has at least 0.8 of its own evidence, which counts up to `enough`, and stands below
    those that have 0.6 of it. The evidence of those above counts as far (0..1) as they are `saying` what is asked;
    those that are not named there do.
    """
    answers = {number: sure * saying.get(number, 1.0) for number, sure in evidence.items()}
    found = {}
    for tier in {tiers[number] for number in evidence}:
        above = sorted((n for n in evidence if tiers[n] > tier and answers[n] > 0), key=lambda n: (-answers[n], n))
        heights = [-answers[number] for number in above]
        for number in (each for each in evidence if tiers[each] == tier and above):
            own = min(evidence[number], enough)
            if -heights[0] >= OUTDONE * own:
                found[number] = above[: bisect_right(heights, -BELOW * own)]
    return found


def says(given: Mapping[str, float]) -> float:
    """How far (0..1) a memory says what is asked: in the same words, or in others; `given` by voice, normalised."""
    return max(_risen(given.get(name, 0.0), bounds) for name, bounds in SAYING.items())


def _risen(value: float, bounds: tuple[float, float]) -> float:
    nothing, all_of_it = bounds
    return min(max((value - nothing) / (all_of_it - nothing), 0.0), 1.0)


def stand(score: float, standing: Mapping[str, float]) -> float:
    """The score of a hit: its base score times all its factors."""
    return score * math.prod(standing.values())


def _leaning(strength: float, value: float) -> float:
    return (1.0 - strength) + strength * value
