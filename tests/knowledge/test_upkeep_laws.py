"""Upkeep obeys L5 and L9 on every store, and the laws bite on plausible mistakes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from karte.core import beliefs
from karte.core.assertions import Assertion
from karte.core.conflicts import Said
from karte.core.origins import Origin
from karte.core.restating import skeleton_of
from karte.engine import removing
from karte.engine.learning import harmonising, merging, promoting
from karte.engine.learning.copying import Copy
from tests.conftest import PROFILE
from tests.knowledge import upkept
from tests.knowledge.upkept import Step
from tests.laws.test_mutants import SEARCH
from tests.stores import STORES, Making

PROGRAMS = 8 if PROFILE == "fast" else 300
MOST_PROGRAMS = 300
MEMORY = STORES["memory"]

TELLINGS = st.tuples(upkept.programs(), st.integers(0, 2))


LAWS: dict[str, Callable[[tuple[upkept.Program, int]], bool]] = {
    "above": lambda telling: bool(upkept.above(telling[0], MEMORY)),
    "forgotten": lambda telling: upkept.forgotten(telling[0], MEMORY, telling[1]) is not None,
}


@pytest.mark.parametrize("making", STORES.values(), ids=STORES)
@settings(max_examples=PROGRAMS)
@given(upkept.programs())
def test_what_upkeep_derives_is_not_above_what_it_is_made_of(making: Making, program: upkept.Program) -> None:
    assert upkept.above(program, making) == []


@pytest.mark.parametrize("making", STORES.values(), ids=STORES)
@settings(max_examples=PROGRAMS)
@given(TELLINGS)
def test_a_forgotten_source_does_not_come_back_by_upkeep(making: Making, telling: tuple[upkept.Program, int]) -> None:
    program, source = telling
    assert upkept.forgotten(program, making, source) is None


@pytest.mark.slow
@settings(max_examples=600)
@given(upkept.programs(16))
def test_nor_is_it_in_many_programs(program: upkept.Program) -> None:
    assert upkept.above(program, MEMORY) == []
    assert [upkept.forgotten(program, MEMORY, source) for source in range(3)] == [None] * 3


def _trusted(*said: Any) -> Assertion:
    return replace(_copied(*said), trust=10_000)


def _observed_now(*said: Any) -> Assertion:
    return replace(_copied(*said), observed_at=1)


def _in_its_own_name(*said: Any) -> Copy:
    made = _promoted(*said)
    return replace(made, assertion=replace(made.assertion, origin=Origin("operator", "karte")))


def _resting_on_nothing(question: Any, item: Any, said: Any, bases: Any) -> list[Copy]:
    return _copies(question, item, said, dict.fromkeys(bases, ()))


def _same_words(one: Said, other: Said) -> bool:
    return skeleton_of(one) == skeleton_of(other)


def _nothing(*_: Any) -> None:
    """Does nothing."""


def _none_there(*_: Any) -> dict[Any, Any]:
    return {}


_copied, _promoted, _copies = beliefs.copied, promoting._copy, promoting._copies


def _after(*first: Step) -> st.SearchStrategy[list[Step]]:
    """Programs that begin so."""
    return upkept.programs(4).map(lambda rest: [*first, *rest])


UPKEEP = Step("upkeep", 0, 0, 0, 1.0, 0)
ALIKE = (Step("say", 0, 0, 0, 1.0, 0), Step("say", 1, 0, 1, 1.0, 0), UPKEEP)
DERIVED = (
    *(Step("say", agent, 2, 0, 1.0, 0) for agent in (0, 0, 1)),
    *(step for agent in (0, 1) for step in (UPKEEP, Step("derive", agent, 2, 1 + agent, 1.0, 0))),
    UPKEEP,
)
WITHDRAWN = (*ALIKE, Step("withdraw", 0, 0, 0, 1.0, 0))
TWICE = tuple(Step("remember", 0, 1, source, 1.0, source) for source in (0, 1))


@dataclass(frozen=True)
class Mutant:
    """A mistake: what it does, the law that it breaks, how programs begin in which it shows, and what it replaces."""

    name: str
    law: str
    first: tuple[Step, ...]
    patches: tuple[tuple[Any, str, Any], ...]

    def __str__(self) -> str:
        return self.name


MUTANTS = (
    Mutant("copies are trusted whatever their source", "above", (), ((harmonising, "copied", _trusted),)),
    Mutant("copies are of when they were made", "above", ALIKE, ((harmonising, "copied", _observed_now),)),
    Mutant("nothing is taken back", "above", WITHDRAWN, ((harmonising._Run, "take_back", _nothing),)),
    Mutant(
        "texts are merged whatever their values",
        "above",
        (),
        ((merging, "key_of", skeleton_of), (merging, "restates", _same_words)),
    ),
    Mutant("copies that are there are not known", "above", ALIKE, ((harmonising._Shelf, "of", _none_there),)),
    Mutant("beliefs outlast their sources", "forgotten", DERIVED, ((removing._Beliefs, "fall", _nothing),)),
    Mutant("what is promoted is said by nobody else", "forgotten", (), ((promoting, "_copy", _in_its_own_name),)),
    Mutant("what came up again rests on nothing", "forgotten", TWICE, ((promoting, "_copies", _resting_on_nothing),)),
)


@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_a_mutant_is_caught(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    for patch in mutant.patches:
        monkeypatch.setattr(*patch)
    drawn = st.tuples(_after(*mutant.first) if mutant.first else upkept.programs(), st.integers(0, 2))
    search = settings(SEARCH, max_examples=MOST_PROGRAMS)
    try:
        find(drawn, LAWS[mutant.law], settings=search, random=Random(0))  # noqa: S311 - a mutant must not escape by bad luck
    except NoSuchExample:
        pytest.fail(f"{mutant}: {mutant.law} holds in all of {MOST_PROGRAMS} programs")
