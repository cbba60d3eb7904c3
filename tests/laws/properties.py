"""The laws of the fold as functions: each gives a sentence for what breaks it, and None where it holds.

Tests assert that they hold; the mutants assert that each bites.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from karte.core.periods import FOREVER
from karte.core.standing import Records, Tiers, Timeline, resolve
from karte.core.timeline import Spell, shadows, spells
from karte.testing.histories import INSTANTS, Event, arrive
from karte.testing.oracle import Oracle

Labels = frozenset[str]
Shown = tuple[tuple[int, int, Labels], ...]


@dataclass(frozen=True)
class Said:
    """What a statement comes to."""

    trust: int
    confidence: float
    origins: tuple[str, ...]
    withdrawn: int


@dataclass(frozen=True)
class View:
    """A timeline in words, without the numbers that depend on arrival."""

    members: Labels
    guests: Labels
    spells: Shown
    shadows: Shown
    statements: frozenset[tuple[Labels, Said]]


def views(timelines: Sequence[Timeline]) -> frozenset[View]:
    return frozenset(_view(timeline) for timeline in timelines)


def _view(timeline: Timeline) -> View:
    labels = {number: frozenset(m.id for m in s.memories) for number, s in timeline.standings.items()}

    def shown(found: Sequence[Spell]) -> Shown:
        return tuple((spell.start, spell.end, labels[spell.statement]) for spell in found)

    said = {
        (
            labels[number],
            Said(s.trust, s.confidence, tuple(str(a.origin) for a in s.said), len(s.withdrawn)),
        )
        for number, s in timeline.standings.items()
    }
    return View(
        frozenset(m.id for m in timeline.chain.members),
        frozenset(m.id for m in timeline.chain.guests),
        shown(spells(timeline.segments)),
        shown(shadows(timeline.segments, timeline.free_segments)),
        frozenset(said),
    )


def seen(history: Sequence[Event], tiers: Tiers, known_at: int = FOREVER) -> frozenset[View]:
    return views(resolve(arrive(history), tiers, known_at))


def order(history: Sequence[Event], other: Sequence[Event], tiers: Tiers) -> str | None:
    """L1: the same records in another order give the same timelines."""
    one, two = seen(history, tiers), seen(other, tiers)
    return None if one == two else f"one order gives {one - two}, the other {two - one}"


def replay(history: Sequence[Event], tiers: Tiers) -> str | None:
    """L2: as of k is what only the records learned by k give."""
    records = arrive(history)
    for known_at in range(len(history) + 1):
        as_of = views(resolve(records, tiers, known_at))
        if as_of != seen(history[:known_at], tiers):
            return f"as of {known_at}: {as_of}, replayed: {seen(history[:known_at], tiers)}"
        if as_of != views(resolve(records.known(known_at), tiers)):
            return f"as of {known_at}: resolve differs from resolving only what was known"
    return None


def again(history: Sequence[Event], tiers: Tiers) -> str | None:
    """The same again is the same record, with its first learned_at: at no time does repeating change anything."""
    for known_at in range(len(history) + 1):
        if seen([*history, *history], tiers, known_at) != seen(history, tiers, known_at):
            return f"told twice, the past at {known_at} has changed"
    return None


def nothing_lost(history: Sequence[Event], tiers: Tiers) -> str | None:
    """L3: what was ever said is in exactly one chain, as one assertion of one statement, and is not changed."""
    records = arrive(history)
    for known_at in range(len(history) + 1):
        known = records.known(known_at)
        timelines = resolve(records, tiers, known_at)
        members = sorted(m.id for timeline in timelines for m in timeline.chain.members)
        if members != sorted(m.id for m in records.memories if any(a.key == m.key for a in known.assertions)):
            return f"as of {known_at} the members of all chains are {members}"
        if _kept(timelines) != sorted(known.assertions, key=lambda a: a.identity):
            return f"as of {known_at} the assertions of all statements are not those made"
    return None if records == arrive(history) else "the records were changed"


def _kept(timelines: Sequence[Timeline]) -> list[Event]:
    at_home = [(t, {m.number for m in t.chain.members}) for t in timelines]
    standings = [
        s for t, home in at_home for s in t.standings.values() if home.issuperset(m.number for m in s.memories)
    ]
    return sorted((a for s in standings for a in (*s.said, *s.withdrawn)), key=lambda a: a.identity)


def guard(history: Sequence[Event], tiers: Tiers) -> str | None:
    """L6: where a claim of a higher tier covers an instant, none of a lower tier is in force; never two at once."""
    records = arrive(history)
    oracle = Oracle(records, tiers, FOREVER)
    for timeline in resolve(records, tiers):
        key = timeline.chain.members[0].key
        for at in INSTANTS:
            holding = [s for s in timeline.segments if s.start <= at < s.end]
            covering = [oracle.tier(oracle.believed[a.identity]) for a in oracle.covering(key, at)]
            if [s.rank[0] for s in holding] != ([max(covering)] if covering else []):
                return f"{timeline.chain} at {at}: {holding} in force over claims of the tiers {covering}"
    return None


def searched(history: Sequence[Event], tiers: Tiers) -> str | None:
    """What the fold says as of every system time is what an exhaustive search says."""
    records = arrive(history)
    for known_at in range(1, len(history) + 1):
        timelines = resolve(records, tiers, known_at)
        oracle = Oracle(records, tiers, known_at)
        differs = _chains_differ(timelines, oracle) or _points_differ(timelines, oracle) or _said_differs(timelines, oracle)
        if differs:
            return f"as of {known_at}: {differs}"
    return None


def _chains_differ(timelines: Sequence[Timeline], oracle: Oracle) -> str | None:
    folded = {frozenset(m.key for m in t.chain.members): frozenset(m.key for m in t.chain.guests) for t in timelines}
    found = {chain: oracle.guests(key) for key, chain in oracle.chains.items()}
    return None if folded == found else f"the chains are {folded}, searched: {found}"


def _points_differ(timelines: Sequence[Timeline], oracle: Oracle) -> str | None:
    for timeline in timelines:
        keys = {number: frozenset(m.key for m in s.memories) for number, s in timeline.standings.items()}
        member = timeline.chain.members[0].key
        shadowed = shadows(timeline.segments, timeline.free_segments)
        for at in INSTANTS:
            holding = [keys[spell.statement] for spell in spells(timeline.segments) if spell.start <= at < spell.end]
            under = [keys[spell.statement] for spell in shadowed if spell.start <= at < spell.end]
            found, free = oracle.in_force(member, at), oracle.in_force(member, at, guarded=False)
            if holding != [found] * (found is not None) or under != [free] * (free != found):
                return f"at {at} {timeline.chain} holds {holding} over {under}, searched: {found} over {free}"
    return None


def _said_differs(timelines: Sequence[Timeline], oracle: Oracle) -> str | None:
    for timeline in timelines:
        for standing in timeline.standings.values():
            statement = frozenset(m.key for m in standing.memories)
            said = oracle.said_of(statement)
            if statement != oracle.statements[standing.representative.key] or list(standing.said) != said:
                return f"{standing.representative} stands for {standing}"
            if standing.trust != oracle.trust(statement):
                return f"{standing.representative} has the trust {standing.trust}, searched: {oracle.trust(statement)}"
            if abs(standing.confidence - oracle.confidence(statement)) > 1e-12:
                return f"{standing.representative} has the confidence {standing.confidence}"
    return None


def replayed_records(history: Sequence[Event]) -> Records:
    return arrive(history)
