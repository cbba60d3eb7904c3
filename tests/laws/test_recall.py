"""The laws of recall, on every store: explained scores, no trace of order, of what was forgotten or of others."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karte.testing.programs import Program
from tests.conftest import PROFILE
from tests.laws import recall_laws
from tests.laws.recall_programs import Asked, programs, searches
from tests.stores import STORES, Making

SEARCHES = 10
PROGRAMS = 15 if PROFILE == "fast" else 100
ORDERS = 8 if PROFILE == "fast" else 40

each_store = pytest.mark.parametrize("making", STORES.values(), ids=STORES)
asked = st.lists(searches(), min_size=SEARCHES, max_size=SEARCHES)
few = st.lists(searches(), min_size=4, max_size=4)
chances = st.randoms(use_true_random=False)


@each_store
@settings(max_examples=PROGRAMS)
@given(programs(), asked, st.booleans())
def test_every_score_is_explained_by_what_the_answer_reports(
    making: Making, program: Program, asked: list[tuple[str, Asked]], decayed: bool
) -> None:
    assert recall_laws.explained(program, making, asked, decayed=decayed) is None


@each_store
@settings(max_examples=ORDERS)
@given(programs(), few, chances)
def test_in_whatever_order_a_program_is_told_a_search_finds_the_same(
    making: Making, program: Program, asked: list[tuple[str, Asked]], chance: Random
) -> None:
    assert recall_laws.order(program, making, asked, chance) is None


@each_store
@settings(max_examples=ORDERS)
@given(programs(), few, st.integers(0, 7))
def test_a_search_after_a_source_was_erased_is_one_that_never_heard_it(
    making: Making, program: Program, asked: list[tuple[str, Asked]], place: int
) -> None:
    assert recall_laws.erased(program, making, asked, place) is None


@each_store
@settings(max_examples=ORDERS)
@given(programs(), few, st.integers(0, 7))
def test_what_was_withdrawn_lends_nothing_to_a_search(
    making: Making, program: Program, asked: list[tuple[str, Asked]], place: int
) -> None:
    assert recall_laws.withdrawn(program, making, asked, place) is None


@each_store
@settings(max_examples=ORDERS)
@given(programs(), programs(), few)
def test_what_somebody_else_keeps_changes_no_answer(
    making: Making, program: Program, foreign: Program, asked: list[tuple[str, Asked]]
) -> None:
    assert recall_laws.foreign(program, foreign, making, asked) is None


@settings(max_examples=ORDERS)
@given(programs(), few, st.booleans())
def test_all_stores_give_the_same_answers(program: Program, asked: list[tuple[str, Any]], decayed: bool) -> None:
    assert recall_laws.stores(program, STORES, asked, decayed=decayed) is None
