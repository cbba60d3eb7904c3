"""How far an origin may be believed, and the tiers that guard what is in force.

Trust is kept in basis points (0..10,000) so that every store compares it exactly; a caller sees 0..1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from karte.errors import InvalidValue

FULL: Final = 10_000
FALLEN: Final = 1_000
"""The trust of what rests on a parent that no longer counts (0.1)."""

DEFAULT_TIERS: Final = (4_000,)


def basis_points(trust: float) -> int:
    """Turn 0..1 into 0..10,000; anything else raises `InvalidValue`."""
    if isinstance(trust, bool) or not isinstance(trust, int | float) or not 0 <= trust <= 1:
        raise InvalidValue(f"Trust is a number from 0 to 1, not {trust!r}.")
    return round(trust * FULL)


def tier(trust: int, tiers: Sequence[int]) -> int:
    """Count the thresholds (basis points) that this trust reaches: 0 is the untrusted tier."""
    return sum(trust >= threshold for threshold in tiers)
