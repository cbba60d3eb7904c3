"""What every use case works with."""

from __future__ import annotations

from dataclasses import dataclass

from karte.core.standing import Tiers
from karte.ports import Clock, Ids, Store


@dataclass(frozen=True)
class Services:
    """A store, a clock, a maker of ids, and the thresholds of trust (basis points) that separate the tiers."""

    store: Store
    clock: Clock
    ids: Ids
    tiers: Tiers
