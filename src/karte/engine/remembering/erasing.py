"""Erasing named memories for good: their rows, what was derived from them for speed, and their bytes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from karte.core.assertions import Assertion
from karte.core.memories import Layer, Memory
from karte.core.namespaces import Namespace, Principal, Scope
from karte.core.results import Erased
from karte.engine.asking import every_review
from karte.engine.removing import Going, Removing
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.engine.trusting import auditing
from karte.errors import Fault
from karte.ports import Writing


@repeated
def erase(services: Services, caller: Principal, ids: Sequence[str], *, scrub: bool = True) -> Erased:
    """Erase memories by id, those held back for a person too, then scrub the files.

    What was derived from them alone goes with them. A value that only they displaced is in force again. What is not
    there is named in `missing_ids`; `scrubbed` is false where the bytes are yet to be removed, by `scrub` or by the
    next erasure. Needs the scope admin.
    """
    caller.require(Scope.ADMIN)
    with services.store.writing() as unit:
        kept = unit.memories.by_id(caller.namespace, ids)
        gone = Erasing(services, caller, unit)([k.memory for k in kept.values()]) if kept else []
        erased = sorted({*(memory.id for memory in gone), *_let_go(unit, caller.namespace, ids)})
        if erased:
            auditing.record(unit, caller, auditing.ERASED, ids=erased)
    scrubbed = scrub and scrub_files(services)
    missing = tuple(memory_id for memory_id in dict.fromkeys(ids) if memory_id not in kept.keys() | set(erased))
    return Erased(tuple(erased), missing, scrubbed)


def _let_go(unit: Writing, namespace: Namespace, ids: Collection[str]) -> set[str]:
    """Remove what of these memories is held back for a person, or was denied; gives the ids of those memories."""
    reviews = every_review(unit, namespace)
    held = [review for review in reviews if review.held is not None and review.memory_id in ids]
    unit.reviews.remove(namespace, [review.id for review in held])
    return {review.memory_id for review in held}


def scrub_files(services: Services) -> bool:
    """Scrub after an erasure; false where it is yet to be done: others share the store, or something is in the way."""
    if services.store.shared:
        return False
    try:
        services.store.scrub()
    except Fault:
        return False
    return True


@dataclass(frozen=True)
class Erasing:
    """Erases memories of the caller's namespace in one transaction, and what was derived from them alone."""

    services: Services
    caller: Principal
    unit: Writing

    def __call__(self, named: Sequence[Memory]) -> list[Memory]:
        """Erase these; gives all that went. Their bytes go with the next `scrub_files`."""
        gone, bereaved = self._falling([*named, *self._twins(named)])
        said: dict[bytes, set[bytes]] = defaultdict(set)
        for assertion in self.unit.records.assertions(self.caller.namespace, gone.keys()):
            said[assertion.key].add(assertion.identity)
        going = {number: said[memory.key] for number, memory in gone.items()}
        going |= {number: {assertion.identity for assertion in lost} for number, lost in bereaved.items()}
        return Removing(self.services, self.caller.namespace, self.unit)(Going(going))

    def _twins(self, named: Sequence[Memory]) -> list[Memory]:
        """The items of sessions that these were promoted from: the same texts, said by the same sources at the same times."""
        unit, namespace = self.unit, self.caller.namespace
        items = [number for number, layer in unit.memories.aside(namespace).items() if layer is Layer.SESSION]
        texts = {memory.content_key for memory in named if memory.layer is Layer.SEMANTIC}
        alike = [memory for memory in self._memories(set(items)) if memory.content_key in texts] if items else []
        if not alike:
            return []
        said = unit.records.assertions(namespace, [memory.number for memory in named])
        sources = {(assertion.origin, assertion.observed_at) for assertion in said}
        told = unit.records.assertions(namespace, [memory.number for memory in alike])
        twins = {assertion.key for assertion in told if (assertion.origin, assertion.observed_at) in sources}
        return [memory for memory in alike if memory.key in twins]

    def _falling(self, named: Sequence[Memory]) -> tuple[dict[int, Memory], dict[int, list[Assertion]]]:
        """The memories that fall with the named ones, and the assertions that fall of memories that stay."""
        gone = {memory.number: memory for memory in named}
        bereaved: dict[int, list[Assertion]] = {}
        waiting: Sequence[Memory] = named
        while waiting:
            children = self.unit.records.children(self.caller.namespace, [memory.key for memory in waiting])
            waiting = [
                memory for memory in self._memories(set(children) - gone.keys()) if self._falls(memory, gone, bereaved)
            ]
            gone |= {memory.number: memory for memory in waiting}
        return gone, {number: said for number, said in bereaved.items() if number not in gone}

    def _falls(self, memory: Memory, gone: Mapping[int, Memory], bereaved: dict[int, list[Assertion]]) -> bool:
        keys = {lost.key for lost in gone.values()}
        said = self.unit.records.assertions(self.caller.namespace, [memory.number])
        bereaved[memory.number] = [assertion for assertion in said if keys.intersection(assertion.parents)]
        return len(bereaved[memory.number]) == len(said)

    def _memories(self, numbers: set[int]) -> list[Memory]:
        return [kept.memory for kept in self.unit.memories.get(self.caller.namespace, numbers).values()]
