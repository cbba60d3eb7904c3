"""Lapsing: what waited for a person for too long is written down as such, and what named a source in vain is dropped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from karte.core.namespaces import Namespace, Principal, Scope
from karte.core.reviews import Review, ReviewKind, ReviewState
from karte.engine.asking import owners_of, present
from karte.engine.forgetting.planning import outdated
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.engine.trusting import auditing
from karte.ports import Reading, Writing

EXPIRED: Final = "quarantine_reject"
"""What the audit log and the event call the end of a quarantine that nobody decided about in time."""


@dataclass(frozen=True)
class Lapsed:
    """How many reviews expired, and how many plans to forget were dropped, or would be."""

    reviews: int = 0
    plans: int = 0

    def to_dict(self) -> dict[str, Any]:
        """reviews_expired, plans_dropped."""
        return {"reviews_expired": self.reviews, "plans_dropped": self.plans}


@repeated
def lapse(services: Services, caller: Principal, *, dry_run: bool) -> Lapsed:
    """Expire the reviews that nobody decided in time, and drop plans that were not applied in time. Needs admin."""
    caller.require(Scope.ADMIN)
    if dry_run:
        with services.store.reading() as reading:
            now = present(services, reading)
            return Lapsed(sum(1 for _ in _late(reading, now)), len(outdated(reading, now)))
    with services.store.writing() as unit:
        now = present(services, unit)
        late, old = list(_late(unit, now)), outdated(unit, now)
        if late:
            unit.learn(now)
        for owner, review in late:
            _expire(unit, caller, owner, review, now)
        for plan in old:
            unit.plans.remove(plan.id)
    return Lapsed(len(late), len(old))


def _late(unit: Reading, now: int) -> Iterator[tuple[Namespace, Review]]:
    for owner in owners_of(unit):
        for review in unit.reviews.listed(owner, [ReviewState.OPEN], unit.reviews.count(owner)):
            if review.state_at(now) is ReviewState.EXPIRED:
                yield owner, review


def _expire(unit: Writing, caller: Principal, owner: Namespace, review: Review, now: int) -> None:
    """Write down that nobody decided in time: a quarantine is denied by that, everything else stays what it is."""
    unit.reviews.replace(owner, replace(review, state=ReviewState.EXPIRED, decided_at=now))
    if review.kind is ReviewKind.QUARANTINE:
        auditing.record(unit, caller, auditing.REJECTED, review.id, owner.owner, event=EXPIRED)
