"""Standing factors: how far a memory is to be relied on, whatever the query is.

Each is near 1 and is listed in the answer by its name; a strength of 0 in the profile leaves it out. Only one depends on
the query: what is little trusted yields to more trusted memories, as far as they answer the query about as well.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
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

COMPARABLE: Final = (0.8, 0.9)
"""With the first share of its own evidence more trusted memories begin to outdo a memory, with the second they do."""

ENOUGH: Final = 0.65
"""By words and meaning together, evidence beyond this makes no better answer: a text that repeats the question has it."""

SAYING: Final = {"lexical": (0.8, 0.9), "vector": (0.55, 0.65)}
"""What a voice gives (normalised) a memory that begins to say what is asked, and one that does."""

_FULL_STRENGTH: Final = 0.1
"""The strength of trust from which on a memory may yield down to its trust."""

_EVERYTHING: Final[Mapping[int, float]] = MappingProxyType({})
_FULL_USE: Final = math.log(50)


@dataclass(frozen=True, slots=True)
class Reliance:
    """What the factors are made of; `retention`, `confidence` and `trust` are 0..1, the counts 0 or more.

    `outdone` (0..1) says how far more trusted memories answer the query as well as this one.
    """

    retention: float = 1.0
    confidence: float = 1.0
    trust: float = 1.0
    mentions: int = 1
    recalls: int = 0
    stale: bool = False
    contested: bool = False
    outdone: float = 0.0


def factors(profile: Profile, reliance: Reliance) -> dict[str, float]:
    """The standing factors of a memory by name: those that the profile gives a strength, and its marks."""
    found = {
        "retention": _leaning(profile.retention, reliance.retention),
        "confidence": _leaning(profile.confidence, reliance.confidence),
        "usage": usage(profile.usage, reliance.mentions, reliance.recalls),
        "trust": _leaning(profile.trust, reliance.trust),
    }
    named = {name: factor for name, factor in found.items() if getattr(profile, name) > 0}
    yields = yielding(profile.trust, reliance.trust, reliance.outdone)
    marks = {YIELDING: yields, "stale": STALE, "contested": CONTESTED}
    borne = {YIELDING: yields < 1, "stale": reliance.stale, "contested": reliance.contested}
    return named | {name: factor for name, factor in marks.items() if borne[name]}


def usage(strength: float, mentions: int, recalls: int) -> float:
    """1 + strength * min(1, ln((1 + mentions + recalls) / 2) / ln 50), at least 1.

    What was said once and never recalled has 1; the full strength is reached at 99 mentions and recalls, so that being
    recalled often cannot carry a memory past one that fits better.
    """
    used = math.log((1 + mentions + recalls) / 2) / _FULL_USE
    return 1.0 + strength * min(max(used, 0.0), 1.0)


def yielding(strength: float, trust: float, outdone: float) -> float:
    """1 - min(1, 10 * strength) * outdone * (1 - trust).

    So a memory that is wholly outdone by more trusted ones is worth no more than its trust, and one that is not keeps
    its place: lowering whatever is little trusted would bury it where nothing else answers.
    """
    return 1.0 - min(strength / _FULL_STRENGTH, 1.0) * outdone * (1.0 - trust)


def best_from(evidence: Mapping[int, float], tiers: Mapping[int, int]) -> dict[int, float]:
    """The best evidence in each tier of trust and those above it, by tier."""
    best: dict[int, float] = {}
    for number, sure in evidence.items():
        best[tiers[number]] = max(sure, best.get(tiers[number], 0.0))
    highest = 0.0
    for tier in sorted(best, reverse=True):
        highest = best[tier] = max(best[tier], highest)
    return best


def outdone(
    evidence: Mapping[int, float],
    tiers: Mapping[int, int],
    saying: Mapping[int, float] = _EVERYTHING,
    enough: float = math.inf,
) -> dict[int, float]:
    """How far (0..1) each memory is outdone by those in a higher tier of trust.

    That is (share - 0.8) / (0.9 - 0.8), cut to 0..1, where the share is the best evidence of those above in its own,
    which counts up to `enough`. The evidence of those above counts as far (0..1) as they are `saying` what is asked;
    those that are not named there do.
    """
    best = best_from({number: sure * saying.get(number, 1.0) for number, sure in evidence.items()}, tiers)
    above = {tier: max((best[other] for other in best if other > tier), default=0.0) for tier in best}
    shares = {number: _share(above[tiers[number]], min(sure, enough)) for number, sure in evidence.items()}
    return {number: _risen(share, COMPARABLE) for number, share in shares.items()}


def says(given: Mapping[str, float]) -> float:
    """How far (0..1) a memory says what is asked: in the same words, or in others; `given` by voice, normalised."""
    return max(_risen(given.get(name, 0.0), bounds) for name, bounds in SAYING.items())


def _share(best: float, own: float) -> float:
    return best / own if own > 0 else float(best > 0)


def _risen(value: float, bounds: tuple[float, float]) -> float:
    nothing, all_of_it = bounds
    return min(max((value - nothing) / (all_of_it - nothing), 0.0), 1.0)


def stand(score: float, standing: Mapping[str, float]) -> float:
    """The score of a hit: its base score times all its factors."""
    return score * math.prod(standing.values())


def _leaning(strength: float, value: float) -> float:
    return (1.0 - strength) + strength * value
