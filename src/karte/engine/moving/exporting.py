"""Exporting a workspace into a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from karte.core.namespaces import Principal, Scope
from karte.engine.moving.files import whole_file
from karte.engine.moving.manifest import Manifest
from karte.engine.moving.packing import pack
from karte.engine.progress import Progress, silent
from karte.engine.repeating import repeated
from karte.engine.services import Services


@dataclass(frozen=True)
class Exported:
    """What was written where: rows by member, and the SHA-256 of the manifest, which names the contents."""

    path: Path
    manifest: Manifest

    def to_dict(self) -> dict[str, Any]:
        """file, digest, rows."""
        return {"file": str(self.path), **contents(self.manifest)}


def contents(manifest: Manifest) -> dict[str, Any]:
    """What a manifest says for people: digest, and rows by member without the ending of its name."""
    rows = {member.name.rpartition(".")[0]: member.rows for member in manifest.members}
    return {"digest": manifest.digest, "rows": rows}


@repeated
def export(
    services: Services, caller: Principal, path: Path, progress: Progress = silent, *, force: bool = False
) -> Exported:
    """Write all that is carried of the workspace into a file, as one moment saw it.

    The file is there as a whole or not at all; one that is there already is replaced with `force` only, else
    `ExportThere` is raised. Needs the scope admin.
    """
    caller.oversee(Scope.ADMIN)
    with whole_file(path, force=force) as file, services.store.reading() as unit:
        return Exported(path, pack(unit, file, progress))
