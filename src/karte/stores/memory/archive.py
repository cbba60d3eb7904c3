"""The archive, and leases, over the oracle's tables."""

from __future__ import annotations

from collections.abc import Collection

from karte.core.namespaces import Namespace
from karte.ports import Lease
from karte.stores.memory.parts import Part


class MemoryArchive(Part):
    """Marks on memories that were moved out of recall."""

    def add(self, namespace: Namespace, numbers: Collection[int], at: int) -> None:
        """Mark memories."""
        room = self._known_room(namespace)
        for number in numbers:
            if number in room.kept:
                room.archived.setdefault(number, at)

    def remove(self, namespace: Namespace, numbers: Collection[int]) -> None:
        """Take marks away."""
        for number in numbers:
            self._known_room(namespace).archived.pop(number, None)

    def of(self, namespace: Namespace, numbers: Collection[int]) -> dict[int, int]:
        """Those of these memories that are marked."""
        archived = self._room(namespace).archived
        return {number: archived[number] for number in numbers if number in archived}

    def entered(self, namespace: Namespace, until: int, before: int, count: int) -> list[tuple[int, int]]:
        """The highest numbers below a bound marked by an instant."""
        archived = self._room(namespace).archived.items()
        found = [(number, at) for number, at in archived if number < before and at <= until]
        return sorted(found, reverse=True)[:count]


class MemoryLeases(Part):
    """Leases by name."""

    def find(self, name: str) -> Lease | None:
        """The lease under a name."""
        return self._tables.leases.get(name)

    def keep(self, name: str, lease: Lease) -> None:
        """Keep a lease."""
        self._tables.leases[name] = lease

    def remove(self, name: str) -> None:
        """Remove a lease."""
        self._tables.leases.pop(name, None)
