"""Maintenance: the jobs that keep a workspace in order, one after the other, one runner at a time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from karte.core.namespaces import Principal, Scope
from karte.engine.deciding.lapsing import Lapsed, lapse
from karte.engine.keeping.decay import Decayed, decay
from karte.engine.keeping.embedding import Embedded, embed_pending
from karte.engine.keeping.leasing import only_runner
from karte.engine.progress import Progress, silent
from karte.engine.repeating import repeated
from karte.engine.services import Services

MAINTAIN: Final = "maintain"
"""The name of the lease."""


@dataclass(frozen=True)
class Maintained:
    """What each job did, or would do."""

    dry_run: bool
    decay: Decayed
    embedding: Embedded
    trust: Lapsed = field(default_factory=Lapsed)

    def to_dict(self) -> dict[str, Any]:
        """dry_run, decay, embedding, trust."""
        jobs = {"decay": self.decay.to_dict(), "embedding": self.embedding.to_dict(), "trust": self.trust.to_dict()}
        return {"dry_run": self.dry_run, **jobs}


@repeated
def maintain(
    services: Services, caller: Principal, progress: Progress = silent, *, dry_run: bool = False
) -> Maintained:
    """Run every job once for all owners of the workspace; a dry run changes nothing and says what a run would do.

    The jobs are decay, filling in vectors that are missing, and writing down which reviews nobody decided in time and
    dropping plans to forget that were never applied; `progress` is told of one after the other. Needs the scope admin;
    raises `MaintenanceRunning` where another run is at work.
    """
    caller.require(Scope.ADMIN)
    if dry_run:
        faded, filled = decay(services, caller, progress, None), embed_pending(services, most=0)
        return Maintained(dry_run, faded, filled, lapse(services, caller, dry_run=True))
    with only_runner(services, MAINTAIN) as runner:
        decayed = decay(services, caller, progress, runner)
        filled = embed_pending(services, progress=progress, keep_on=runner.go_on)
        return Maintained(dry_run, decayed, filled, lapse(services, caller, dry_run=False))
