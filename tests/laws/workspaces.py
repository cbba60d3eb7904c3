"""The laws of a whole workspace as functions: each gives a sentence for what breaks it, and None where it holds."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import islice
from random import Random

from hypothesis import assume

from karte.core.periods import instant_of
from karte.core.results import Chapter
from karte.errors import NotFound
from karte.testing.dumping import Dump, dump
from karte.testing.programs import TOLD, Program, day, names_stored, orders, tell
from karte.workspace import Chart
from tests.laws.opening import Desk, opened
from tests.stores import Making

ASKED = (day(1.5), day(4.5), day(9), day(15))
EXPIRED = 31 * 24 * 3_600
"""After so many seconds, what expires in a program has expired."""

Tiers = tuple[int, ...]


def told(program: Program, desk: Desk) -> dict[str, str]:
    """Tell a program, a second a step; gives the ids of what was kept, by name."""
    return tell(program, desk.chart, desk.clock.advance).ids


def _outcome(program: Program, making: Making, tiers: Tiers) -> tuple[Dump, tuple[str, ...]]:
    """What a workspace comes to, and what its doctor finds."""
    with opened(making, tiers) as desk:
        return dump(desk.chart, told(program, desk), ASKED), desk.workspace.doctor().differences


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
        ids = told(program, desk)
        for count in range(len(program) + 1):
            as_of = dump(desk.chart, ids, ASKED, TOLD + timedelta(seconds=count - 0.5))
            with opened(making, tiers) as fresh:
                replayed = dump(fresh.chart, told(program[:count], fresh), ASKED)
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
        erased, ill = dump(desk.chart, ids, ASKED), desk.workspace.doctor().differences
    try:
        expected, _ = _outcome(rest, making, tiers)
    except NotFound:  # a command would not have been possible
        return None
    return None if erased == expected and not ill else f"without {name}: {_differs(erased, expected)}, {ill}"


def again(program: Program, making: Making, tiers: Tiers) -> str | None:
    """What was stored is stored again, after all that was commanded: it changes nothing, now or as of any time."""
    with opened(making, tiers) as desk:
        telling = tell(program, desk.chart, desk.clock.advance)
        ids = dict(telling.ids)
        times = [None, *(TOLD + timedelta(seconds=count + 0.5) for count in range(len(program)))]
        before = [dump(desk.chart, ids, ASKED, known_at) for known_at in times]
        for step in program:
            if step.words.startswith("store "):
                step.tell(telling)
        for known_at, expected in zip(times, before, strict=True):
            if (found := dump(desk.chart, ids, ASKED, known_at)) != expected:
                return f"as of {known_at}: {_differs(found, expected)}"
    return None


def acknowledged(text: str, making: Making) -> str | None:
    """L10: what was stored is found by the next search."""
    with opened(making) as desk:
        stored = desk.chart.store(text).memory_id
        found = [hit.memory.id for hit in desk.chart.search(text).hits]
    return None if found == [stored] else f"{text!r} finds {found}"


def only_what_holds(program: Program, making: Making, tiers: Tiers) -> str | None:
    """L4: what is listed and found at an instant is what holds then by its history, also after much has expired."""
    with opened(making, tiers) as desk:
        ids = told(program, desk).values()
        for seconds in (0, EXPIRED):
            desk.clock.advance(seconds)
            found = [_shown_wrongly(desk.chart, ids, at) for at in ASKED]
            if any(found):
                return f"{seconds} s later: {found}"
    return None


def _shown_wrongly(chart: Chart, ids: Iterable[str], at: datetime) -> str | None:
    known = chart.fetch(list(ids)).memories if ids else ()
    own = {item.id: _chapter(chart, item.id) for item in known}
    instant = instant_of(at)
    holding = {name for name, chapter in own.items() if any(s <= instant < e for s, e in chapter.segments)}
    if (listed := {item.id for item in chart.list(1_000, at=at).memories}) != holding:
        return f"at {at} listed: {listed}, in force: {holding}"
    for name, chapter in own.items():
        hits = chart.search(chapter.item.content, limit=1_000, at=at).hits
        found = {hit.memory.id for hit in hits} | {other for hit in hits for other in hit.also}
        if not found <= holding or (name in holding) != (name in found):
            return f"at {at} {chapter.item.content!r} finds {found}, in force: {holding}"
    return None


def _chapter(chart: Chart, memory_id: str) -> Chapter:
    return next(chapter for chapter in chart.history(memory_id).chain if chapter.item.id == memory_id)
