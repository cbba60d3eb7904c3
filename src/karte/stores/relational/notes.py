"""Agents, receipts, likenesses and counters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from karte.core.namespaces import Namespace
from karte.ports import Agent, KeptReceipt, Likeness, Usage
from karte.stores.relational.rows import Rows


class AgentsRows:
    """The agents of a workspace."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def find(self, name: str) -> Agent | None:
        """The agent of that name."""
        row = self._rows.one("find_agent", agent=name)
        return Agent(*row) if row else None

    def all(self) -> list[Agent]:
        """All agents by name."""
        return [Agent(*row) for row in self._rows.each("all_agents")]

    def add(self, agent: Agent) -> None:
        """Keep an agent."""
        self._rows.run("add_agent", agent=agent.name, role=agent.role, created_at=agent.created_at)


class ReceiptsRows:
    """Receipts by idempotency key."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def find(self, namespace: Namespace, key: str) -> KeptReceipt | None:
        """The receipt under a key."""
        row = self._rows.one("find_receipt", ns=self._rows.namespace(namespace), key=key)
        return KeptReceipt(*row) if row else None

    def of(self, namespace: Namespace, numbers: Collection[int]) -> list[tuple[int, str, KeptReceipt]]:
        """The receipts of these memories."""
        rows = self._rows.each("receipts", ns=self._rows.namespace(namespace), numbers=self._rows.listed(numbers))
        return [(number, key, KeptReceipt(*kept)) for number, key, *kept in rows]

    def keep(self, namespace: Namespace, key: str, kept: KeptReceipt, memory: int) -> None:
        """Keep a receipt under a key."""
        ns = self._rows.known_namespace(namespace)
        self._rows.run(
            "keep_receipt",
            ns=ns,
            key=key,
            request=kept.request,
            receipt=kept.receipt,
            number=memory,
            assertion=kept.assertion,
        )


class LikenessesRows:
    """Near-duplicates."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def alike(self, namespace: Namespace, bands: Sequence[int], most: int) -> list[int]:
        """The memories that share a band."""
        ns = self._rows.namespace(namespace)
        found: dict[int, list[int]] = defaultdict(list)
        for band, number in self._rows.each("alike", ns=ns, bands=self._rows.listed(bands)):
            found[band].append(number)
        return sorted({number for numbers in found.values() for number in sorted(numbers)[-most:]})

    def taken(self, namespace: Namespace, bands: Collection[int]) -> set[int]:
        """The bands that some memory has; in the order that an index has them, so that its pages are read in turn."""
        ns, wanted = self._rows.namespace(namespace), self._rows.listed(sorted(bands))
        return {band for (band,) in self._rows.each("taken_bands", ns=ns, bands=wanted)}

    def fingerprint(self, namespace: Namespace, number: int, bands: Sequence[int]) -> None:
        """Keep the bands of a memory."""
        ns = self._rows.known_namespace(namespace)
        self._rows.run_each("add_band", [(ns, band, number) for band in bands])

    def forget(self, namespace: Namespace, number: int, bands: Sequence[int]) -> None:
        """Remove the bands of a memory."""
        ns = self._rows.known_namespace(namespace)
        self._rows.run_each("remove_band", [(ns, band, number) for band in bands])

    def link(self, namespace: Namespace, likeness: Likeness) -> None:
        """Keep a likeness."""
        ns = self._rows.known_namespace(namespace)
        values = {"one": likeness.one, "other": likeness.other, "difference": likeness.difference}
        self._rows.run("add_likeness", ns=ns, **values)

    def of(self, namespace: Namespace, numbers: Collection[int]) -> list[Likeness]:
        """The likenesses of these memories."""
        rows = self._rows.each("likenesses", ns=self._rows.namespace(namespace), numbers=self._rows.listed(numbers))
        return [Likeness(*row) for row in rows]


class UsagesRows:
    """Counters of use."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def of(self, namespace: Namespace, numbers: Collection[int]) -> dict[int, Usage]:
        """The counters of these memories."""
        rows = self._rows.each("usages", ns=self._rows.namespace(namespace), numbers=self._rows.listed(numbers))
        return {number: Usage(recalls, last) for number, recalls, last in rows}

    def count(self, namespace: Namespace, numbers: Collection[int], at: int) -> None:
        """Count one recall of each of these memories."""
        ns = self._rows.known_namespace(namespace)
        self._rows.run_each("count_usage", ((at, ns, number) for number in numbers))

    def put(self, namespace: Namespace, usages: Mapping[int, Usage]) -> None:
        """Set the counters of memories."""
        ns = self._rows.known_namespace(namespace)
        self._rows.run_each("put_usage", ((ns, number, u.recalls, u.last) for number, u in usages.items()))
