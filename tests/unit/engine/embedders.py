"""A small embedder whose vectors can be worked out by hand, and which fails when it is told to."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from karte.engine.embeddings import Embeddings
from karte.engine.recalling.voices.vector import Silence, Sought, Wording, wanted
from karte.engine.services import Services
from karte.errors import EmbedderFailed
from karte.ports import Identity, Reading, Store
from karte.workspace import Workspace

AXES = (("tea", "茶", "차"), ("coffee", "咖啡", "コーヒー"), ("rain", "雨", "비"))


def nothing() -> None:
    """Do nothing while texts are embedded."""


@dataclass
class WordEmbedder:
    """One dimension for tea, coffee and rain each; `no tea` counts against tea. A text without any has no direction.

    `asked` holds the texts of every call that did not fail; `meanwhile` is called in the middle of each. It does not
    read texts with the sign `foreign`.
    """

    name: str = "words"
    down: bool = False
    poison: str = "☠"
    foreign: str = "☃"
    asked: list[list[str]] = field(default_factory=list)
    meanwhile: Callable[[], object] = nothing

    rest = 0.0
    full = 1.0

    @property
    def identity(self) -> Identity:
        return Identity(self.name, "1", len(AXES))

    def reads(self, text: str) -> bool:
        return self.foreign not in text

    def embed(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:  # noqa: ARG002 - the port's
        self.meanwhile()
        if self.down or any(self.poison in text for text in texts):
            raise EmbedderFailed("The server does not answer.")
        self.asked.append(list(texts))
        rows = np.array([[direction(text, words) for words in AXES] for text in texts], np.float32)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return (rows / np.where(lengths == 0, 1, lengths)).astype(np.float32)

    @property
    def texts(self) -> list[str]:
        """All texts it embedded, in order, without those that only try whether it works."""
        return [text for asked in self.asked for text in asked if text != "memory"]


def direction(text: str, words: Sequence[str]) -> int:
    """How often one of these words is in a text, less how often it is denied."""
    return sum(text.count(word) - 2 * text.count(f"no {word}") for word in words)


def services_of(workspace: Workspace, embeddings: Embeddings) -> Services:
    """The services of a workspace with other embeddings, as another process would have them."""
    known = workspace._services
    return Services(known.store, known.clock, known.ids, known.tiers, embeddings)


def as_is(query: str) -> Callable[[Reading], str]:
    """A query that is embedded as it was asked."""
    return lambda unit: query  # noqa: ARG005 - another one might look at the memories


def seek(store: Store, embeddings: Embeddings, wording: Wording) -> Sought | Silence:
    """The vector of a query, or why there is none, as a search finds it out."""
    with store.reading() as unit:
        text = wanted(unit, embeddings, wording)
    return text if isinstance(text, Silence) else text.made(embeddings)
