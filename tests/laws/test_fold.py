"""The laws of the pure fold, for random histories of records."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karte.testing.histories import ALIASED, DERIVED, JOINED, TIERS, WITHDRAWN, History, any_histories, histories
from tests.laws import properties

tiers = st.sampled_from(TIERS)
shuffled = any_histories().flatmap(lambda history: st.tuples(st.just(history), st.permutations(history)))


@given(shuffled, tiers)
def test_the_order_of_arrival_does_not_matter(orders: tuple[History, History], tiers: tuple[int, ...]) -> None:
    assert properties.order(*orders, tiers) is None


@given(any_histories(), tiers)
def test_as_of_is_replay(history: History, tiers: tuple[int, ...]) -> None:
    assert properties.replay(history, tiers) is None


@given(any_histories(), tiers)
def test_the_fold_agrees_with_an_exhaustive_search(history: History, tiers: tuple[int, ...]) -> None:
    assert properties.searched(history, tiers) is None


@given(any_histories(), tiers)
def test_nothing_is_lost_or_changed(history: History, tiers: tuple[int, ...]) -> None:
    assert properties.nothing_lost(history, tiers) is None


@given(any_histories(), tiers)
def test_a_lower_tier_is_never_in_force_over_a_higher_one(history: History, tiers: tuple[int, ...]) -> None:
    assert properties.guard(history, tiers) is None


@given(any_histories(), tiers)
def test_told_again_nothing_changes(history: History, tiers: tuple[int, ...]) -> None:
    assert properties.again(history, tiers) is None
