"""Requests: what a less trusted caller asked for and may not do by itself waits for a person, who does it or not."""

from __future__ import annotations

import json
from typing import Any, Final

from karte.core.namespaces import Principal
from karte.core.reviews import REVIEW_PREFIX, WAITS, Review, ReviewKind
from karte.engine.services import Services
from karte.ports import Kept, Writing

ASKED: Final = "asked"
WITHDRAW: Final = "withdraw"
SUPERSEDE: Final = "supersede"


def request(services: Services, caller: Principal, unit: Writing, about: Kept, asked: dict[str, Any]) -> str:
    """Open a review of a command about a memory, unless the same waits already; gives its id.

    `asked` has the name of the command under `asked`, and what else it takes.
    """
    why = json.dumps(asked, sort_keys=True, ensure_ascii=False)
    memory = about.memory
    for review in unit.reviews.about(caller.namespace, [memory.number]):
        if review.kind is ReviewKind.CONFLICT and (review.writer, review.why) == (caller.actor, why):
            return review.id
    first = min(unit.records.assertions(caller.namespace, [memory.number]), key=lambda assertion: assertion.order)
    now = unit.last_learned()
    review = Review(
        services.ids.new(REVIEW_PREFIX),
        ReviewKind.CONFLICT,
        memory.id,
        memory.number,
        first.identity,
        caller.origin,
        caller.actor,
        now,
        now + WAITS,
        why,
    )
    unit.reviews.add(caller.namespace, review)
    return review.id
