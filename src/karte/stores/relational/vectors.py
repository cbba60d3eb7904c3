"""Vectors of memories: one row a vector, which is read fast enough and erased most simply."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from karte.core.namespaces import Namespace
from karte.ports import Identity, VectorSet
from karte.stores.relational.rows import Row, Rows


class VectorsRows:
    """Vectors of memories, by set."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def sets(self) -> list[VectorSet]:
        """All sets of the workspace."""
        return [_vector_set(row) for row in self._rows.known("vector_sets")]

    def open_set(self, identity: Identity) -> int:
        """The number of the set of an embedder."""
        named = {"name": identity.name, "version": identity.version, "dimensions": identity.dimensions}
        found = self._rows.value("find_vector_set", **named)
        return int(self._rows.value("add_vector_set", **named) if found is None else found)

    def activate(self, number: int) -> None:
        """Let a set serve instead of the one that served."""
        self._rows.run("activate_vector_set", vector_set=number)

    def drop(self, number: int) -> None:
        """Remove a set with its vectors."""
        for query in ("raise_generation_by_set", "drop_vectors", "drop_missing", "drop_reach", "drop_vector_set"):
            self._rows.run(query, vector_set=number)

    def reached(self, namespace: Namespace, number: int) -> int:
        """Up to which memory a set is filled in."""
        return self._rows.value("reached", ns=self._rows.namespace(namespace), vector_set=number) or 0

    def add(self, namespace: Namespace, number: int, vectors: Sequence[tuple[int, bytes]], reached: int) -> None:
        """Keep vectors in a set."""
        ns = self._rows.known_namespace(namespace)
        if vectors and self._come_late(namespace, number, [memory for memory, _ in vectors]):
            self._rows.run("raise_generation", ns=ns)
        self._rows.run_each("add_vector", ((ns, number, memory, vector) for memory, vector in vectors))
        self._rows.run("reach", ns=ns, vector_set=number, reached=reached)

    def _come_late(self, namespace: Namespace, number: int, memories: list[int]) -> bool:
        """Whether any of these is new and below the highest one."""
        last = self._rows.value("last_vector", ns=self._rows.namespace(namespace), vector_set=number) or 0
        late = [memory for memory in memories if memory < last]
        return bool(late) and len(self.of(namespace, number, late)) < len(set(late))

    def missing(self, namespace: Namespace, number: int) -> list[int]:
        """The memories that wait for a new vector."""
        rows = self._rows.each("missing_vectors", ns=self._rows.namespace(namespace), vector_set=number)
        return [memory for (memory,) in rows]

    def set_missing(self, namespace: Namespace, number: int, memories: Collection[int]) -> None:
        """Say which memories wait for a new vector."""
        ns = self._rows.known_namespace(namespace)
        self._rows.run("clear_missing", ns=ns, vector_set=number)
        self._rows.run_each("add_missing", ((ns, number, memory) for memory in memories))

    def since(self, namespace: Namespace, number: int, after: int) -> Iterator[Row]:
        """The vectors of memories above a number."""
        named = {"ns": self._rows.namespace(namespace), "vector_set": number, "after": after}
        return self._rows.stream("vectors_since", **named)

    def of(self, namespace: Namespace, number: int, memories: Collection[int]) -> dict[int, bytes]:
        """The vectors of these memories."""
        named = {"ns": self._rows.namespace(namespace), "vector_set": number, "numbers": self._rows.listed(memories)}
        return dict(self._rows.each("vectors", **named))

    def generation(self, namespace: Namespace) -> int:
        """How often vectors vanished."""
        return self._rows.value("generation", ns=self._rows.namespace(namespace)) or 0


def _vector_set(row: Row) -> VectorSet:
    number, name, version, dimensions, active = row
    return VectorSet(number, Identity(name, version, dimensions), bool(active))
