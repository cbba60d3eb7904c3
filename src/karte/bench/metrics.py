"""How rankings, sets and times are judged."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
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


def first_at(ranked: Sequence[T], wanted: Collection[T]) -> int | None:
    """The rank, from 0, of the first of `wanted`; None where none is in the ranking."""
    return next((rank for rank, each in enumerate(ranked) if each in wanted), None)


def stands_above(ranked: Sequence[T], upper: Collection[T], lower: Collection[T]) -> bool:
    """Tell whether something of `upper` is ranked, and nothing of `lower` before it."""
    above, below = first_at(ranked, upper), first_at(ranked, lower)
    return above is not None and (below is None or above < below)


def area(points: Iterable[tuple[float, float]]) -> float:
    """The area (0..1) under a curve of (x, y) from (0, 0) to (1, 1), by trapezoids; points in any order."""
    ordered = [(0.0, 0.0), *sorted(points), (1.0, 1.0)]
    return sum((right[0] - left[0]) * (left[1] + right[1]) / 2 for left, right in pairwise(ordered))
