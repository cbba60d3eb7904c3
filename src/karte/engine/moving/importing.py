"""Importing a workspace from a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from karte.engine.moving.exporting import contents
from karte.engine.moving.loading import finish, load
from karte.engine.moving.manifest import Manifest
from karte.engine.moving.unpacking import Export
from karte.engine.progress import Progress, silent
from karte.engine.services import Services


@dataclass(frozen=True)
class Imported:
    """What is in the workspace now: rows by member, and the digest that names the contents."""

    manifest: Manifest

    def to_dict(self) -> dict[str, Any]:
        """digest, rows."""
        return contents(self.manifest)


def fill(services: Services, export: Export, progress: Progress = silent) -> Imported:
    """Fill an empty workspace from an export, or go on where that was interrupted; raises what `load` raises."""
    load(services, export, progress)
    finish(services, export)
    return Imported(export.manifest)
