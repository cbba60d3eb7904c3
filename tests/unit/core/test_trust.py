"""Trust in basis points, and the tiers that it reaches."""

import pytest

from karte.core.trust import basis_points, tier
from karte.errors import InvalidValue


@pytest.mark.parametrize(("trust", "points"), [(0, 0), (1, 10_000), (0.3, 3_000), (0.29999, 3_000), (0.00004, 0)])
def test_trust_is_kept_in_basis_points(trust: float, points: int) -> None:
    assert basis_points(trust) == points


@pytest.mark.parametrize("trust", [-0.1, 1.1, float("nan"), "0.5", None, True])
def test_what_is_no_number_from_0_to_1_is_refused(trust: object) -> None:
    with pytest.raises(InvalidValue):
        basis_points(trust)  # type: ignore[arg-type]  # that is what is refused


@pytest.mark.parametrize(
    ("trust", "tiers", "reached"),
    [
        (3_999, [4_000], 0),
        (4_000, [4_000], 1),
        (10_000, [4_000], 1),
        (8_999, [4_000, 9_000], 1),
        (9_000, [4_000, 9_000], 2),
        (0, [], 0),
        (10_000, [], 0),
    ],
)
def test_a_tier_is_the_number_of_thresholds_reached(trust: int, tiers: list[int], reached: int) -> None:
    assert tier(trust, tiers) == reached
