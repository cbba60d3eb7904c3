"""Drawing questions from a workspace, the same ones whenever it holds the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from karte.core.memories import Memory
from karte.core.namespaces import Namespace, Principal
from karte.engine.asking import Instants, owners_of
from karte.engine.moving.dumping import following_of
from karte.engine.reading import fetching, history
from karte.engine.reading.fetching import Filters
from karte.engine.recalling import searching
from karte.engine.recalling.asked import Mode, Search
from karte.engine.services import Services
from karte.ports import Reading

MOST_MEMORIES: Final = 24
"""About so many memories of the whole workspace are asked about."""

LEAST_MEMORIES: Final = 2
"""At so many numbers of each owner a memory is looked for."""

MOST_OWNERS: Final = 12
_LONGEST_QUERY: Final = 80
_LISTED: Final = 50

Ask = Callable[[Services, Principal], Any]


@dataclass(frozen=True)
class Question:
    """A question to one owner's memories: what kind it is of, in words, and how it is asked."""

    owner: Namespace
    kind: str
    words: str
    ask: Ask


def draw(unit: Reading) -> list[Question]:
    """Questions about memories that lie evenly over the numbers of at most `MOST_OWNERS` owners, of each as it has many."""
    used = {owner: following_of(unit, owner) - 1 for owner in owners_of(unit)}
    owners = _spread([owner for owner, numbers in used.items() if numbers], MOST_OWNERS)
    total = sum(used[owner] for owner in owners)
    shares = {owner: max(LEAST_MEMORIES, MOST_MEMORIES * used[owner] // total) for owner in owners}
    return [question for owner, share in shares.items() for question in _of_owner(unit, owner, share)]


def _spread(things: Sequence[Any], most: int) -> list[Any]:
    """At most so many things, evenly from the first to the last."""
    if len(things) <= most:
        return list(things)
    return [things[place * (len(things) - 1) // (most - 1)] for place in range(most)]


def _of_owner(unit: Reading, owner: Namespace, most: int) -> Iterator[Question]:
    """Questions to one owner's memories; what must fold very many anew, as of then, is asked once."""
    memories = _memories(unit, owner, most)
    if memories:
        ids = [memory.id for memory in memories]
        yield Question(owner, "fetch", f"{len(ids)} memories", partial(_fetch, ids))
    yield Question(owner, "list", "the newest", partial(_list, Instants()))
    for place, memory in enumerate(memories):
        told = unit.records.assertions(owner, [memory.number])
        first = min(told, key=lambda assertion: (assertion.learned_at, assertion.identity), default=None)
        then = Instants(first.valid_from, first.learned_at) if first else Instants()
        yield from _about(owner, memory, then)
        if place == len(memories) // 2:
            yield Question(owner, "list as of then", memory.id, partial(_list, then))
            yield Question(owner, "search as of then", memory.id, partial(_search, _query(memory), Mode.HYBRID, then))


def _memories(unit: Reading, owner: Namespace, most: int) -> list[Memory]:
    numbers = _spread(range(1, following_of(unit, owner)), most)
    found = {found for number in numbers for found in unit.memories.recent(owner, number + 1, 1)}
    return [kept.memory for _, kept in sorted(unit.memories.get(owner, found).items()) if not kept.memory.nothing]


def _about(owner: Namespace, memory: Memory, then: Instants) -> Iterator[Question]:
    """Questions about one memory: now, and as of when it was first said."""
    for mode in Mode:
        yield Question(owner, f"search {mode.value}", memory.id, partial(_search, _query(memory), mode, Instants()))
    yield Question(owner, "history", memory.id, partial(_history_of, memory.id, Instants()))
    yield Question(
        owner, "history as of then", memory.id, partial(_history_of, memory.id, Instants(None, then.known_at))
    )
    if memory.triple is not None:
        names = (memory.triple.subject, memory.triple.predicate)
        yield Question(owner, "history", " ".join(names), partial(_history, *names))
        yield Question(owner, "at", " ".join(names), partial(_at, *names, Instants()))
        yield Question(owner, "at then", " ".join(names), partial(_at, *names, then))


def _query(memory: Memory) -> str:
    return memory.content[:_LONGEST_QUERY]


def _search(query: str, mode: Mode, instants: Instants, services: Services, caller: Principal) -> Any:
    profile = services.rankings.of(caller.namespace.agent)
    asked = Search(query, mode=mode, instants=instants, explain=True, profile=profile)
    return searching.search(services, caller, asked, _stopped)


def _stopped() -> float:
    """A watch that stands, for an answer without timings."""
    return 0.0


def _list(instants: Instants, services: Services, caller: Principal) -> Any:
    return fetching.recent(services, caller, _LISTED, Filters(), instants)


def _fetch(ids: Sequence[str], services: Services, caller: Principal) -> Any:
    return fetching.fetch(services, caller, ids)


def _history_of(memory_id: str, instants: Instants, services: Services, caller: Principal) -> Any:
    return history.history_of(services, caller, memory_id, instants)


def _history(subject: str, predicate: str, services: Services, caller: Principal) -> Any:
    return history.history(services, caller, subject, predicate)


def _at(subject: str, predicate: str, instants: Instants, services: Services, caller: Principal) -> Any:
    return history.at(services, caller, subject, predicate, None, instants)
