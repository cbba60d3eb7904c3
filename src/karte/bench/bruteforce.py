"""What the vector voice is compared with: all vectors in one matrix, and one product of it with the query."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from karte.core.namespaces import Namespace
from karte.engine.embeddings import STORED, Embeddings
from karte.ports import Reading
from karte.stores.sqlite import SQLiteStore

Floats = NDArray[np.float32]
Places = NDArray[np.intp]


class BruteForce:
    """The vectors of an agent in a workspace file; `kept` is how many bytes Karte keeps of them in memory."""

    def __init__(self, path: Path, agent: str) -> None:
        namespace = Namespace(agent)
        with closing(SQLiteStore(path, create=False)) as store, store.reading() as unit:
            active = next(each for each in unit.vectors.sets() if each.active)
            sight = Embeddings().sight(unit, namespace, active)
            self.kept = sight.scan.size
            self.matrix = np.empty((len(sight.numbers), active.identity.dimensions), np.float32)
            self._fill(unit, namespace, active.number)

    def _fill(self, unit: Reading, namespace: Namespace, number: int) -> None:
        for place, (_, row) in enumerate(unit.vectors.since(namespace, number, 0)):
            self.matrix[place] = np.frombuffer(row, STORED)

    def nearest(self, query: Floats, limit: int) -> Places:
        """The places of the rows with the greatest product, best first."""
        products = self.matrix @ query
        wanted = min(limit, len(products))
        best = np.argpartition(products, -wanted)[-wanted:]
        found: Places = best[np.argsort(-products[best], kind="stable")]
        return found
