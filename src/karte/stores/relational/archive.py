"""The archive, and leases,."""

from __future__ import annotations

from collections.abc import Collection

from karte.core.namespaces import Namespace
from karte.ports import Lease
from karte.stores.relational.rows import Rows


class ArchiveRows:
    """Marks on memories that were moved out of recall.

    Most namespaces have none, and every question asks: whether there is any is looked up once in a unit of work.
    """

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._used: dict[int, bool] = {}

    def add(self, namespace: Namespace, numbers: Collection[int], at: int) -> None:
        """Mark memories."""
        ns = self._rows.known_namespace(namespace)
        self._used.pop(ns, None)
        self._rows.run_each("add_archived", ((at, ns, number) for number in numbers))

    def remove(self, namespace: Namespace, numbers: Collection[int]) -> None:
        """Take marks away."""
        ns = self._rows.known_namespace(namespace)
        self._rows.run_each("remove_archived", ((ns, number) for number in numbers))

    def of(self, namespace: Namespace, numbers: Collection[int]) -> dict[int, int]:
        """Those of these memories that are marked."""
        ns = self._rows.namespace(namespace)
        if not self._is_used(ns):
            return {}
        return dict(self._rows.each("archived", ns=ns, numbers=self._rows.listed(numbers)))

    def _is_used(self, ns: int) -> bool:
        found = self._used.get(ns)
        if found is None:
            found = self._used[ns] = bool(self._rows.value("has_archived", ns=ns))
        return found

    def entered(self, namespace: Namespace, until: int, before: int, count: int) -> list[tuple[int, int]]:
        """The highest numbers below a bound marked by an instant."""
        named = {"ns": self._rows.namespace(namespace), "until": until, "before": before, "count": count}
        return [(number, at) for number, at in self._rows.each("entered_archive", **named)]


class LeasesRows:
    """Leases of the workspace."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def find(self, name: str) -> Lease | None:
        """The lease under a name."""
        row = self._rows.one("find_lease", name=name)
        return Lease(*row) if row else None

    def keep(self, name: str, lease: Lease) -> None:
        """Keep a lease."""
        self._rows.run("keep_lease", name=name, holder=lease.holder, until=lease.until)

    def remove(self, name: str) -> None:
        """Remove a lease."""
        self._rows.run("remove_lease", name=name)
