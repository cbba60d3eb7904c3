"""L6 on every store: a lower tier never silently overrides a higher one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import PROFILE
from tests.laws import guarding
from tests.laws.workspaces import Tiers
from tests.stores import STORES

PROGRAMS = 20 if PROFILE == "fast" else 300
IN_MEMORY = 20 if PROFILE == "fast" else 2_000


@pytest.mark.parametrize("store", STORES)
def test_a_lower_tier_is_shadowed_and_waits_for_a_person(store: str) -> None:
    @settings(max_examples=IN_MEMORY if store == "memory" else PROGRAMS)
    @given(guarding.programs(), st.sampled_from([(4_000,), (4_000, 9_000)]))
    def is_shadowed(program: guarding.Program, tiers: Tiers) -> None:
        assert guarding.overridden(program, STORES[store], tiers) == []

    is_shadowed()
