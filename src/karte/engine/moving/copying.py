"""Copying a workspace from one store into another one, and making sure that both answer alike."""

from __future__ import annotations

from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import IO, Any, Final

from karte.core.namespaces import Principal, Scope
from karte.engine.moving.comparing import Compared, compare
from karte.engine.moving.exporting import contents
from karte.engine.moving.loading import described, finish, load
from karte.engine.moving.manifest import Manifest
from karte.engine.moving.packing import pack
from karte.engine.moving.unpacking import Export
from karte.engine.progress import WHOLE, Progress, silent, stage
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.errors import CopyDiffers, SourceChanged

_PACKED: Final = 150
_LOADED: Final = 900


@dataclass(frozen=True)
class Copied:
    """What was copied, and what was compared in the end: all rows by their digests, and a sample of answers."""

    manifest: Manifest
    compared: Compared

    def to_dict(self) -> dict[str, Any]:
        """digest, rows, compared."""
        return {**contents(self.manifest), "compared": self.compared.to_dict()}


def copy(source: Services, target: Services, caller: Principal, progress: Progress = silent) -> Copied:
    """Copy all that is carried of a workspace into an empty one, or go on where copying it was interrupted.

    The copy can be opened when it is complete: every row is there, and a sample of questions is answered alike by both.
    Needs the scope admin. Raises what `load` raises, `CopyDiffers`, and `SourceChanged` where the answers differ because
    somebody wrote meanwhile.
    """
    caller.oversee(Scope.ADMIN)
    with TemporaryFile() as file:
        manifest = _packed(source, file, stage(progress, 0, _PACKED))
        export = Export(file, "the source")
        load(target, export, stage(progress, _PACKED, _LOADED))
        compared = compare(source, target, caller, stage(progress, _LOADED, WHOLE))
        if compared.differences:
            _explain(source, manifest, compared)
        finish(target, export)
    return Copied(manifest, compared)


@repeated
def _packed(source: Services, file: IO[bytes], progress: Progress) -> Manifest:
    file.seek(0)
    file.truncate()
    with source.store.reading() as unit:
        return pack(unit, file, progress)


def _explain(source: Services, manifest: Manifest, compared: Compared) -> None:
    """Say why answers differ: the source is not what it was, or the copy is not what it should be."""
    if described(source) != manifest:
        raise SourceChanged
    raise CopyDiffers(f"The copy answers otherwise than its source: {'; '.join(compared.differences)}.")
