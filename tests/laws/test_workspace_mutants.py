"""The laws of a whole workspace bite: for every mutant of the engine or the store, a program shows what it breaks."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample, UnsatisfiedAssumption

from karte.testing.programs import deriving, programs, retelling
from tests.laws import deriving as deriving_law
from tests.laws import forgetting_workspaces, guarding, leaking, sourced, trust_mutants, workspaces
from tests.laws.foreign import tell, told_apart
from tests.laws.opening import opened
from tests.laws.test_mutants import SEARCH
from tests.laws.workspace_mutants import MUTANTS, Mutant
from tests.stores import STORES

MOST_PROGRAMS = 400
ORDERS = 3

MEMORY = STORES["memory"]
GUARDED = (4_000,)


def _told_apart(_: object) -> list[str]:
    with opened(MEMORY) as desk:
        tell(desk.chart)
        return told_apart(desk.workspace, desk.chart, "ゆき")


def _order(drawn: tuple[Any, Random]) -> str | None:
    program, chance = drawn
    return workspaces.order(program, MEMORY, GUARDED, workspaces.some_orders(program, chance, ORDERS))


def _forgotten(telling: Any) -> str | None:
    try:
        return forgetting_workspaces.forgotten(telling, MEMORY, GUARDED)
    except UnsatisfiedAssumption:
        return None


LAWS: dict[str, tuple[st.SearchStrategy[Any], Callable[[Any], object]]] = {
    "order of retellings": (st.tuples(retelling(), st.randoms(use_true_random=False)), _order),
    "order of what is derived": (st.tuples(deriving(), st.randoms(use_true_random=False)), _order),
    "replay": (programs(), lambda program: workspaces.replay(program, MEMORY, GUARDED)),
    "again": (programs(), lambda program: workspaces.again(program, MEMORY, GUARDED)),
    "erasing": (
        st.tuples(programs(), st.integers(0, 9)),
        lambda drawn: workspaces.erasing(drawn[0], MEMORY, GUARDED, drawn[1]),
    ),
    "holds": (programs(), lambda program: workspaces.only_what_holds(program, MEMORY, GUARDED)),
    "foreign": (st.none(), _told_apart),
    "acknowledged": (
        st.sampled_from(["部署到東京", "배포는 서울로"]),
        lambda text: workspaces.acknowledged(text, MEMORY),
    ),
    "forgotten": (forgetting_workspaces.tellings(), _forgotten),
    "forgotten in marked programs": (forgetting_workspaces.tellings(sourced.programs(marked=True)), _forgotten),
    "leaks": (leaking.programs(), lambda program: leaking.leaks(program, MEMORY)),
    "overridden": (guarding.programs(), lambda program: guarding.overridden(program, MEMORY, GUARDED)),
    "above": (deriving_law.programs(), lambda program: deriving_law.above(program, MEMORY)),
}


@pytest.mark.parametrize("mutant", [*MUTANTS, *trust_mutants.MUTANTS], ids=str)
def test_a_mutant_is_caught(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, law = LAWS[mutant.law]
    monkeypatch.setattr(mutant.owner, mutant.attribute, mutant.value)
    search = settings(SEARCH, max_examples=MOST_PROGRAMS)
    try:
        find(drawn, lambda example: bool(law(example)), settings=search, random=Random(0))  # noqa: S311 - as before
    except NoSuchExample:
        pytest.fail(f"{mutant} breaks {mutant.law} in none of {MOST_PROGRAMS} programs")
