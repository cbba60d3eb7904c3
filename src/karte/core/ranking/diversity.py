"""The last two steps of ranking: what does not fit is left out, and retellings do not crowd out the rest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from karte.core.ranking.fusion import ordered

Row = NDArray[np.float64]
Vector = NDArray[np.floating[Any]]
Likeness = Callable[[int], Row]
"""How like (0..1) the candidate at a place is to the candidate at every place."""

_FEW: Final = 2


def above_floor(evidence: Mapping[int, float], floor: float) -> set[int]:
    """The candidates whose evidence (0..1) reaches the floor; a floor of 0 leaves everything."""
    return {number for number, sure in evidence.items() if sure >= floor}


def diversified(scores: Mapping[int, float], limit: int, relevance: float, likeness: Likeness | None) -> list[int]:
    """At most `limit` numbers, the best first, then always the one with the greatest marginal relevance.

    That is relevance * score / best score - (1 - relevance) * (likeness to the most alike that was taken), Carbonell
    and Goldstein 1998. `likeness` answers by place in the order of `ordered(scores)`. Because scores are divided by
    the best, one that leads by more than (1 - relevance) / relevance of it (0.43 at 0.7) is never overtaken. The cost
    is limit * candidates.
    """
    numbers = ordered(scores)
    if likeness is None or relevance >= 1 or len(numbers) <= _FEW or scores[numbers[0]] <= 0:
        return numbers[:limit]
    worth = relevance * np.array([scores[number] for number in numbers]) / scores[numbers[0]]
    nearest = np.zeros(len(numbers))
    taken: list[int] = []
    for _ in range(min(limit, len(numbers))):
        margin = worth - (1 - relevance) * nearest
        margin[taken] = -np.inf
        place = int(margin.argmax())  # of equals the first, which is the better one
        taken.append(place)
        nearest = np.maximum(nearest, likeness(place))
    return [numbers[place] for place in taken]


def likeness_of(
    numbers: Sequence[int], vectors: Mapping[int, Vector], terms: Mapping[int, Collection[str]]
) -> Likeness:
    """How like the candidates are: by their vectors where both have one, else by the terms that they share.

    Vectors are of unit length. A cosine counts from what two candidates of this query have on average, because some
    embedders give any two texts 0.8; shared terms count as a share of all (Jaccard).
    """
    has_vector = np.array([number in vectors for number in numbers], dtype=np.bool_)
    by_vectors = _cosines([vectors[number] for number in numbers if number in vectors])
    by_terms = _jaccard([terms.get(number, ()) for number in numbers])
    places = np.cumsum(has_vector) - 1

    def row(place: int) -> Row:
        if not has_vector[place]:
            return by_terms(place)
        alike = by_terms(place) if not has_vector.all() else np.zeros(len(numbers))
        alike[has_vector] = by_vectors(int(places[place]))
        return alike

    return row


def _cosines(vectors: Sequence[Vector]) -> Likeness:
    matrix = np.array(vectors, dtype=np.float64)
    count = len(matrix)
    if count <= 1:
        return lambda _: np.ones(count)
    whole = matrix.sum(axis=0)
    usual = min(max((float(whole @ whole) - count) / (count * (count - 1)), 0.0), 0.99)

    def row(place: int) -> Row:
        cosines = np.einsum("ij,j->i", matrix, matrix[place])  # a product this small is slower in BLAS's threads
        alike: Row = np.clip((cosines - usual) / (1 - usual), 0.0, 1.0)
        return alike

    return row


def _jaccard(terms: Sequence[Collection[str]]) -> Likeness:
    places: dict[str, list[int]] = defaultdict(list)
    for place, found in enumerate(terms):
        for term in set(found):
            places[term].append(place)
    sizes = np.array([len(set(found)) for found in terms])

    def row(place: int) -> Row:
        holders = [holder for term in set(terms[place]) for holder in places[term]]
        shared = np.bincount(np.array(holders, dtype=np.intp), minlength=len(terms))
        alike: Row = shared / np.maximum(sizes + sizes[place] - shared, 1)
        return alike

    return row
