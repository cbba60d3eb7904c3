"""The laws of a whole workspace as functions: each gives a sentence for what breaks it, and None where it holds."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import islice
from random import Random

from hypothesis import assume

from karte.errors import NotFound
from karte.testing.dumping import Dump, dump
from karte.testing.programs import TOLD, Program, day, names_stored, orders, tell
from tests.laws.opening import Desk, Making, opened

ASKED = (day(1.5), day(4.5), day(9), day(15))
Tiers = tuple[int, ...]


def told(program: Program, desk: Desk) -> dict[str, str]:
    """Tell a program, a second a step; gives the ids of what was kept, by name."""
    return tell(program, desk.chart, desk.clock.advance).ids


def _outcome(program: Program, making: Making, tiers: Tiers) -> tuple[Dump, tuple[str, ...]]:
    """What a workspace comes to, and what its doctor finds."""
    with opened(making, tiers) as desk:
        ids = told(program, desk).values()
        return dump(desk.chart, ids, ASKED), desk.workspace.doctor().differences


def _differs(one: Dump, other: Dump) -> str:
    return f"chains {one.chains ^ other.chains}, holding {one.holding} and {other.holding}"


def order(program: Program, making: Making, tiers: Tiers, others: Iterator[Program]) -> str | None:
    """L1: the same commands in any other order come to the same; the kept fold is that of the records."""
    expected, ill = _outcome(program, making, tiers)
    if ill:
        return f"the doctor finds {ill}"
    for other in others:
        found, ill = _outcome(other, making, tiers)
        if found != expected or ill:
            return f"told as {other}: {_differs(found, expected)}, the doctor finds {ill}"
    return None


def some_orders(program: Program, chance: Random, count: int) -> Iterator[Program]:
    """So many orders that keep what must come before what."""
    return islice(orders(program, chance), count)


def replay(program: Program, making: Making, tiers: Tiers) -> str | None:
    """L2: as of a system time is what only the commands given by then come to, told to an empty workspace."""
    with opened(making, tiers) as desk:
        ids = list(told(program, desk).values())
        for count in range(len(program) + 1):
            as_of = dump(desk.chart, ids, ASKED, TOLD + timedelta(seconds=count - 0.5))
            with opened(making, tiers) as fresh:
                replayed = dump(fresh.chart, told(program[:count], fresh).values(), ASKED)
            if as_of != replayed:
                return f"after {count} steps: {_differs(as_of, replayed)}"
    return None


def erasing(program: Program, making: Making, tiers: Tiers, pick: int) -> str | None:
    """L5, for a memory that no command names: to erase it is never to have heard of it."""
    names = names_stored(program)
    name = names[pick % len(names)]
    rest = [step for step in program if name not in step.says]
    assume(rest and not any(step.names(name) for step in rest))
    with opened(making, tiers) as desk:
        ids = told(program, desk)
        desk.chart.erase([ids.pop(name)], scrub=False)
        erased, ill = dump(desk.chart, ids.values(), ASKED), desk.workspace.doctor().differences
    try:
        expected, _ = _outcome(rest, making, tiers)
    except NotFound:  # a command would not have been possible
        return None
    return None if erased == expected and not ill else f"without {name}: {_differs(erased, expected)}, {ill}"
