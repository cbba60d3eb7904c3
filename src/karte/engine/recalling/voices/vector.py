"""The vector voice: which memories are near to the query by the cosine of their vectors."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final

import numpy as np

from karte.core.namespaces import Namespace
from karte.engine.embeddings import Embeddings, Sight, stored
from karte.engine.scanning import Floats, Places, Sweep, cosines
from karte.errors import EmbedderFailed
from karte.ports import Embedder, Identity, Reading, VectorSet

VECTOR: Final = "vector"
_GROWTH: Final = 4


class Silence(StrEnum):
    """Why the voice does not speak."""

    NO_EMBEDDER = "no_embedder"
    NO_VECTORS = "no_vectors"
    NO_DIRECTION = "no_direction"
    NOT_READ = "not_read"
    OTHER_EMBEDDER = "other_embedder"
    EMBEDDER_FAILED = "embedder_failed"


@dataclass(frozen=True)
class Sought:
    """The vector of a query, the identity of its embedder, and the cosines that stand for no kinship and for full."""

    identity: Identity
    vector: Floats
    rest: float = 0.0
    full: float = 1.0


Wording = Callable[[Reading], str]
"""Gives the text of a query as it is embedded."""


@dataclass(frozen=True)
class Wanted:
    """The text of a query that is to be embedded as the active vectors were."""

    identity: Identity
    embedder: Embedder
    text: str

    def at_hand(self, embeddings: Embeddings) -> bool:
        """Whether its vector is known; else it may take long to make, so that no unit of work should wait for it."""
        return embeddings.knows(self.embedder, self.text)

    def made(self, embeddings: Embeddings) -> Sought | Silence:
        """Its vector; or why there is none."""
        try:
            vector = embeddings.query(self.embedder, self.text)
            if vector is None:
                return Silence.NO_DIRECTION if self.embedder.reads(self.text) else Silence.NOT_READ
            return Sought(self.identity, vector, self.embedder.rest, self.embedder.full)
        except EmbedderFailed:
            return Silence.EMBEDDER_FAILED


def wanted(unit: Reading, embeddings: Embeddings, wording: Wording) -> Wanted | Silence:
    """What is to be embedded for a query; or why nothing is."""
    active = _active(unit)
    if active is None:
        return Silence.NO_EMBEDDER if embeddings.embedder is None else Silence.NO_VECTORS
    embedder = embeddings.embedder_of(active.identity)
    if embedder is None:
        return Silence.NO_EMBEDDER if embeddings.embedder is None else Silence.OTHER_EMBEDDER
    return Wanted(active.identity, embedder, wording(unit))


def hear(unit: Reading, embeddings: Embeddings, namespace: Namespace, sought: Sought) -> VectorVoice | Silence:
    """The voice for a query in a namespace; or why it does not speak."""
    active = _active(unit)
    if active is None or active.identity != sought.identity:
        return Silence.OTHER_EMBEDDER
    sight = embeddings.sight(unit, namespace, active)
    return VectorVoice(unit, namespace, sight, sought.vector) if len(sight.numbers) else Silence.NO_VECTORS


def _active(unit: Reading) -> VectorSet | None:
    return next((vector_set for vector_set in unit.vectors.sets() if vector_set.active), None)


class VectorVoice:
    """One query asked in one namespace; the raw score of a memory is its cosine, 0 where that is less."""

    name = VECTOR

    def __init__(self, unit: Reading, namespace: Namespace, sight: Sight, query: Floats) -> None:
        self._unit, self._namespace, self._sight, self._query = unit, namespace, sight, query

    @cached_property
    def _sweep(self) -> Sweep:
        """All vectors against the query: not needed where only some memories are to be scored."""
        return self._sight.scan.sweep(self._query, len(self._sight.numbers))

    def batches(self, first: int) -> Iterator[list[int]]:
        """All memories with a cosine above 0, best first, ties by number; very many are told in nearly that order."""
        told: set[int] = set()
        wanted, ended = first, False
        while not ended:
            best = self._best(wanted)
            ended = len(best) < wanted
            if batch := [number for number in best if number not in told]:
                told.update(batch)
                yield batch
            wanted *= _GROWTH

    def _best(self, wanted: int) -> list[int]:
        """The `wanted` nearest memories, fewer where there are no more with a cosine above 0."""
        places = self._sweep.shortlist(wanted)
        numbers, near = self._sight.numbers[places], cosines(self._rows(places), self._query)
        order = np.lexsort((numbers, -near))[:wanted]
        best: list[int] = numbers[order[near[order] > 0]].tolist()
        return best

    def score(self, numbers: Collection[int]) -> dict[int, float]:
        """The cosines of these memories, 0 where they are less; those without a vector are left out."""
        places = self._places(numbers)
        near = np.maximum(cosines(self._rows(places), self._query), 0.0)
        return dict(zip(self._sight.numbers[places].tolist(), near.tolist(), strict=True))

    def evidence(self, numbers: Collection[int]) -> dict[int, str]:
        """How near these memories are, and by whose measure."""
        name = self._sight.vector_set.identity.name
        return {number: f"cosine {score:.2f} by {name}" for number, score in self.score(numbers).items() if score > 0}

    def vectors(self, numbers: Collection[int]) -> dict[int, Floats]:
        """The vectors of these memories, of unit length; those without one are left out."""
        places = self._places(numbers)
        return dict(zip(self._sight.numbers[places].tolist(), self._rows(places), strict=True))

    def _places(self, numbers: Collection[int]) -> Places:
        wanted = np.unique(np.fromiter(numbers, np.int64, len(numbers)))
        places = np.searchsorted(self._sight.numbers, wanted)
        within = places < len(self._sight.numbers)
        places, wanted = places[within], wanted[within]
        found: Places = places[self._sight.numbers[places] == wanted]
        return found

    def _rows(self, places: Places) -> Floats:
        """The vectors at these places, from memory or from the store."""
        kept = self._sight.scan.rows(places)
        if kept is not None:
            return kept
        numbers = self._sight.numbers[places].tolist()
        found = self._unit.vectors.of(self._namespace, self._sight.vector_set.number, numbers)
        return stored([found[number] for number in numbers]).astype(np.float32)
