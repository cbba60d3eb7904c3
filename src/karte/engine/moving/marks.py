"""The mark of a workspace that is being filled: what with, and how far it has come.

It stands in the place of the note what the kept fold was made with, for there is no fold yet. Whoever opens the
workspace for anything else is refused.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.errors import WorkspaceUnfinished
from karte.ports import Reading, Writing

_FILLING = "filling"


@dataclass(frozen=True)
class Mark:
    """How far a workspace has been filled from the export of that digest: `done` rows of a step."""

    export: str
    step: str
    done: int = 0

    def after(self, count: int) -> Mark:
        """The mark when so many more rows of its step are there."""
        return replace(self, done=self.done + count)

    def write(self, unit: Writing) -> None:
        """Set the mark."""
        unit.set_made_with(json.dumps({_FILLING: [self.export, self.step, self.done]}))


def mark_of(unit: Reading) -> Mark | None:
    """The mark of a workspace that is being filled; None of any other."""
    text = unit.made_with()
    if not text.startswith("{"):
        return None
    found = json.loads(text).get(_FILLING)
    return Mark(*found) if found else None


@repeated
def is_unfinished(services: Services) -> bool:
    """Whether a workspace was filled in part."""
    with services.store.reading() as unit:
        return mark_of(unit) is not None


def refuse_unfinished(services: Services) -> None:
    """Raise `WorkspaceUnfinished` for a workspace that was filled in part."""
    if is_unfinished(services):
        raise WorkspaceUnfinished
