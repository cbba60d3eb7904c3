"""How rankings, sets and times are judged."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")


def recall(ranked: Sequence[Collection[T]], wanted: Collection[T], count: int) -> float:
    """The share of `wanted` among the first `count` of a ranking; what stands at one rank together counts together."""
    found = {each for rank in ranked[:count] for each in rank}
    return len(found & set(wanted)) / len(set(wanted))


def mean(values: Iterable[float]) -> float:
    """The arithmetic mean; 0 of nothing."""
    known = list(values)
    return sum(known) / len(known) if known else 0.0


def percentile(values: Iterable[float], share: float) -> float:
    """The least value that at least `share` (0..1) of all values do not exceed (nearest rank); 0 of nothing."""
    ordered = sorted(values)
    return ordered[max(math.ceil(share * len(ordered)), 1) - 1] if ordered else 0.0


def agreement(found: Sequence[float], best: Sequence[float]) -> float:
    """The share of a ranking that an exact one agrees with.

    `found` are the exact scores of the texts that were returned, `best` the scores of the exact ranking, best first;
    a text agrees if it scores as much as the last of the best, so that the order among equals does not matter. Texts
    that score nothing in the exact ranking need not be returned.
    """
    scoring = [score for score in best if score > 0]
    if not scoring:
        return 1.0 if not found else 0.0
    least = scoring[-1] * (1 - 1e-9)
    return float(sum(score >= least for score in found)) / max(len(scoring), len(found))


def first_seen(values: Iterable[T]) -> list[T]:
    """The different values, in the order in which they come first."""
    return list(dict.fromkeys(values))
