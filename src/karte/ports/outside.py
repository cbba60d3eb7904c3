"""What the engine needs beside a store: a clock, ids, and an embedder if there is one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> int:
        """Microseconds since the epoch."""


class Ids(Protocol):
    """Makes ids."""

    def new(self, prefix: str) -> str:
        """A new id, unique and sortable by the time it was made."""


class Secrets(Protocol):
    """Draws secrets by chance."""

    def new(self, count: int) -> bytes:
        """So many bytes that nobody can guess."""


@dataclass(frozen=True, slots=True)
class Identity:
    """What makes vectors comparable: the embedder's name and version, and the number of dimensions."""

    name: str
    version: str
    dimensions: int


class Embedder(Protocol):
    """Turns texts into vectors whose cosine says how near their meanings (or spellings) are."""

    @property
    def identity(self) -> Identity:
        """What its vectors are told by; vectors of another identity are never compared with them."""

    @property
    def rest(self) -> float:
        """The cosine (0..1) that texts have which have nothing to do with each other."""

    @property
    def full(self) -> float:
        """The cosine (0..1) of a question and a text that says just what is asked."""

    def reads(self, text: str) -> bool:
        """Whether it knows the script of a text; it is not asked about others, whose vectors would mislead."""

    def embed(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:
        """One row of unit length for each text, [texts, dimensions]; raises `EmbedderFailed`."""
