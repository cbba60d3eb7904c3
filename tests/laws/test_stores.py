"""The laws through the facade, on every store."""

from datetime import timedelta
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from karte.errors import NotFound
from karte.testing.dumping import Dump, dump
from karte.testing.programs import TOLD, Program, day, names_stored, orders, programs, tell
from tests.conftest import PROFILE
from tests.laws.opening import STORES, Desk, Making, opened

PROGRAMS, ORDERS = (8, 8) if PROFILE == "fast" else (50, 24)
ASKED = (day(1.5), day(4.5), day(9), day(15))

each_store = pytest.mark.parametrize("making", STORES.values(), ids=STORES)


def told(program: Program, desk: Desk) -> list[str]:
    """Tell a program, a second a step; gives the ids of what was kept."""
    return list(tell(program, desk.chart, desk.clock.advance).ids.values())


def outcome(program: Program, making: Making, tiers: tuple[int, ...]) -> Dump:
    with opened(making, tiers) as desk:
        found = dump(desk.chart, told(program, desk), ASKED)
        assert desk.workspace.doctor().differences == ()
        return found


each_tiers = st.sampled_from([(4_000,), (4_000, 9_000), ()])


@each_store
@settings(max_examples=PROGRAMS)
@given(programs(), each_tiers, st.randoms(use_true_random=False))
def test_in_whatever_order_a_program_is_told_the_workspace_comes_to_the_same(
    making: Making, program: Program, tiers: tuple[int, ...], chance: Random
) -> None:
    expected = outcome(program, making, tiers)
    for _, other in zip(range(ORDERS), orders(program, chance), strict=False):
        assert outcome(other, making, tiers) == expected, other


@each_store
@settings(max_examples=PROGRAMS)
@given(programs(), each_tiers)
def test_as_of_a_system_time_is_what_was_told_by_then(making: Making, program: Program, tiers: tuple[int, ...]) -> None:
    with opened(making, tiers) as desk:
        ids = told(program, desk)
        for count in range(len(program) + 1):
            known_at = TOLD + timedelta(seconds=count - 0.5)
            as_of = dump(desk.chart, ids, ASKED, known_at)
            with opened(making, tiers) as fresh:
                replayed = dump(fresh.chart, told(program[:count], fresh), ASKED)
            assert as_of == replayed, count


@each_store
@settings(max_examples=2 * PROGRAMS)
@given(programs(), each_tiers, st.integers(0, 9))
def test_to_erase_a_memory_is_never_to_have_heard_of_it(
    making: Making, program: Program, tiers: tuple[int, ...], pick: int
) -> None:
    """Where no command names it: a command that does would not have been given."""
    names = names_stored(program)
    name = names[pick % len(names)]
    rest = [step for step in program if name not in step.says]
    assume(rest and not any(step.names(name) for step in rest))
    with opened(making, tiers) as desk:
        ids = tell(program, desk.chart, desk.clock.advance).ids
        desk.chart.erase([ids.pop(name)], scrub=False)
        erased = dump(desk.chart, ids.values(), ASKED)
        assert desk.workspace.doctor().differences == ()
    try:
        assert erased == outcome(rest, making, tiers)
    except NotFound:
        assume(False)
