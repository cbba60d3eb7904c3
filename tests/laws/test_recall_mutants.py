"""The laws of recall bite: for every mutant a program and searches show what it breaks."""

from random import Random
from typing import Any

import pytest
from hypothesis import find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from tests.laws import recall_laws
from tests.laws.recall_mutants import MUTANTS, Law, Mutant
from tests.laws.recall_programs import programs, searches
from tests.laws.test_mutants import SEARCH
from tests.stores import STORES

MOST_PROGRAMS = 400
MEMORY = STORES["memory"]

LAWS: dict[str, Law] = {
    "explained": lambda drawn: recall_laws.explained(drawn[0], MEMORY, drawn[1]),
    "order": lambda drawn: recall_laws.order(drawn[0], MEMORY, drawn[1], drawn[2]),
    "erased": lambda drawn: recall_laws.erased(drawn[0], MEMORY, drawn[1], drawn[2]),
    "withdrawn": lambda drawn: recall_laws.withdrawn(drawn[0], MEMORY, drawn[1], drawn[2]),
    "foreign": lambda drawn: recall_laws.foreign(drawn[0], drawn[2], MEMORY, drawn[1]),
}
MORE: dict[str, st.SearchStrategy[Any]] = {
    "explained": st.none(),
    "order": st.randoms(use_true_random=False),
    "erased": st.integers(0, 11),
    "withdrawn": st.integers(0, 11),
    "foreign": programs(),
}


@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_a_mutant_is_caught(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    law = LAWS[mutant.law]
    asked = st.lists(searches(mutant.queries), min_size=8, max_size=8)
    drawn = st.tuples(mutant.told(), asked, MORE[mutant.law])
    monkeypatch.setattr(mutant.owner, mutant.attribute, mutant.value)
    search = settings(SEARCH, max_examples=MOST_PROGRAMS)
    try:
        find(drawn, lambda example: bool(law(example)), settings=search, random=Random(0))  # noqa: S311 - as before
    except NoSuchExample:
        pytest.fail(f"{mutant} breaks {mutant.law} in none of {MOST_PROGRAMS} programs")
