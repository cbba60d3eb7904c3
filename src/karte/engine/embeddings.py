"""What a process has read and computed of vectors, so that it need not do so again at every search.

The vectors of a namespace are read once and then only what was added; all of them again when some vanished. What is
read is a cache of the store's vectors and never ahead of the view that is asked: another process may write at any time.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from threading import Lock
from typing import Final
from unicodedata import category

import numpy as np
from numpy.typing import NDArray

from karte.core.namespaces import Namespace
from karte.engine.scanning import MOST_EXACT, ExactScan, Floats, Halves, Scan
from karte.errors import EmbedderFailed
from karte.ports import Embedder, Identity, Reading, VectorSet

MOST_QUERIES: Final = 1_024
MOST_BYTES: Final = 1 << 30
"""As much is kept of vectors in memory; beyond it those of the namespace that was asked longest ago are let go."""

STORED: Final = np.dtype("<f2")
_PAGE: Final = 4_096
_READ: Final = "LN"
_PICTURE: Final = "So"
_FIRST: Final = 1_024

Numbers = NDArray[np.int64]
FindEmbedder = Callable[[Identity], Embedder | None]


def _nobody(identity: Identity) -> None:
    """There is no other embedder."""


@dataclass(frozen=True)
class Sight:
    """The vectors of one namespace as one unit of work sees them: the memories they are of, ascending, and a scan."""

    vector_set: VectorSet
    numbers: Numbers
    scan: Scan


class Embeddings:
    """The embedder, with what was computed with it and read of its vectors.

    `find` gives other embedders by identity, or None: while a new embedder fills in its set, the set that serves is
    asked with the embedder that made it. Who fills in vectors holds `turn`; `begun` says that the embedder has a set.
    """

    def __init__(self, embedder: Embedder | None = None, find: FindEmbedder = _nobody) -> None:
        self.embedder = embedder
        self.turn = Lock()
        self.begun = False
        self._find = find
        self._others: dict[Identity, Embedder | None] = {}
        self._queries: OrderedDict[tuple[Identity, str], Floats | None] = OrderedDict()
        self._shelf: OrderedDict[Namespace, _Kept] = OrderedDict()
        self._lock = Lock()

    def knows(self, embedder: Embedder, text: str) -> bool:
        """Whether the vector of a query was made before and is still kept."""
        with self._lock:
            return (embedder.identity, text) in self._queries

    def query(self, embedder: Embedder, text: str) -> Floats | None:
        """The vector of a query; None where it has no direction. Raises `EmbedderFailed`."""
        key = (embedder.identity, text)
        with self._lock:
            if key in self._queries:
                self._queries.move_to_end(key)
                return self._queries[key]
        (vector,) = vectors_of(embedder, [text], query=True)
        with self._lock:
            self._queries[key] = vector
            while len(self._queries) > MOST_QUERIES:
                self._queries.popitem(last=False)
        return vector

    def embedder_of(self, identity: Identity) -> Embedder | None:
        """The embedder with this identity, if it can be had; it is looked for once, because it may be slow to open."""
        if self.embedder is not None and self.embedder.identity == identity:
            return self.embedder
        if identity not in self._others:
            self._others[identity] = self._find(identity)
        return self._others[identity]

    def sight(self, unit: Reading, namespace: Namespace, vector_set: VectorSet) -> Sight:
        """All vectors of a set in a namespace."""
        generation = unit.vectors.generation(namespace)
        with self._lock:
            kept = self._shelf.get(namespace)
            if kept is None or kept.vector_set != vector_set or kept.generation < generation:
                kept = self._shelf[namespace] = _Kept(vector_set, generation)
            self._shelf.move_to_end(namespace)
        before = kept.scan.size
        sight = kept.read(unit, namespace, generation)
        if kept.scan.size > before:
            self._make_room()
        return sight

    def _make_room(self) -> None:
        with self._lock:
            size = sum(kept.scan.size for kept in self._shelf.values())
            while size > MOST_BYTES and len(self._shelf) > 1:
                size -= self._shelf.popitem(last=False)[1].scan.size


@dataclass
class _Kept:
    """What was read of a set in a namespace."""

    vector_set: VectorSet
    generation: int
    numbers: Numbers = field(default_factory=lambda: np.empty(_FIRST, np.int64))
    count: int = 0
    lock: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        self.scan: Scan = ExactScan(self.vector_set.identity.dimensions)

    def read(self, unit: Reading, namespace: Namespace, generation: int) -> Sight:
        """Read what was added; gives what this unit of work sees of all.

        A unit that began before a loss adds nothing, for it still sees what is lost.
        """
        number = self.vector_set.number
        with self.lock:
            last = int(self.numbers[self.count - 1]) if self.count else 0
            for numbers, rows in self._pages(unit, namespace, last) if generation == self.generation else ():
                self._append(numbers, rows)
            count = int(np.searchsorted(self.numbers[: self.count], unit.vectors.reached(namespace, number), "right"))
            return Sight(self.vector_set, self.numbers[:count], self.scan)

    def _pages(self, unit: Reading, namespace: Namespace, last: int) -> Iterator[tuple[Numbers, Halves]]:
        rows = iter(unit.vectors.since(namespace, self.vector_set.number, last))
        while page := list(islice(rows, _PAGE)):
            numbers, blobs = zip(*page, strict=True)
            yield np.array(numbers, np.int64), stored(blobs)

    def _append(self, numbers: Numbers, rows: Halves) -> None:
        count = self.count + len(numbers)
        if count > len(self.numbers):
            self.numbers = np.concatenate([self.numbers[: self.count], np.empty(count, np.int64)])
        self.numbers[self.count : count] = numbers
        self.scan.append(rows)
        self.count = count
        if count > MOST_EXACT and isinstance(self.scan, ExactScan):
            self.scan = self.scan.coded()


def stored(blobs: tuple[bytes, ...] | list[bytes]) -> Halves:
    """Vectors as they are stored, one row each."""
    return np.frombuffer(b"".join(blobs), STORED).reshape(len(blobs), -1)


def vectors_of(embedder: Embedder, texts: list[str], *, query: bool = False) -> list[Floats | None]:
    """A vector of unit length for each text.

    None for a text of which there is nothing to read, that the embedder does not read, or to which it gave nothing that
    has a direction. Raises `EmbedderFailed`, also where what it gives does not have the shape that was promised.
    """
    legible = [_says(text) and embedder.reads(text) for text in texts]
    read = [text for text, can in zip(texts, legible, strict=True) if can]
    vectors = iter(_embedded(embedder, read, query=query) if read else ())
    return [next(vectors) if can else None for can in legible]


def _says(text: str) -> bool:
    """Whether a text has anything but blanks and punctuation: a letter, a digit, or a picture."""
    return any(category(char)[0] in _READ or category(char) == _PICTURE for char in text)


def _embedded(embedder: Embedder, texts: list[str], *, query: bool) -> list[Floats | None]:
    given = np.asarray(embedder.embed(texts, query=query), np.float32)
    expected = (len(texts), embedder.identity.dimensions)
    if given.shape != expected:
        raise EmbedderFailed(f"The embedder gave an array of {given.shape} where {expected} was due.")
    lengths = np.sqrt(np.square(given, dtype=np.float64).sum(axis=1))
    usable = (np.isfinite(lengths) & (lengths > 0)).tolist()
    return [
        (row / length).astype(np.float32) if ok else None
        for row, length, ok in zip(given, lengths, usable, strict=True)
    ]
