"""What every use case works with."""

from __future__ import annotations

from dataclasses import dataclass, field

from karte.core.guarding import Guarding
from karte.core.ranking.profiles import Rankings
from karte.core.standing import Tiers
from karte.engine.embeddings import Embeddings
from karte.engine.graphs.keeping import Graphs
from karte.ports import Clock, Ids, Store


@dataclass(frozen=True)
class Services:
    """A store, a clock, a maker of ids, the thresholds of trust (basis points) between tiers; and what is kept in memory.

    That is the embedder, if any, with vectors read before, and graphs read before; how each agent's searches rank; and
    how the write gate judges.
    """

    store: Store
    clock: Clock
    ids: Ids
    tiers: Tiers
    embeddings: Embeddings = field(default_factory=Embeddings)
    graphs: Graphs = field(default_factory=Graphs)
    rankings: Rankings = field(default_factory=Rankings)
    guarding: Guarding = field(default_factory=Guarding)
