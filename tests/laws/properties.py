"""The laws of the fold as functions: each gives a sentence for what breaks it, and None where it holds.

Tests assert that they hold; the mutants assert that each bites.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from random import Random

from hypothesis import strategies as st

from karte.core import standing, timeline
from karte.core.assertions import Assertion
from karte.core.periods import FOREVER
from karte.core.standing import Tiers, Timeline
from karte.core.timeline import Segment, Spell
from karte.testing import histories
from karte.testing.histories import INSTANTS, Event, History
from karte.testing.oracle import Oracle

Kind = Callable[[], st.SearchStrategy[History]]

ALL_ORDERS_UP_TO = 5
SHUFFLES = 50

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
    return frozenset(_view(line) for line in timelines)


def _view(line: Timeline) -> View:
    labels = {number: frozenset(m.id for m in s.memories) for number, s in line.standings.items()}

    def shown(found: Sequence[Spell]) -> Shown:
        return tuple((spell.start, spell.end, labels[spell.statement]) for spell in found)

    said = {
        (
            labels[number],
            Said(s.trust, s.confidence, tuple(str(a.origin) for a in s.said), len(s.withdrawn)),
        )
        for number, s in line.standings.items()
    }
    return View(
        frozenset(m.id for m in line.chain.members),
        frozenset(m.id for m in line.chain.guests),
        shown(timeline.spells(line.segments)),
        shown(timeline.shadows(line.segments, line.free_segments)),
        frozenset(said),
    )


def seen(history: Sequence[Event], tiers: Tiers, known_at: int = FOREVER) -> frozenset[View]:
    return views(standing.resolve(histories.arrive(history), tiers, known_at))


def orders(history: History, chance: Random) -> Iterator[Sequence[Event]]:
    """All orders of a short history, some of a longer one."""
    if len(history) <= ALL_ORDERS_UP_TO:
        yield from permutations(history)
    for _ in range(SHUFFLES if len(history) > ALL_ORDERS_UP_TO else 0):
        yield chance.sample(history, len(history))


def order(history: History, tiers: Tiers, chance: Random) -> str | None:
    """L1: the same records in any other order give the same timelines."""
    told = seen(history, tiers)
    for other in orders(history, chance):
        if (found := seen(other, tiers)) != told:
            return f"told as {other}: {found - told} in the place of {told - found}"
    return None


def replay(history: History, tiers: Tiers) -> str | None:
    """L2: as of k is what only the records learned by k give."""
    records = histories.arrive(history)
    for known_at in range(len(history) + 1):
        as_of = views(standing.resolve(records, tiers, known_at))
        if as_of != seen(history[:known_at], tiers):
            return f"as of {known_at}: {as_of}, replayed: {seen(history[:known_at], tiers)}"
        if as_of != views(standing.resolve(records.known(known_at), tiers)):
            return f"as of {known_at}: resolve differs from resolving only what was known"
    return None


def again(history: History, tiers: Tiers) -> str | None:
    """The same again is the same record, with its first learned_at: at no time does repeating change anything."""
    for known_at in range(len(history) + 1):
        if seen([*history, *history], tiers, known_at) != seen(history, tiers, known_at):
            return f"told twice, the past at {known_at} has changed"
    return None


def nothing_lost(history: History, tiers: Tiers) -> str | None:
    """L3: what was ever said is in exactly one chain, as one assertion of one statement, and is not changed."""
    records = histories.arrive(history)
    for known_at in range(len(history) + 1):
        said = [a for a in records.assertions if a.learned_at <= known_at]
        lines = standing.resolve(records, tiers, known_at)
        members = sorted(m.id for line in lines for m in line.chain.members)
        if members != sorted({histories.POOL[a.key].id for a in said}):
            return f"as of {known_at} the members of all chains are {members}"
        if _kept(lines) != sorted(said, key=lambda a: a.identity):
            return f"as of {known_at} the assertions of all statements are not those made"
    return None if records == histories.arrive(history) else "the records were changed"


def _kept(lines: Sequence[Timeline]) -> list[Assertion]:
    at_home = [
        found
        for line in lines
        for found in line.standings.values()
        if {m.key for m in found.memories} <= {m.key for m in line.chain.members}
    ]
    return sorted((a for s in at_home for a in (*s.said, *s.withdrawn)), key=lambda a: a.identity)


def guard(history: History, tiers: Tiers) -> str | None:
    """L6: where a claim of a higher tier covers an instant, none of a lower tier is in force; never two at once."""
    records = histories.arrive(history)
    oracle = Oracle(records, tiers, FOREVER)
    for line in standing.resolve(records, tiers):
        key = line.chain.members[0].key
        for at in INSTANTS:
            holding = [s.rank[0] for s in line.segments if s.start <= at < s.end]
            covering = [oracle.tier(oracle.believed[a.identity]) for a in oracle.covering(key, at)]
            if holding != ([max(covering)] if covering else []):
                return f"{line.chain} at {at}: the tiers {holding} in force over claims of the tiers {covering}"
    return None


def searched(history: History, tiers: Tiers) -> str | None:
    """What the fold says as of every system time is what an exhaustive search says."""
    records = histories.arrive(history)
    for known_at in range(1, len(history) + 1):
        lines = standing.resolve(records, tiers, known_at)
        oracle = Oracle(records, tiers, known_at)
        differs = _chains_differ(lines, oracle) or _points_differ(lines, oracle) or _said_differs(lines, oracle)
        if differs:
            return f"as of {known_at}: {differs}"
    return None


def _chains_differ(lines: Sequence[Timeline], oracle: Oracle) -> str | None:
    folded = {frozenset(m.key for m in line.chain.members): {m.key for m in line.chain.guests} for line in lines}
    found = {chain: oracle.guests(key) for key, chain in oracle.chains.items()}
    return None if folded == found else f"the chains are {folded}, searched: {found}"


def _points_differ(lines: Sequence[Timeline], oracle: Oracle) -> str | None:
    for line in lines:
        keys = {number: frozenset(m.key for m in s.memories) for number, s in line.standings.items()}
        shown, shadowed = timeline.spells(line.segments), timeline.shadows(line.segments, line.free_segments)
        for at in INSTANTS:
            held = [keys[spell.statement] for spell in shown if spell.start <= at < spell.end]
            under = [keys[spell.statement] for spell in shadowed if spell.start <= at < spell.end]
            member = line.chain.members[0].key
            found, free = oracle.in_force(member, at), oracle.in_force(member, at, guarded=False)
            if held != [found] * (found is not None) or under != [free] * (free != found):
                return f"at {at} {line.chain} holds {held} over {under}, searched: {found} over {free}"
    return None


def _said_differs(lines: Sequence[Timeline], oracle: Oracle) -> str | None:
    for found in (s for line in lines for s in line.standings.values()):
        statement = frozenset(m.key for m in found.memories)
        shown = (statement, list(found.said), found.trust)
        expected = (oracle.statements[found.representative.key], oracle.said_of(statement), oracle.trust(statement))
        if shown != expected or abs(found.confidence - oracle.confidence(statement)) > 1e-12:
            return f"{found.representative} comes to {found}, searched: {expected}"
    return None


@st.composite
def claims(draw: st.DrawFn) -> list[Segment]:
    """Claims of a few statements on one chain, with every kind of overlap and many ties; the mark breaks the last."""
    found = []
    for mark in range(draw(st.integers(1, 10))):
        start = draw(st.integers(0, 6))
        end = draw(st.one_of(st.just(FOREVER), st.integers(start + 1, 8)))
        tier, observed_at, trust, statement = (draw(st.integers(0, 1)) for _ in range(4))
        found.append(Segment(start, end, (tier, start, observed_at, trust, statement, mark), statement))
    return found


def inserted(claims: Iterable[Segment]) -> str | None:
    """Folding claims in one by one gives what folding all of them at once gives."""
    kept: list[Segment] = []
    told: list[Segment] = []
    for claim in claims:
        told.append(claim)
        room = timeline.room_for(claim, kept)
        merged = timeline.insert(claim, room)
        kept = sorted([*(s for s in kept if s not in room.beaten), *merged], key=lambda s: s.start)
        if kept != timeline.fold(told):
            return f"{told} inserted: {kept}, folded: {timeline.fold(told)}"
    return None
