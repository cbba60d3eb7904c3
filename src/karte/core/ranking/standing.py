"""Standing factors: how far a memory is to be relied on, whatever the query is.

Each is near 1 and is listed in the answer by its name; a strength of 0 in the profile leaves it out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from karte.core.ranking.profiles import Profile

STALE: Final = 0.8
"""The factor of a memory whose parent is not in force."""

CONTESTED: Final = 0.9
"""The factor of a memory in an open conflict."""

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


def stand(score: float, standing: Mapping[str, float]) -> float:
    """The score of a hit: its base score times all its factors."""
    return score * math.prod(standing.values())


def _leaning(strength: float, value: float) -> float:
    return (1.0 - strength) + strength * value
