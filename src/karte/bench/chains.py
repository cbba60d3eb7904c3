"""How long it takes to store one more value of a fact that has had ten thousand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from karte.bench.chance import Chance
from karte.bench.places import workspace
from karte.bench.progress import steps
from karte.bench.results import TIMING, Figure, at_most
from karte.bench.stopwatch import Times

CHAIN: Final = 10_000
_TIMED: Final = 300
_START: Final = datetime(2001, 1, 1, tzinfo=UTC)
_DAYS: Final = 8_000
_FEW_VALUES: Final = 50


def chain_figures(length: int, batch: int, seed: int) -> Iterator[Figure]:
    """Values in the order of time, in a random order, and few values that come back in a random order."""
    in_order = list(range(length))
    shuffled = Chance(seed).order(length).tolist()
    yield from _chain("in time order", [_value(place, place, length) for place in in_order], batch)
    yield from _chain("in random order", [_value(place, place, length) for place in shuffled], batch)
    again = [_value(place, place % _FEW_VALUES, length) for place in shuffled]
    yield from _chain("in random order, values come back", again, batch)


def _value(place: int, value: int, length: int) -> dict[str, Any]:
    """The value that holds from this place of the chain on."""
    return {
        "content": f"The service runs on host {value}",
        "subject": "service",
        "predicate": "host",
        "object": f"host {value}",
        "valid_from": _START + timedelta(days=_DAYS) * place / length,
    }


def _chain(name: str, values: Sequence[dict[str, Any]], batch: int) -> Iterator[Figure]:
    timed = min(_TIMED, len(values) // 2)
    times = Times()
    with workspace() as opened:
        chart = opened.agent("chain")
        early = values[:-timed]
        for start in steps(range(0, len(early), batch), f"chain {name}"):
            chart.store_many(early[start : start + batch])
        for value in values[-timed:]:
            content = value.pop("content")
            times.run(chart.store, content, **value)
    group = f"chain of {len(values):,} assertions"
    yield Figure(group, f"store p95, {name}", times.wall_ms(0.95), "ms", at_most(20), noise=TIMING)
    yield Figure(group, f"store p95, {name}, processor", times.cpu_ms(0.95), "ms cpu", noise=TIMING)
