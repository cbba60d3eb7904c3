"""L5 through the facade, on every store: what is left after a source was forgotten is what there is without it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karte.testing.hearing import Source
from tests.conftest import PROFILE
from tests.laws import forgetting_workspaces
from tests.laws.sourced import Program
from tests.stores import STORES, Making

HISTORIES = 12 if PROFILE == "fast" else 300


@pytest.mark.parametrize("making", STORES.values(), ids=STORES)
@settings(max_examples=HISTORIES)
@given(forgetting_workspaces.tellings(), st.sampled_from([(4_000,), (4_000, 9_000), ()]))
def test_after_a_source_was_forgotten_a_workspace_is_as_if_it_had_never_been_heard(
    making: Making, telling: tuple[Program, Source, int], tiers: tuple[int, ...]
) -> None:
    assert forgetting_workspaces.forgotten(telling, making, tiers) is None
