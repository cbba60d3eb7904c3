"""The laws through the facade, on every store, for random programs of commands."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karte.testing.programs import Program, deriving, programs, retelling
from tests.conftest import PROFILE
from tests.laws import workspaces
from tests.laws.workspaces import Tiers
from tests.stores import STORES, Making

PROGRAMS, ORDERS = (8, 8) if PROFILE == "fast" else (50, 24)

each_store = pytest.mark.parametrize("making", STORES.values(), ids=STORES)
tiers = st.sampled_from([(4_000,), (4_000, 9_000), ()])
chances = st.randoms(use_true_random=False)


@each_store
@settings(max_examples=PROGRAMS)
@given(st.one_of(programs(), programs(), deriving(), retelling()), tiers, chances)
def test_in_whatever_order_a_program_is_told_the_workspace_comes_to_the_same(
    making: Making, program: Program, tiers: Tiers, chance: Random
) -> None:
    others = workspaces.some_orders(program, chance, ORDERS)
    assert workspaces.order(program, making, tiers, others) is None


@each_store
@settings(max_examples=PROGRAMS)
@given(programs(), tiers)
def test_as_of_a_system_time_is_what_was_told_by_then(making: Making, program: Program, tiers: Tiers) -> None:
    assert workspaces.replay(program, making, tiers) is None


@each_store
@settings(max_examples=PROGRAMS)
@given(programs(), tiers)
def test_only_what_holds_is_listed_and_found(making: Making, program: Program, tiers: Tiers) -> None:
    assert workspaces.only_what_holds(program, making, tiers) is None


@each_store
@settings(max_examples=PROGRAMS)
@given(programs(), tiers)
def test_a_conversation_that_is_told_again_changes_nothing(making: Making, program: Program, tiers: Tiers) -> None:
    assert workspaces.again(program, making, tiers) is None


@each_store
@settings(max_examples=2 * PROGRAMS)
@given(programs(), tiers, st.integers(0, 9))
def test_to_erase_a_memory_is_never_to_have_heard_of_it(
    making: Making, program: Program, tiers: Tiers, pick: int
) -> None:
    assert workspaces.erasing(program, making, tiers, pick) is None
