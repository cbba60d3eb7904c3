"""What every use case works with."""

from __future__ import annotations

from dataclasses import dataclass, field

from karte.core.standing import Tiers
from karte.engine.embeddings import Embeddings
from karte.ports import Clock, Ids, Store


@dataclass(frozen=True)
class Services:
    """A store, a clock, a maker of ids, the thresholds of trust (basis points) between tiers, and an embedder if any."""

    store: Store
    clock: Clock
    ids: Ids
    tiers: Tiers
    embeddings: Embeddings = field(default_factory=Embeddings)
