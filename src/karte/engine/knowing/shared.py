"""Reading for an agent: its own memories, and what it sees of those that the workspace shares, each asked by itself.

Whoever is no agent, and an agent in a workspace without domains, is answered from one place alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TypeVar

from karte.core.memories import Place
from karte.core.namespaces import Principal
from karte.core.results import Fetched, History, Hit, Item, Listing, Recall, SubjectTimeline
from karte.engine.asking import Instants
from karte.engine.knowing import pushing
from karte.engine.reading import fetching, history
from karte.engine.reading.fetching import Filters
from karte.engine.recalling import searching
from karte.engine.recalling.asked import Search
from karte.engine.repeating import repeated
from karte.engine.seeing import readable
from karte.engine.services import Services
from karte.errors import NotFound, UnknownMemory

R = TypeVar("R")


@repeated
def readers(services: Services, caller: Principal) -> list[Principal]:
    """The caller, and the caller turned to what the workspace shares, if there is anything that it may see of that."""
    if not caller.namespace.agent:
        return [caller]
    with services.store.reading() as unit:
        sharing = caller.sharing()
        return [caller, sharing] if readable(unit, sharing) else [caller]


def search(services: Services, caller: Principal, request: Search, timer: Callable[[], float]) -> Recall:
    """Find what fits in all that the caller reads, best first, and apart from it the policies that do.

    What is of the repository asked for comes before the rest.
    """
    asked = readers(services, caller)
    found = _recalled(services, asked, request, timer)
    if caller.namespace.agent and len(asked) == 1:
        return found
    policies = pushing.about(services, caller, request.query)
    return replace(found, policies=tuple(policy.to_dict() for policy in policies)) if policies else found


def recalled(services: Services, caller: Principal, request: Search, timer: Callable[[], float]) -> Recall:
    """What `search` finds, without the policies."""
    return _recalled(services, readers(services, caller), request, timer)


def _recalled(services: Services, asked: Sequence[Principal], request: Search, timer: Callable[[], float]) -> Recall:
    if request.filters.repo is None or request.repo_only:
        return _search(services, asked, request, timer)
    near = _search(services, asked, request, timer)
    far = _search(services, asked, replace(request, filters=replace(request.filters, repo=None)), timer)
    there = {hit.memory.id for hit in near.hits}
    hits = tuple(_within(request, chain(near.hits, (hit for hit in far.hits if hit.memory.id not in there))))
    shown, told = {hit.memory.id for hit in hits}, _together(near, far)
    return replace(told, hits=hits, left_out=tuple(left for left in told.left_out if left.memory_id not in shown))


def _search(services: Services, asked: Sequence[Principal], request: Search, timer: Callable[[], float]) -> Recall:
    """Find what passes the filters; scores of owners are comparable, and each owner's order is kept."""
    found = [searching.search(services, reader, request, timer) for reader in asked]
    if len(found) == 1:
        return found[0]
    own, common = found
    return replace(_together(own, common), hits=tuple(_within(request, _merged([own.hits, common.hits]))))


def _together(one: Recall, other: Recall) -> Recall:
    """What two answers to one question say beside their hits; a voice is silent that was so in both."""
    return replace(
        one,
        silent_voices=tuple(voice for voice in one.silent_voices if voice in other.silent_voices),
        degraded=tuple(dict.fromkeys([*one.degraded, *other.degraded])),
        left_out=tuple(dict.fromkeys([*one.left_out, *other.left_out])),
        timings_ms={name: one.timings_ms[name] + other.timings_ms[name] for name in one.timings_ms},
    )


def _merged(answers: Sequence[Sequence[Hit]]) -> Iterator[Hit]:
    """The hits of several answers: of those that are next in one, the one with the highest score."""
    waiting = [list(reversed(hits)) for hits in answers]
    while left := [hits for hits in waiting if hits]:
        yield max(left, key=lambda hits: hits[-1].score).pop()


def _within(request: Search, hits: Iterator[Hit]) -> Iterator[Hit]:
    """As many hits as were asked for, as far as the budget of characters goes; the best one always."""
    left = request.budget
    for place, hit in enumerate(hits):
        if left is not None:
            left -= len(hit.memory.content)
        if place == request.limit or (place and left is not None and left < 0):
            return
        yield hit


def recent(
    services: Services, caller: Principal, limit: int, filters: Filters, instants: Instants | None = None
) -> Listing:
    """The memories in force that were kept last, newest first, at most `limit` (1..1,000)."""
    found = [fetching.recent(services, reader, limit, filters, instants) for reader in readers(services, caller)]
    if len(found) == 1:
        return found[0]
    items = sorted(chain.from_iterable(one.memories for one in found), key=lambda item: -item.learned_at)
    return Listing(tuple(items[:limit]))


def fetch(services: Services, caller: Principal, ids: Sequence[str]) -> Fetched:
    """Read 1 to 100 memories by id, in the order asked; a duplicate is answered once, what is missing is named."""
    own = fetching.fetch(services, caller, ids)
    others = readers(services, caller)[1:] if own.missing_ids else ()
    found = _by_id(list(dict.fromkeys(ids)), own)
    for reader in others:
        found |= _by_id(own.missing_ids, fetching.fetch(services, reader, own.missing_ids))
    if not others:
        return own
    wanted = list(dict.fromkeys(ids))
    missing = tuple(memory_id for memory_id in wanted if memory_id not in found)
    return Fetched(tuple(found[memory_id] for memory_id in wanted if memory_id in found), missing)


def _by_id(ids: Sequence[str], fetched: Fetched) -> dict[str, Item]:
    """What was fetched by the ids that were asked for; a memory may be shown as another one that says the same."""
    there = [memory_id for memory_id in ids if memory_id not in fetched.missing_ids]
    return dict(zip(there, fetched.memories, strict=True))


def read(services: Services, caller: Principal, memory_id: str) -> Item:
    """Read one memory; raises `UnknownMemory`."""
    found = fetch(services, caller, [memory_id]).memories
    if not found:
        raise UnknownMemory(f"There is no memory {memory_id} here.")
    return found[0]


def _known(services: Services, caller: Principal, ask: Callable[[Principal], R]) -> list[R]:
    """What is known of something, by owner; raises what was not found where nobody knows it."""
    found: list[R] = []
    missing: NotFound | None = None
    for reader in readers(services, caller):
        try:
            found.append(ask(reader))
        except NotFound as error:
            missing = missing or error
    if missing is not None and not found:
        raise missing
    return found


def course(
    services: Services,
    caller: Principal,
    fact: tuple[str, str],
    place: Place | None = None,
    instants: Instants | None = None,
) -> History:
    """All statements of a fact (subject, predicate), each owner's oldest first; raises `UnknownFact`."""
    found = _known(services, caller, lambda reader: history.history(services, reader, *fact, place, instants))
    return History(*fact, tuple(chain.from_iterable(one.chain for one in found)))


def course_of(services: Services, caller: Principal, memory_id: str, instants: Instants | None = None) -> History:
    """All statements of the chain that a memory belongs to; raises `UnknownMemory`."""
    return _known(services, caller, lambda reader: history.history_of(services, reader, memory_id, instants))[0]


def at(
    services: Services,
    caller: Principal,
    fact: tuple[str, str],
    place: Place | None = None,
    instants: Instants | None = None,
) -> Listing:
    """What is in force of a fact at an instant: by each owner nothing, one value, or several."""
    found = [history.at(services, reader, *fact, place, instants) for reader in readers(services, caller)]
    return Listing(tuple(chain.from_iterable(one.memories for one in found)))


def timeline(services: Services, caller: Principal, subject: str, instants: Instants | None = None) -> SubjectTimeline:
    """All facts about a subject, by predicate; raises `UnknownFact` where there are none."""
    found = _known(services, caller, lambda reader: history.timeline(services, reader, subject, instants))
    if len(found) == 1:
        return found[0]
    return SubjectTimeline(
        subject, tuple(sorted(chain(*(one.chains for one in found)), key=lambda h: h.predicate or ""))
    )
