"""L6 on every store: a lower tier never silently overrides a higher one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import PROFILE
from tests.laws import guarding
from tests.laws.workspaces import Tiers
from tests.stores import STORES, Making

PROGRAMS = 20 if PROFILE == "fast" else 300


@pytest.mark.parametrize("making", STORES.values(), ids=STORES)
@settings(max_examples=PROGRAMS)
@given(guarding.programs(), st.sampled_from([(4_000,), (4_000, 9_000)]))
def test_a_lower_tier_is_shadowed_and_waits_for_a_person(
    making: Making, program: guarding.Program, tiers: Tiers
) -> None:
    assert guarding.overridden(program, making, tiers) == []
