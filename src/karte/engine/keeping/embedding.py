"""Filling in vectors: every memory gets one after it was written.

Memories are embedded in batches outside of any transaction and kept in a short one, in which everything is looked at
again: what was erased meanwhile gets no vector, and a batch that somebody else was faster with is thrown away. The
number that a set has reached in a namespace says where to go on, after a crash too.

Each embedder fills in a set of its own. The first one of a workspace serves at once. A later one serves when it has
reached everything that the set before it had; then the other sets are dropped.

A memory that is shown in other words than before lost its vector below that number: such ones come first.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any, Final

from karte.core.namespaces import Namespace
from karte.engine.asking import owners_of
from karte.engine.embeddings import STORED, vectors_of
from karte.engine.indexing import indexed_text
from karte.engine.keeping.background import KeepOn, Work
from karte.engine.progress import Progress, silent
from karte.engine.repeating import repeated
from karte.engine.scanning import Floats
from karte.engine.services import Services
from karte.errors import EmbedderFailed
from karte.ports import Embedder, Identity, Reading, VectorSet, Writing

BATCH: Final = 64
PROBE: Final = "memory"
"""Embedded to tell an embedder that fails from a text that it cannot embed."""


@dataclass(frozen=True)
class Embedded:
    """What a run did: memories that got a vector, those that the embedder cannot embed, those that still wait.

    `failure` says why it stopped early, where the embedder failed.
    """

    embedded: int = 0
    passed_over: int = 0
    waiting: int = 0
    failure: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """embedded, passed_over, waiting, failure."""
        return {
            "embedded": self.embedded,
            "passed_over": self.passed_over,
            "waiting": self.waiting,
            "failure": self.failure,
        }


def keeping_up(services: Services) -> Work:
    """The work that follows writes: fill in what waits in the namespaces that were written to."""

    def work(namespaces: frozenset[Namespace] | None, keep_on: KeepOn) -> bool:
        return embed_pending(services, namespaces, keep_on=keep_on).failure is None

    return work


def _always() -> bool:
    return True


def embed_pending(
    services: Services,
    namespaces: Collection[Namespace] | None = None,
    progress: Progress = silent,
    most: int | None = None,
    keep_on: KeepOn = _always,
) -> Embedded:
    """Give every memory of these namespaces (None: of all) that waits for it a vector, at most `most` memories.

    `progress` is called with the numbers passed and how many there are in all; `keep_on` is asked after each batch.
    Without an embedder nothing waits. A failing embedder ends the run, which says so; a store that fails raises.
    """
    embedder = services.embeddings.embedder
    if embedder is None:
        return Embedded()
    filling = _Filling(services, embedder, progress, most, keep_on)
    owners = filling.owners() if namespaces is None else list(namespaces)
    return filling.run(owners)


def current_set(unit: Writing, identity: Identity) -> int:
    """The set of an embedder, made if there is none; the first one of a workspace serves at once."""
    number = unit.vectors.open_set(identity)
    if not any(known.active for known in unit.vectors.sets()):
        unit.vectors.activate(number)
    return number


def settle(unit: Writing, identity: Identity, owners: Collection[Namespace]) -> None:
    """Let the set of an embedder serve and drop all others, if it has reached what the one that serves has."""
    number = current_set(unit, identity)
    sets = unit.vectors.sets()
    active = next(known.number for known in sets if known.active)
    reached = unit.vectors.reached
    if number != active and all(reached(owner, number) >= reached(owner, active) for owner in owners):
        unit.vectors.activate(number)
        for other in (known.number for known in sets if known.number != number):
            unit.vectors.drop(other)


_Vectors = Mapping[int, Floats | None]
"""The vectors of memories by number; None for a text that the embedder cannot embed."""


@dataclass(frozen=True)
class _Batch:
    """The texts of memories from the number `first` to `last`; the others between are gone or say nothing."""

    first: int
    last: int
    texts: dict[int, str]

    @property
    def count(self) -> int:
        """How many numbers it passes."""
        return self.last - self.first + 1

    def until(self, last: int) -> _Batch:
        """Its beginning, up to where the embedder came."""
        return replace(self, last=last)

    def keep(self, unit: Writing, owner: Namespace, number: int, vectors: _Vectors) -> int | None:
        """Keep its vectors; gives how many, None where somebody was faster or a memory was reworded meanwhile."""
        texts = _texts(unit, owner, vectors.keys())
        if unit.vectors.reached(owner, number) != self.first - 1 or _reworded(self.texts, texts):
            return None
        rows = _rows(vectors, texts)
        unit.vectors.add(owner, number, rows, self.last)
        return len(rows)


@dataclass(frozen=True)
class _Missing:
    """The texts of memories that lost their vectors when they were reworded; those without a text are gone."""

    numbers: Sequence[int]
    texts: dict[int, str]

    @property
    def count(self) -> int:
        """How many numbers it passes."""
        return len(self.numbers)

    def until(self, last: int) -> _Missing:
        """Its beginning, up to where the embedder came."""
        return replace(self, numbers=[number for number in self.numbers if number <= last])

    def keep(self, unit: Writing, owner: Namespace, number: int, vectors: _Vectors) -> int | None:
        """Keep vectors of what still has the same text; gives how many. What was reworded again goes on waiting."""
        texts = _texts(unit, owner, vectors.keys())
        again = _reworded(self.texts, texts)
        waiting = unit.vectors.missing(owner, number)
        rows = _rows({kept: vectors[kept] for kept in waiting if kept in vectors and kept not in again}, texts)
        unit.vectors.add(owner, number, rows, 0)
        unit.vectors.set_missing(owner, number, [n for n in waiting if n in again or n not in self.numbers])
        return len(rows)


def _reworded(before: Mapping[int, str], after: Mapping[int, str]) -> set[int]:
    return {number for number, text in after.items() if text != before[number]}


def _rows(vectors: _Vectors, there: Collection[int]) -> list[tuple[int, bytes]]:
    return [
        (number, row.astype(STORED).tobytes())
        for number, row in sorted(vectors.items(), key=itemgetter(0))
        if row is not None and number in there
    ]


class _Filling:
    """One run."""

    def __init__(
        self, services: Services, embedder: Embedder, progress: Progress, most: int | None, keep_on: KeepOn
    ) -> None:
        self._services, self._embedder, self._progress, self._keep_on = services, embedder, progress, keep_on
        self._identity = embedder.identity
        self._left = most
        self._embedded, self._passed_over, self._done, self._total = 0, 0, 0, 0

    @repeated
    def owners(self) -> list[Namespace]:
        """All namespaces of the workspace."""
        with self._services.store.reading() as unit:
            return owners_of(unit)

    def run(self, owners: Sequence[Namespace]) -> Embedded:
        """Fill in these namespaces, then let the set serve if it may."""
        self._total = self._waiting(owners)
        failure = None
        try:
            if all(self._fill(owner) for owner in owners):
                self._settle()
        except EmbedderFailed as error:
            failure = error.message
        return Embedded(self._embedded, self._passed_over, self._waiting(owners), failure)

    @repeated
    def _waiting(self, owners: Sequence[Namespace]) -> int:
        with self._services.store.reading() as unit:
            mine = _set_of(unit, self._identity)
            ahead = sum(_following(unit, owner) - 1 - _reached(unit, owner, mine) for owner in owners)
            return ahead + sum(len(_missing(unit, owner, mine)) for owner in owners)

    def _fill(self, owner: Namespace) -> bool:
        """Fill in one namespace; tells whether the run may go on."""
        while self._left is None or self._left > 0:
            with self._services.embeddings.turn:
                batch = self._next(owner)
                if batch is None:
                    return True
                self._take(owner, batch)
            self._progress(min(self._done, self._total), self._total)
            if not self._keep_on():
                return False
        return False

    @repeated
    def _next(self, owner: Namespace) -> _Batch | _Missing | None:
        size = BATCH if self._left is None else min(BATCH, self._left)
        with self._services.store.reading() as unit:
            mine = self._mine(unit)
            if missing := _missing(unit, owner, mine)[:size]:
                return _Missing(missing, _texts(unit, owner, missing))
            first = last = _reached(unit, owner, mine) + 1
            following = _following(unit, owner)
            texts: dict[int, str] = {}
            while not texts and last < following:
                page = range(last, min(last + size, following))
                texts = _texts(unit, owner, page)
                last = page.stop
        return _Batch(first, last - 1, texts) if last > first else None

    def _take(self, owner: Namespace, batch: _Batch | _Missing) -> None:
        """Embed a batch and keep its vectors; those before the text at which the embedder failed, if it did."""
        vectors: dict[int, Floats | None] = {}
        try:
            self._embed(batch.texts, vectors)
        except EmbedderFailed:
            if vectors:
                self._keep(owner, batch.until(max(vectors)), vectors)
            raise
        self._keep(owner, batch, vectors)

    def _embed(self, texts: dict[int, str], vectors: dict[int, Floats | None]) -> None:
        """Embed texts together; one by one where that fails, so that one text does not hold up the others."""
        together = self._tried(list(texts.values())) if texts else []
        if together is not None:
            vectors.update(zip(texts, together, strict=True))
            return
        for number, text in texts.items():
            vectors[number] = self._alone(text)

    def _alone(self, text: str) -> Floats | None:
        """The vector of one text; None where it fails twice although the embedder works otherwise."""
        for _ in range(2):
            alone = self._tried([text])
            if alone is not None:
                return alone[0]
            vectors_of(self._embedder, [PROBE])
        return None

    def _tried(self, texts: list[str]) -> list[Floats | None] | None:
        try:
            return vectors_of(self._embedder, texts)
        except EmbedderFailed:
            return None

    @repeated
    def _keep(self, owner: Namespace, batch: _Batch | _Missing, vectors: _Vectors) -> None:
        with self._services.store.writing() as unit:
            self._mine(unit)
            kept = batch.keep(unit, owner, current_set(unit, self._identity), vectors)
        if kept is None:
            return
        self._done += batch.count
        self._embedded += kept
        self._passed_over += sum(vector is None for vector in vectors.values())
        if self._left is not None:
            self._left -= len(vectors)

    @repeated
    def _settle(self) -> None:
        with self._services.store.reading() as unit:
            mine = _set_of(unit, self._identity)
        if mine is None or not mine.active:
            owners = self.owners()
            with self._services.store.writing() as unit:
                settle(unit, self._identity, owners)

    def _mine(self, unit: Reading) -> VectorSet | None:
        """The embedder's set, if there is one.

        Where it was there and is no longer, another process has changed the embedder; two would replace each other's
        set for ever, so this one gives way. Raises `EmbedderFailed` then.
        """
        mine = _set_of(unit, self._identity)
        if mine is not None:
            self._services.embeddings.begun = True
        elif self._services.embeddings.begun:
            raise EmbedderFailed("Another process has given this workspace another embedder.")
        return mine


def _set_of(unit: Reading, identity: Identity) -> VectorSet | None:
    return next((known for known in unit.vectors.sets() if known.identity == identity), None)


def _following(unit: Reading, owner: Namespace) -> int:
    return unit.lexicon.size(owner).following


def _reached(unit: Reading, owner: Namespace, vector_set: VectorSet | None) -> int:
    return 0 if vector_set is None else unit.vectors.reached(owner, vector_set.number)


def _missing(unit: Reading, owner: Namespace, vector_set: VectorSet | None) -> list[int]:
    return [] if vector_set is None else unit.vectors.missing(owner, vector_set.number)


def _texts(unit: Reading, owner: Namespace, numbers: Collection[int]) -> dict[int, str]:
    kept = unit.memories.get(owner, numbers)
    return {number: indexed_text(kept[number].memory) for number in sorted(kept) if not kept[number].memory.nothing}
