"""Each law bites: for every mutant of the fold, the property that is aimed at it finds a history that shows it."""

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from karte.testing.histories import TIERS
from tests.laws import forgetting, forgetting_mutants, properties
from tests.laws.mutants import MUTANTS, Mutant

# The same examples in every run, and enough of them.
MOST_EXAMPLES = 2_000
SEARCH = settings(
    max_examples=MOST_EXAMPLES,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def drawn_for(mutant: Mutant) -> st.SearchStrategy[tuple[Any, ...]]:
    """What the property of a mutant takes."""
    if mutant.law == "inserted":
        return st.tuples(properties.claims())
    if mutant.law == "order":
        return st.tuples(mutant.told(), st.sampled_from(TIERS), st.randoms(use_true_random=False))
    if mutant.law == "forgotten":
        return st.tuples(mutant.told(), st.sampled_from(TIERS), forgetting.sources(), st.integers(0, 16))
    return st.tuples(mutant.told(), st.sampled_from(TIERS))


@pytest.mark.parametrize("mutant", [*MUTANTS, *forgetting_mutants.MUTANTS], ids=str)
def test_a_mutant_is_caught(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    where = forgetting if mutant.law == "forgotten" else properties
    law, chance = getattr(where, mutant.law), Random(0)  # noqa: S311 - a mutant must not escape by bad luck
    for patch in mutant.patches:
        monkeypatch.setattr(*patch)
    try:
        find(drawn_for(mutant), lambda drawn: law(*drawn) is not None, settings=SEARCH, random=chance)
    except NoSuchExample:
        pytest.fail(f"{mutant} breaks {mutant.law} in none of {MOST_EXAMPLES} histories")
