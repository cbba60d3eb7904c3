"""Workspaces that live as long as a measurement."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import karte
from karte.bootstrap import Parts
from karte.config import Settings
from karte.workspace import Workspace


@contextmanager
def folder() -> Iterator[Path]:
    """A folder that is gone afterwards, on the disk that temporary files are on."""
    with TemporaryDirectory(prefix="karte-bench-") as name:
        yield Path(name)


@contextmanager
def workspace(embedder: str | None = None) -> Iterator[Workspace]:
    """An empty workspace in a file that is gone afterwards; `embedder` as in the settings, None for the default."""
    with folder() as place, opened(place / "bench.karte", embedder) as made:
        yield made


def opened(path: Path, embedder: str | None = None) -> Workspace:
    """Open a workspace with the default settings, whatever the user's own are."""
    settings = Settings() if embedder is None else Settings(embedder=embedder)
    return karte.open(path, parts=Parts(settings=settings))
