"""Vectors of memories, over the oracle's tables."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from karte.core.namespaces import Namespace
from karte.ports import Identity, VectorSet
from karte.stores.memory.parts import Part


class MemoryVectors(Part):
    """Vectors of memories, by set."""

    def sets(self) -> list[VectorSet]:
        """All sets of the workspace."""
        return [vector_set for _, vector_set in sorted(self._tables.vector_sets.items())]

    def open_set(self, identity: Identity) -> int:
        """The number of the set of an embedder."""
        sets = self._tables.vector_sets
        found = next((number for number, known in sets.items() if known.identity == identity), None)
        if found is None:
            found = max(sets, default=0) + 1
            sets[found] = VectorSet(found, identity, active=False)
        return found

    def activate(self, number: int) -> None:
        """Let a set serve instead of the one that served."""
        sets = self._tables.vector_sets
        for other, known in sets.items():
            sets[other] = replace(known, active=other == number)

    def drop(self, number: int) -> None:
        """Remove a set with its vectors."""
        self._tables.vector_sets.pop(number, None)
        for room in self._tables.rooms.values():
            room.vectors.pop(number, None)
            room.missing.pop(number, None)
            room.generation += room.reached.pop(number, None) is not None

    def reached(self, namespace: Namespace, number: int) -> int:
        """Up to which memory a set is filled in."""
        return self._room(namespace).reached.get(number, 0)

    def add(self, namespace: Namespace, number: int, vectors: Sequence[tuple[int, bytes]], reached: int) -> None:
        """Keep vectors in a set."""
        room = self._known_room(namespace)
        kept = room.vectors[number]
        last = max(kept, default=0)
        room.generation += any(memory < last and memory not in kept for memory, _ in vectors)
        for memory, vector in vectors:
            kept.setdefault(memory, vector)
        room.reached[number] = max(reached, room.reached.get(number, 0))

    def missing(self, namespace: Namespace, number: int) -> list[int]:
        """The memories that wait for a new vector."""
        return sorted(self._room(namespace).missing.get(number, ()))

    def set_missing(self, namespace: Namespace, number: int, memories: Collection[int]) -> None:
        """Say which memories wait for a new vector."""
        self._known_room(namespace).missing[number] = set(memories)

    def since(self, namespace: Namespace, number: int, after: int) -> list[tuple[int, bytes]]:
        """The vectors of memories above a number."""
        kept = self._room(namespace).vectors.get(number, {})
        return sorted((memory, vector) for memory, vector in kept.items() if memory > after)

    def of(self, namespace: Namespace, number: int, memories: Collection[int]) -> dict[int, bytes]:
        """The vectors of these memories."""
        kept = self._room(namespace).vectors.get(number, {})
        return {memory: kept[memory] for memory in memories if memory in kept}

    def generation(self, namespace: Namespace) -> int:
        """How often vectors vanished."""
        return self._room(namespace).generation
