"""Memories in bulk: what is derived from a whole namespace is read from here."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from karte.core.bulk import Fact, Held
from karte.core.memories import Triple
from karte.core.namespaces import Namespace
from karte.stores.relational.rows import Row, Rows


class FactsRows:
    """Triples, texts, spells and derivations of a workspace, by namespace."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def changed(self, namespace: Namespace, since: int) -> list[int]:
        """The memories whose chain changed after a system time."""
        rows = self._rows.each("changed_since", ns=self._rows.namespace(namespace), since=since)
        return [number for (number,) in rows]

    def erasures(self, namespace: Namespace) -> int:
        """How often memories were erased."""
        return self._rows.value("erasures", ns=self._rows.namespace(namespace)) or 0

    def triples(self, namespace: Namespace, numbers: Collection[int] | None = None) -> Iterator[Fact]:
        """The triples of memories."""
        return map(_fact, self._of(namespace, "all_triples", "triples", numbers))

    def texts(self, namespace: Namespace, numbers: Collection[int] | None = None) -> Iterator[Row]:
        """The texts of memories without a triple."""
        return self._of(namespace, "all_texts", "texts", numbers)

    def spells(self, namespace: Namespace, numbers: Collection[int]) -> list[Held]:
        """When the statements of these memories are in force."""
        return [Held(*row) for row in self._of(namespace, "spells", "spells", numbers)]

    def parents(self, namespace: Namespace, numbers: Collection[int]) -> list[tuple[int, int]]:
        """What these memories were derived from."""
        return [(number, parent) for number, parent in self._of(namespace, "parents", "parents", numbers)]

    def _of(self, namespace: Namespace, whole: str, some: str, numbers: Collection[int] | None) -> Iterator[Row]:
        ns = self._rows.namespace(namespace)
        if numbers is None:
            return self._rows.stream(whole, ns=ns)
        return self._rows.each(some, ns=ns, numbers=self._rows.listed(numbers))


def _fact(row: Row) -> Fact:
    number, subject, predicate, value, subject_name, predicate_name, object_name = row
    return Fact(number, Triple(subject, predicate, value), Triple(subject_name, predicate_name, object_name or None))
