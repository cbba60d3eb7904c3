"""One runner at a time: a lease in the store, held while something runs and extended as it goes on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from karte.core.periods import SECOND
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.errors import MaintenanceRunning
from karte.ports import Lease, Writing

LENGTH: Final = 600 * SECOND
"""How long a runner may be silent before another one may start."""

_HOLDER_PREFIX: Final = "run_"


@dataclass
class Runner:
    """The one that holds the lease of `name`; `until` is what it last wrote down."""

    services: Services
    name: str
    holder: str
    until: int = 0

    def hold(self, unit: Writing) -> None:
        """Take the lease, or extend it; raises `MaintenanceRunning` where another runner has it."""
        now = self.services.clock.now()
        found = unit.leases.find(self.name)
        if found and found.holder != self.holder and _runs(found, now):
            raise MaintenanceRunning
        unit.leases.keep(self.name, Lease(self.holder, now + LENGTH))
        self.until = now + LENGTH

    @repeated
    def go_on(self) -> bool:
        """Extend the lease where half of it is spent; true as long as it does not raise."""
        if self.services.clock.now() > self.until - LENGTH // 2:
            with self.services.store.writing() as unit:
                self.hold(unit)
        return True

    def release(self, unit: Writing) -> None:
        """Give the lease back, if it is still this runner's."""
        found = unit.leases.find(self.name)
        if found and found.holder == self.holder:
            unit.leases.remove(self.name)


def _runs(lease: Lease, now: int) -> bool:
    """Whether a lease is good; one that ends later than any that could be taken is left of a clock that stepped back."""
    return now < lease.until <= now + 2 * LENGTH


@contextmanager
def only_runner(services: Services, name: str) -> Iterator[Runner]:
    """Hold the lease of `name` while the block runs; raises `MaintenanceRunning` where somebody else does."""
    runner = Runner(services, name, services.ids.new(_HOLDER_PREFIX))
    with services.store.writing() as unit:
        runner.hold(unit)
    try:
        yield runner
    finally:
        with services.store.writing() as unit:
            runner.release(unit)
