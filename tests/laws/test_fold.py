"""The laws of the pure fold, for random histories of records."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karte.core.timeline import Segment
from karte.testing import histories
from karte.testing.histories import TIERS, History, any_histories
from tests.conftest import PROFILE
from tests.laws import properties
from tests.laws.properties import claims

tiers = st.sampled_from(TIERS)
chances = st.randoms(use_true_random=False)
Tiers = tuple[int, ...]

OF_TRUST = 60 if PROFILE == "fast" else 2_000
"""Histories in which a lower tier could override, or something derived stand above its parents."""


@given(any_histories(properties.ALL_ORDERS_UP_TO), tiers, chances)
def test_no_order_of_a_short_history_matters(history: History, tiers: Tiers, chance: Random) -> None:
    assert properties.order(history, tiers, chance) is None


@given(any_histories(12), tiers, chances)
def test_the_order_of_arrival_does_not_matter(history: History, tiers: Tiers, chance: Random) -> None:
    assert properties.order(history, tiers, chance) is None


@given(any_histories(), tiers)
def test_as_of_is_replay(history: History, tiers: Tiers) -> None:
    assert properties.replay(history, tiers) is None


@given(any_histories(), tiers)
def test_the_fold_agrees_with_an_exhaustive_search(history: History, tiers: Tiers) -> None:
    assert properties.searched(history, tiers) is None


@pytest.mark.parametrize("kind", [histories.aliased, histories.joined, histories.withdrawn, histories.derived])
def test_it_agrees_where_one_kind_of_record_is_frequent(kind: properties.Kind) -> None:
    @settings(max_examples=OF_TRUST)
    @given(kind(), tiers)
    def agrees(history: History, tiers: Tiers) -> None:
        assert properties.searched(history, tiers) is None

    agrees()


@given(any_histories(), tiers)
def test_nothing_is_lost_or_changed(history: History, tiers: Tiers) -> None:
    assert properties.nothing_lost(history, tiers) is None


@settings(max_examples=OF_TRUST)
@given(any_histories(), tiers)
def test_a_lower_tier_is_never_in_force_over_a_higher_one(history: History, tiers: Tiers) -> None:
    assert properties.guard(history, tiers) is None


@given(any_histories(), tiers)
def test_told_again_nothing_changes(history: History, tiers: Tiers) -> None:
    assert properties.again(history, tiers) is None


@given(claims())
def test_claims_folded_in_one_by_one_are_claims_folded_at_once(told: list[Segment]) -> None:
    assert properties.inserted(told) is None
