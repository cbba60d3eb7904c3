"""Maintenance: the jobs that keep a workspace in order, one after the other, one runner at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from karte.core.namespaces import Principal, Scope
from karte.engine.deciding.lapsing import Lapsed, lapse
from karte.engine.keeping.decay import Decayed, decay
from karte.engine.keeping.embedding import Embedded, embed_pending
from karte.engine.keeping.leasing import Runner, only_runner
from karte.engine.keeping.upkeep import consolidate_all, harmonise
from karte.engine.learning.consolidating import Consolidated
from karte.engine.learning.harmonising import Harmonised
from karte.engine.progress import Progress, silent
from karte.engine.repeating import repeated
from karte.engine.services import Services

MAINTAIN: Final = "maintain"
"""The name of the lease."""


@dataclass(frozen=True)
class Maintained:
    """What each job did, or would do; consolidating owner by owner."""

    dry_run: bool
    decay: Decayed
    embedding: Embedded
    trust: Lapsed
    consolidation: tuple[Consolidated, ...]
    harmonising: Harmonised

    def to_dict(self) -> dict[str, Any]:
        """dry_run, decay, consolidation (a list), harmonising, embedding, trust."""
        return {
            "dry_run": self.dry_run,
            "decay": self.decay.to_dict(),
            "consolidation": [done.to_dict() for done in self.consolidation],
            "harmonising": self.harmonising.to_dict(),
            "embedding": self.embedding.to_dict(),
            "trust": self.trust.to_dict(),
        }


@repeated
def maintain(
    services: Services, caller: Principal, progress: Progress = silent, *, dry_run: bool = False
) -> Maintained:
    """Run every job once for all owners of the workspace; a dry run changes nothing and says what a run would do.

    The jobs are decay, consolidating and harmonising, filling in vectors that are missing, and writing down which reviews
    nobody decided in time and dropping plans to forget that were never applied; `progress` is told of one after the
    other. Needs the scope admin; raises `MaintenanceRunning` where another run is at work.
    """
    caller.require(Scope.ADMIN)
    if dry_run:
        return _jobs(services, caller, progress, None)
    with only_runner(services, MAINTAIN) as runner:
        return _jobs(services, caller, progress, runner)


def _jobs(services: Services, caller: Principal, progress: Progress, runner: Runner | None) -> Maintained:
    """Run the jobs in turn; without a runner it is a dry run."""
    dry_run = runner is None
    decayed = decay(services, caller, progress, runner)
    consolidated = consolidate_all(services, caller, progress, runner)
    harmonised = harmonise(services, caller, progress, dry_run=dry_run)
    if runner is None:
        filled = embed_pending(services, most=0)
    else:
        filled = embed_pending(services, progress=progress, keep_on=runner.go_on)
    lapsed = lapse(services, caller, dry_run=dry_run)
    return Maintained(dry_run, decayed, filled, lapsed, consolidated, harmonised)
