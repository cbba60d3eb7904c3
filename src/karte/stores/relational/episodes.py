"""Assertions by time and conversation."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from karte.core.namespaces import Namespace
from karte.ports import Turn
from karte.stores.relational.rows import Rows


class EpisodesRows:
    """Assertions as parts of conversations."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def turns(self, namespace: Namespace, numbers: Collection[int]) -> list[Turn]:
        """The assertions of these memories."""
        rows = self._rows.each("turns", ns=self._rows.namespace(namespace), numbers=self._rows.listed(numbers))
        return list(map(Turn._make, rows))

    def session(self, namespace: Namespace, session: str) -> list[Turn]:
        """The assertions of a session."""
        rows = self._rows.each("turns_of_session", ns=self._rows.namespace(namespace), session=session)
        return list(map(Turn._make, rows))

    def beside(self, namespace: Namespace, turn: Turn, count: int) -> tuple[list[Turn], list[Turn]]:
        """The turns of a session on both sides of one of them."""
        named = {"session": turn.session, "observed_at": turn.observed_at, "number": turn.number, "count": count}
        before, after = (
            [Turn(*row) for row in self._rows.each(query, ns=self._rows.namespace(namespace), **named)]
            for query in ("turns_before", "turns_after")
        )
        return before, after

    def sessions(self, namespace: Namespace, tiers: Sequence[int]) -> list[tuple[str, int]]:
        """The sessions of a namespace."""
        rows = self._rows.each("sessions", ns=self._rows.namespace(namespace), tiers=self._rows.listed(tiers))
        return [(session, first) for session, first in rows]

    def speakers(self, namespace: Namespace, tiers: Sequence[int]) -> list[str]:
        """Who speaks in a namespace."""
        ns = self._rows.namespace(namespace)
        if self._rows.near and not self._rows.known("has_speakers", ns=ns)[0][0]:
            return []
        rows = self._rows.each("speakers", ns=ns, tiers=self._rows.listed(tiers))
        return [speaker for (speaker,) in rows]

    def observations(self, namespace: Namespace, before: int, count: int) -> list[int]:
        """The memories with an observation below a number."""
        named = {"ns": self._rows.namespace(namespace), "before": before, "count": count}
        return [number for (number,) in self._rows.each("observations", **named)]

    def between(self, namespace: Namespace, start: int, end: int, count: int) -> list[Turn]:
        """The assertions observed in a period, and those valid from an instant of it."""
        named = {"ns": self._rows.namespace(namespace), "start": start, "end": end, "count": count}
        return [
            Turn(*row) for query in ("observed_between", "valid_between") for row in self._rows.each(query, **named)
        ]
