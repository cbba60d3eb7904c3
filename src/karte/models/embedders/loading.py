"""Bringing in a model of an optional package, once, when it is first needed."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module, metadata
from threading import Lock
from types import ModuleType
from typing import Generic, TypeVar

from karte.errors import EmbedderMissing

Model = TypeVar("Model")


class Loaded(Generic[Model]):
    """A model that is loaded by the first who asks for it, also where several ask at once."""

    def __init__(self, load: Callable[[], Model]) -> None:
        self._load = load
        self._lock = Lock()
        self._model: Model | None = None

    def get(self) -> Model:
        """The model."""
        with self._lock:
            if self._model is None:
                self._model = self._load()
            return self._model


def optional(module: str, extra: str) -> ModuleType:
    """Import a module that the extra `extra` installs; raises `EmbedderMissing`."""
    try:
        return import_module(module)
    except (ImportError, OSError) as error:  # OSError: a library in C that does not fit this machine
        raise EmbedderMissing(
            f"The embedder {extra} cannot be loaded: {error}.", hint=f"Install it with: pip install 'karte[{extra}]'"
        ) from error


def version(distribution: str, pinned: str) -> str:
    """The version of an optional distribution, without importing it; where it is not installed, the one that would be."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return pinned
