"""Staleness: what was derived from something that is not in force any more is looked at by a person.

Nothing is written for it: a memory is stale as long as a parent is not in force, and the review of it is made when it is
asked for. Only a decision is kept, and it is good for just these parents.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from karte.core.assertions import Assertion, digest
from karte.core.memories import PREFIXES, Memory
from karte.core.namespaces import Namespace
from karte.core.periods import FOREVER
from karte.core.results import Item, Status
from karte.core.reviews import REVIEW_PREFIX, Review, ReviewKind
from karte.engine.asking import Instants
from karte.engine.gathering import Frame
from karte.engine.reading.describing import STALE, Describing
from karte.engine.services import Services
from karte.ports import Reading

_PAGE = 500
_NOBODY = "karte"


@dataclass(frozen=True)
class Stale:
    """A stale memory with the review of it, and the first assertion of it that was derived."""

    review: Review
    memory: Memory
    assertion: Assertion


def stale_items(services: Services, unit: Reading, owner: Namespace) -> Iterator[Stale]:
    """What is in force in a namespace although a parent of it is not, unless a person decided about that already."""
    numbers = unit.records.derived(owner)
    describing = Describing(Frame(unit, owner, services.tiers), Instants().when(services, unit))
    for start in range(0, len(numbers), _PAGE):
        items = describing.items(numbers[start : start + _PAGE])
        for number, item in items.items():
            if STALE in item.marks and item.status is Status.IN_FORCE:
                yield from _undecided(unit, owner, number, item, describing)


def stale_item(services: Services, unit: Reading, owner: Namespace, review_id: str) -> Stale | None:
    """The stale memory of a review's id, if it is one."""
    ids = [prefix + review_id.removeprefix(REVIEW_PREFIX) for prefix in PREFIXES]
    kept = unit.memories.by_id(owner, ids)
    found = stale_items(services, unit, owner) if kept else ()
    return next((stale for stale in found if stale.review.id == review_id), None)


def _undecided(unit: Reading, owner: Namespace, number: int, item: Item, describing: Describing) -> Iterator[Stale]:
    said = [a for a in unit.records.assertions(owner, [number]) if a.parents]
    if not said:
        return
    fallen = _fallen(unit, owner, said, describing)
    basis = digest(item.id, fallen)
    decided = (one for one in unit.reviews.about(owner, [number]) if one.kind is ReviewKind.STALE)
    if any(review.target == basis for review in decided):
        return
    first = min(said, key=lambda assertion: assertion.order)
    why = json.dumps({"not_in_force": fallen})
    review_id = REVIEW_PREFIX + item.id.partition("_")[2]
    review = Review(
        review_id, ReviewKind.STALE, item.id, number, basis, first.origin, _NOBODY, first.learned_at, FOREVER, why
    )
    yield Stale(review, item.memory, first)


def _fallen(unit: Reading, owner: Namespace, said: list[Assertion], describing: Describing) -> list[str]:
    """The parents that are not in force: by id, those that are gone by their key."""
    keys = {parent for assertion in said for parent in assertion.parents}
    kept = unit.memories.by_key(owner, keys)
    items = describing.items([parent.memory.number for parent in kept.values()])
    holding = {key for key, k in kept.items() if _holds(items.get(k.memory.number))}
    return sorted(kept[key].memory.id if key in kept else key.hex() for key in keys - holding)


def _holds(item: Item | None) -> bool:
    return item is not None and item.status is Status.IN_FORCE
