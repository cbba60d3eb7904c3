"""Figures of what was done again and again: the time on processors, and the time on the wall beside it."""

from __future__ import annotations

from collections.abc import Iterator

from karte.bench.results import TIMING, Better, Figure, Target, at_most
from karte.bench.stopwatch import Times


def timings(
    group: str, name: str, times: Times, target: Target | None = None, *, wall: Target | None = None
) -> Iterator[Figure]:
    """p95 and p50 of both in milliseconds; `target` is one for p95 on processors, `wall` one for what a caller waits."""
    p95, p50 = 0.95, 0.5
    yield Figure(group, f"{name} p95", times.cpu_ms(p95), "ms cpu", target, Better.LESS, TIMING)
    yield Figure(group, f"{name} p50", times.cpu_ms(p50), "ms cpu", None, Better.LESS, TIMING)
    yield Figure(group, f"{name} p95, wall", times.wall_ms(p95), "ms", wall, Better.LESS, TIMING)
    yield Figure(group, f"{name} p50, wall", times.wall_ms(p50), "ms", None, Better.LESS, TIMING)


def bound_at(bounds: dict[int, float], size: int) -> Target | None:
    """The bound that a time has at a size, if there is one for just that size."""
    return at_most(bounds[size]) if size in bounds else None
