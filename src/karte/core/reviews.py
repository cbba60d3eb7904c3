"""Reviews: what waits for a person to decide, and what was decided."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from karte.core.origins import Origin
from karte.core.periods import DAY

REVIEW_PREFIX: Final = "rev_"

WAITS: Final = DAY
"""So long, in microseconds, a review waits for its decision."""


class ReviewKind(StrEnum):
    """What is to be decided.

    A quarantined memory is released or rejected; a shadowed fact is endorsed or withdrawn; in a conflict somebody asked
    for what only a more trusted one may do, and a person does it or not; a stale item, of whose parents one is not in
    force any more, is kept or retired; of two facts that contradict each other one holds, both or none.
    """

    QUARANTINE = "knowledge_quarantine"
    SHADOWED = "shadowed_fact"
    CONFLICT = "conflict"
    STALE = "stale_item"
    CONTRADICTION = "contradiction"


class ReviewState(StrEnum):
    """Where a review stands; one that nobody decided in time is expired, which counts as a denial."""

    OPEN = "open"
    APPROVED = "approved"
    DENIED = "denied"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Review:
    """One thing that waits, or waited, for a person; instants in microseconds.

    `number` is that of the memory in question, None where it is held back; then `held` is what would be kept, as JSON.
    `against` is the number of the memory that it contradicts, if it is about that. `target` is the identity of the assertion in question, `origin` is where that is from, `writer` who wrote it; `why`
    says what gave rise to it, as JSON, without content.
    """

    id: str
    kind: ReviewKind
    memory_id: str
    number: int | None
    target: bytes
    origin: Origin
    writer: str
    opened_at: int
    expires_at: int
    why: str
    held: str | None = None
    state: ReviewState = ReviewState.OPEN
    decided_by: str | None = None
    decided_at: int | None = None
    against: int | None = None

    def state_at(self, now: int) -> ReviewState:
        """Where it stands `now`: what nobody decided in time is expired by the clock alone."""
        late = self.state is ReviewState.OPEN and self.expires_at <= now
        return ReviewState.EXPIRED if late else self.state


def disputes(reviews: Iterable[Review]) -> list[tuple[int, int]]:
    """The pairs of memories that contradict each other and of which nobody has decided."""
    waiting = (review for review in reviews if review.kind is ReviewKind.CONTRADICTION)
    return [
        (review.number, review.against)
        for review in waiting
        if review.state is ReviewState.OPEN and review.number is not None and review.against is not None
    ]
