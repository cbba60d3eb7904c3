"""Counting recalls: what was returned to a caller is counted once, and written down later in one go.

A search must not wait for the disk, so counts wait in memory until the next convenient moment; they never change what
is in force, and losing some in a crash does no harm.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from karte.core.namespaces import Namespace
from karte.errors import Fault, WorkspaceReadOnly
from karte.ports import Store

MOST_WAITING: Final = 1_000


class Tally:
    """Counts that wait to be written."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._recalls: list[tuple[Namespace, tuple[int, ...], int]] = []

    def count(self, namespace: Namespace, numbers: Iterable[int], at: int) -> None:
        """Count one recall of each of these memories."""
        self._recalls.append((namespace, tuple(numbers), at))
        if len(self._recalls) >= MOST_WAITING:
            self.write()

    def write(self) -> None:
        """Write the counts down; where the workspace cannot be written now, they are dropped."""
        waiting, self._recalls = self._recalls, []
        if not any(numbers for _, numbers, _ in waiting):
            return
        recalls: dict[Namespace, list[tuple[tuple[int, ...], int]]] = defaultdict(list)
        for namespace, numbers, at in waiting:
            recalls[namespace].append((numbers, at))
        try:
            with self._store.writing() as unit:
                for namespace, counted in recalls.items():
                    for numbers, at in counted:
                        unit.usages.count(namespace, numbers, at)
        except (WorkspaceReadOnly, Fault):
            return
