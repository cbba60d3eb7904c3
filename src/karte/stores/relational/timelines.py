"""The present fold: segments by chain."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from karte.core.namespaces import Namespace
from karte.core.timeline import Room, Segment
from karte.ports import Head
from karte.stores.relational.rows import Row, Rows

_FAR: Final = 2**60
"""Beyond any time that can be written (the year 9999), and small enough to add up."""


class TimelinesRows:
    """The kept segments of a workspace, by namespace."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def heads(self, namespace: Namespace, chains: Collection[int]) -> dict[int, Head]:
        """The heads of these chains."""
        rows = self._rows.each("heads", ns=self._rows.namespace(namespace), chains=self._rows.listed(chains))
        return {chain: Head(changed_at, tier) for chain, changed_at, tier in rows}

    def set_head(self, namespace: Namespace, chain: int, head: Head) -> None:
        """Say when a chain changed and which tier its claims share."""
        ns = self._rows.known_namespace(namespace)
        self._rows.run("set_head", ns=ns, chain=chain, changed_at=head.changed_at, tier=head.tier)

    def segments(self, namespace: Namespace, chain: int, start: int, end: int, *, free: bool = False) -> list[Segment]:
        """The segments that overlap a period."""
        ns = self._rows.namespace(namespace)
        rows = self._rows.each("segments", ns=ns, chain=chain, free=free, start=start, end=end)
        return [_segment(row) for row in rows]

    def room_for(self, namespace: Namespace, chain: int, claim: Segment, *, free: bool = False) -> Room:
        """Where a claim comes into force: two scans of its period in the database, which gives back what changes."""
        place = {"ns": self._rows.namespace(namespace), "chain": chain, "free": free}
        period = {**place, "start": claim.start, "end": claim.end}
        tier, said_from, observed_at, trust, tie, mark = claim.rank
        rank = {
            "tier": tier,
            "said_from": said_from,
            "observed_at": observed_at,
            "trust": trust,
            "tie": tie,
            "mark": mark,
        }
        beaten = tuple(_segment(row) for row in self._rows.each("beaten_segments", **period, **rank))
        first, last, gapless = next(self._rows.each("covered", **period, far=_FAR))
        if first is None:
            return Room(gaps=((claim.start, claim.end),))
        inner = [] if gapless else [(start, end) for start, end in self._rows.each("gaps", **period)]
        outer = ((claim.start, first), (last, claim.end))
        return Room(beaten, tuple(sorted((start, end) for start, end in (*outer, *inner) if start < end)))

    def replace(
        self, namespace: Namespace, chain: int, old: Sequence[Segment], new: Sequence[Segment], *, free: bool = False
    ) -> None:
        """Put new segments in the place of old ones; those in both stay."""
        shared = set(old) & set(new) if old else set()
        place = (self._rows.known_namespace(namespace), chain, free)
        for segment in old:
            if segment not in shared:
                self._rows.give("remove_segment", *place, segment.start)
        for segment in new:
            if segment not in shared:
                claim = (segment.start, segment.end, segment.statement, segment.expires_at, *segment.rank)
                self._rows.give("add_segment", *place, *claim)

    def holding(self, namespace: Namespace, numbers: Collection[int], at: int, now: int) -> dict[int, int]:
        """Those of these memories whose statement is in force, with its number."""
        named = {"ns": self._rows.namespace(namespace), "at": at, "now": now}
        found: dict[int, int] = {}
        if self._rows.near:
            found.update(self._rows.each("heading", **named, numbers=self._rows.listed(numbers)))
        if rest := [number for number in numbers if number not in found]:
            found.update(self._rows.each("holding", **named, numbers=self._rows.listed(rest)))
        return found


def _segment(row: Row) -> Segment:
    start, end, tier, said_from, observed_at, trust, tie, mark, statement, expires_at = row
    return Segment(start, end, (tier, said_from, observed_at, trust, tie, mark), statement, expires_at)
