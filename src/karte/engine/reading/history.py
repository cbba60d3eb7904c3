"""The course of a fact: its history, what is in force at an instant, and the timeline of a subject."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from karte.core.assertions import Assertion
from karte.core.memories import Place, check_name
from karte.core.namespaces import Principal
from karte.core.results import Chapter, History, Listing, SubjectTimeline
from karte.core.standing import Standing, Timeline
from karte.core.text import fold_name
from karte.core.timeline import Segment, Spell, in_force
from karte.core.trust import tier
from karte.engine.asking import Asking, Instants, asking
from karte.engine.gathering import timelines
from karte.engine.reading.describing import Describing
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.errors import UnknownFact, UnknownMemory
from karte.ports import Asked


@repeated
def history(
    services: Services,
    caller: Principal,
    subject: str,
    predicate: str,
    place: Place | None = None,
    instants: Instants | None = None,
) -> History:
    """All statements of a fact, oldest first, with when each holds and what ended it.

    Without a place, of all scopes. Raises `UnknownFact`.
    """
    with asking(services, caller, instants) as question:
        chains = _chains(question, subject, predicate, place)
        if not chains:
            raise UnknownFact(f"Nothing is known about {subject!r} {predicate!r} here.")
        return History(subject, predicate, _chapters(question, chains))


@repeated
def history_of(services: Services, caller: Principal, memory_id: str, instants: Instants | None = None) -> History:
    """All statements of the chain that a memory belongs to, oldest first; raises `UnknownMemory`."""
    with asking(services, caller, instants) as question:
        kept = question.named([memory_id]).get(memory_id)
        if kept is None:
            raise UnknownMemory(f"There is no memory {memory_id} here.")
        folded = timelines(question.frame, [kept.memory.number], question.when.known_at)
        triple = kept.memory.triple
        chain = folded.get(kept.memory.number)
        chapters = _chapters(question, [chain] if chain else [])
        return History(triple.subject if triple else None, triple.predicate if triple else None, chapters)


@repeated
def at(
    services: Services,
    caller: Principal,
    subject: str,
    predicate: str,
    place: Place | None = None,
    instants: Instants | None = None,
) -> Listing:
    """What is in force at an instant: nothing, one value, or several for a predicate of many values."""
    with asking(services, caller, instants) as question:
        describing = Describing(question.frame, question.when)
        chains = _chains(question, subject, predicate, place)
        describing.read_usages(chains)
        found = {}
        for timeline in chains:
            segment = in_force(describing.course(timeline).segments, question.when.at)
            standing = segment and timeline.standings[segment.statement]
            if standing and not standing.representative.nothing and not describing.archived(standing):
                found[standing.representative.id] = describing.item(timeline, standing)
        return Listing(tuple(item for _, item in sorted(found.items())))


@repeated
def timeline(services: Services, caller: Principal, subject: str, instants: Instants | None = None) -> SubjectTimeline:
    """All facts about a subject, by predicate; raises `UnknownFact` where there are none."""
    with asking(services, caller, instants) as question:
        chains = _chains(question, subject, None, None)
        if not chains:
            raise UnknownFact(f"Nothing is known about {subject!r} here.")
        grouped: dict[str, list[Timeline]] = defaultdict(list)
        for chain in chains:
            grouped[_predicate(chain)].append(chain)
        histories = (History(subject, name, _chapters(question, found)) for name, found in sorted(grouped.items()))
        return SubjectTimeline(subject, tuple(h for h in histories if h.chain))


def _predicate(chain: Timeline) -> str:
    return next(member.names.predicate for member in chain.chain.members if member.names)


def _chains(question: Asking, subject: str, predicate: str | None, place: Place | None) -> list[Timeline]:
    """The timelines that answer for a subject, and for a predicate if one is given."""
    check_name("The subject", subject)
    names = question.frame.names_like(fold_name(subject), question.when.known_at)
    asked = None if predicate is None else _folded(predicate)
    scope = None if place is None else place.scope
    answering = question.unit.memories.answering(question.frame.namespace, Asked(names, asked, scope))
    shown = question.shown(answering)
    numbers = [number for number in answering if number in shown]
    folded = timelines(question.frame, numbers, question.when.known_at) if numbers else {}
    chosen = {id(folded[number]): folded[number] for number in numbers if number in folded}
    return list(chosen.values())


def _chapters(question: Asking, chains: Sequence[Timeline]) -> tuple[Chapter, ...]:
    """The statements of these chains, in the order in which they came to hold."""
    describing = Describing(question.frame, question.when)
    describing.read_usages(chains)
    found = [
        _chapter(describing, chain, standing)
        for chain in chains
        for standing in chain.standings.values()
        if not standing.representative.nothing and not describing.expired(standing)
    ]
    return tuple(sorted(found, key=_course))


def _folded(predicate: str) -> str:
    check_name("The predicate", predicate)
    return fold_name(predicate)


def _course(chapter: Chapter) -> tuple[int, int, str]:
    start = chapter.segments[0][0] if chapter.segments else chapter.item.validity.start or 0
    return (start, chapter.item.said[0].observed_at if chapter.item.said else 0, chapter.item.id)


def _chapter(describing: Describing, chain: Timeline, standing: Standing) -> Chapter:
    mine = describing.course(chain).spells(standing.representative.number)
    item = describing.item(chain, standing)
    ending = _withdrawn(describing, standing) if not standing.said else _taken_over(describing, chain, mine)
    return Chapter(item, tuple((spell.start, spell.end) for spell in mine), *ending)


_Ending = tuple[int | None, str | None]
"""When Karte learned what ended a statement (microseconds), and the event that it came from."""


def _withdrawn(describing: Describing, standing: Standing) -> _Ending:
    """The withdrawal that left no assertion counting: of each the first that took effect, and of those the last."""
    frame, known_at = describing.frame, describing.when.known_at
    made = frame.unit.records.withdrawals(frame.namespace, [a.identity for a in standing.withdrawn])
    known = sorted((w for w in made if w.learned_at <= known_at), key=lambda w: w.learned_at)
    first = [
        next(w for w in known if w.target == a.identity and tier(w.trust, frame.tiers) >= tier(a.trust, frame.tiers))
        for a in standing.withdrawn
    ]
    last = max(first, key=lambda w: w.learned_at)
    return last.learned_at, last.event


def _taken_over(describing: Describing, chain: Timeline, mine: list[Spell]) -> _Ending:
    segment = describing.course(chain).after(mine[-1]) if mine else None
    successor = None if segment is None else _told(chain, segment)
    if successor is None:
        return None, None
    return successor.learned_at, successor.details.source_event or str(successor.origin)


def _told(chain: Timeline, segment: Segment) -> Assertion | None:
    """The assertion whose claim holds in a segment."""
    said = chain.standings[segment.statement].said
    marked = segment.rank[-1]
    return next((a for a in said if int.from_bytes(a.identity[:7], "big") == marked), None)
