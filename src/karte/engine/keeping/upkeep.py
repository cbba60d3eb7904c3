"""Upkeep of what was learned: consolidating owner by owner, and harmonising what agents hold, one runner at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from karte.core.namespaces import Namespace, Principal
from karte.engine.asking import owners_of
from karte.engine.keeping.leasing import Runner, only_runner
from karte.engine.knowing.conflicts import file
from karte.engine.learning import harmonising
from karte.engine.learning.consolidating import Consolidated, consolidate
from karte.engine.learning.harmonising import Harmonised
from karte.engine.progress import Progress, silent, unhurried
from karte.engine.repeating import repeated
from karte.engine.services import Services

HARMONISE: Final = "harmonise"
"""The name of the lease."""


def harmonise(
    services: Services, caller: Principal, progress: Progress = silent, *, dry_run: bool = False
) -> Harmonised:
    """Bring the beliefs of the workspace in line with what its agents hold, and file what they dispute.

    Needs the scope admin; raises `MaintenanceRunning` where another run is at work.
    """
    if dry_run:
        return harmonising.harmonise(services, caller, file, progress, dry_run=True)
    with only_runner(services, HARMONISE) as runner:
        return harmonising.harmonise(services, caller, file, progress, go_on=runner.go_on)


def consolidate_all(
    services: Services, caller: Principal, progress: Progress, runner: Runner | None
) -> tuple[Consolidated, ...]:
    """Consolidate the memories of every owner; without a runner it is a dry run. `progress` is told of the owners done."""
    owners, done = _owners(services), list[Consolidated]()
    go_on = unhurried if runner is None else runner.go_on
    for owner in owners:
        done.append(consolidate(services, replace(caller, namespace=owner), dry_run=runner is None, go_on=go_on))
        progress(len(done), len(owners))
    return tuple(done)


@repeated
def _owners(services: Services) -> list[Namespace]:
    with services.store.reading() as unit:
        return owners_of(unit)
