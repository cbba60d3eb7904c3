"""Workspaces that live as long as a measurement."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import karte
from karte.bootstrap import Parts
from karte.config import Settings
from karte.models.embedders import NONE
from karte.workspace import Workspace


@contextmanager
def folder() -> Iterator[Path]:
    """A folder that is gone afterwards, on the disk that temporary files are on."""
    with TemporaryDirectory(prefix="karte-bench-") as name:
        yield Path(name)


@contextmanager
def workspace(embedder: str = NONE) -> Iterator[Workspace]:
    """An empty workspace in a file that is gone afterwards, with an embedder by name."""
    with folder() as place, opened(place / "bench.karte", embedder) as made:
        yield made


def opened(path: Path, embedder: str = NONE) -> Workspace:
    """Open a workspace with the default settings, whatever the user's own are, and an embedder by name."""
    return karte.open(path, parts=Parts(settings=Settings(embedder=embedder)))
