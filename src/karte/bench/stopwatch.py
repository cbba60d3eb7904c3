"""Times of the same thing done again and again: on the wall, and of all threads of the process on processors."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ParamSpec, TypeVar

from karte.bench.metrics import percentile

P = ParamSpec("P")
T = TypeVar("T")
_MILLISECONDS = 1_000


@dataclass
class Times:
    """Seconds of each run."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call something and note how long it took."""
        wall, cpu = time.perf_counter(), time.process_time()
        result = work(*args, **kwargs)
        self.cpu.append(time.process_time() - cpu)
        self.wall.append(time.perf_counter() - wall)
        return result

    def cpu_ms(self, share: float) -> float:
        """Milliseconds of processor time that this share of the runs does not exceed."""
        return percentile(self.cpu, share) * _MILLISECONDS

    def wall_ms(self, share: float) -> float:
        """Milliseconds on the wall that this share of the runs does not exceed."""
        return percentile(self.wall, share) * _MILLISECONDS

    @property
    def rate(self) -> float:
        """Runs a second, on the wall."""
        return len(self.wall) / sum(self.wall)
