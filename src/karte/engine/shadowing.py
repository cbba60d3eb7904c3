"""Shadowing: a claim that only a more trusted one keeps out of force is shown to a person."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from karte.core.assertions import Assertion
from karte.core.reviews import REVIEW_PREFIX, WAITS, Review, ReviewKind
from karte.core.timeline import Segment, in_force
from karte.engine.gathering import Frame
from karte.engine.services import Services
from karte.ports import MIXED, Writing


@dataclass(frozen=True)
class Shadowing:
    """Opens reviews of what is shadowed in one namespace; one that was decided, or waits already, is not opened again.

    `writer` is who tells the assertion of the identity `told`: nobody decides about that who wrote it.
    """

    services: Services
    unit: Writing
    frame: Frame
    writer: str = ""
    told: bytes = b""

    def of_memories(self, numbers: Collection[int], at: int) -> None:
        """Open reviews in the chains of these memories, as far as they are there."""
        if self.services.tiers:
            kept = self.unit.memories.get(self.frame.namespace, numbers)
            for chain in sorted({k.chain for k in kept.values()}):
                self.of_chain(chain, at)

    def of_chain(self, chain: int, at: int) -> str | None:
        """Open a review of the claim that would be in force at an instant but for a more trusted one; gives its id."""
        namespace, timelines = self.frame.namespace, self.unit.timelines
        head = timelines.heads(namespace, [chain]).get(chain)
        if head is None or head.tier != MIXED:
            return None
        free = in_force(timelines.segments(namespace, chain, at, at + 1, free=True), at)
        guarded = in_force(timelines.segments(namespace, chain, at, at + 1), at)
        if free is None or (guarded is not None and guarded.statement == free.statement):
            return None
        return self._review(chain, free)

    def _review(self, chain: int, free: Segment) -> str | None:
        namespace, reviews = self.frame.namespace, self.unit.reviews
        claim = self._claim(chain, free)
        memory = self.unit.memories.get(namespace, [free.statement])[free.statement].memory
        if claim is None or memory.nothing:
            return None
        opened = [one for one in reviews.about(namespace, [free.statement]) if one.kind is ReviewKind.SHADOWED]
        if opened:
            return opened[0].id
        now = self.unit.last_learned()
        review = Review(
            self.services.ids.new(REVIEW_PREFIX),
            ReviewKind.SHADOWED,
            memory.id,
            free.statement,
            claim.identity,
            claim.origin,
            self.writer if claim.identity == self.told else "",
            now,
            now + WAITS,
            "{}",
        )
        reviews.add(namespace, review)
        return review.id

    def _claim(self, chain: int, segment: Segment) -> Assertion | None:
        """The assertion that claims a segment: its identity is the last part of the rank."""
        numbers = {segment.statement, *self.unit.memories.in_chain(self.frame.namespace, chain)}
        said = self.unit.records.assertions(self.frame.namespace, numbers)
        mark = segment.rank[-1]
        return next((a for a in said if int.from_bytes(a.identity[:7], "big") == mark), None)
