"""A few words to tell a history in: who said what, for which time; and what its chains come to."""

from dataclasses import dataclass, replace
from typing import Any

from karte.core.assertions import Assertion, Details, Link, LinkKind, Withdrawal, identify, identify_link
from karte.core.memories import Memory, Place, Statement, Triple
from karte.core.origins import Origin
from karte.core.periods import FOREVER
from karte.core.standing import Records, Tiers, Timeline, resolve
from karte.core.timeline import in_force, shadows, spells

OPERATOR = Origin("operator", "chat:42")
GUARDED = (4_000,)

Course = list[tuple[int, int | None, str | None]]


@dataclass(frozen=True)
class Told:
    """One thing said of a memory."""

    memory: Memory
    assertion: Assertion


Event = Told | Link | Withdrawal


def city(value: str, subject: str = "Ada", domain: str | None = None) -> Statement:
    return Statement(f"{subject} lives in {value}", triple=Triple(subject, "lives in", value), place=Place(domain))


def said(statement: Statement, start: int, end: int = FOREVER, **more: Any) -> Told:
    """One assertion, observed at 0 by the operator with full trust unless `more` says otherwise."""
    memory = statement.of("dudu")
    given = {"origin": OPERATOR, "observed_at": 0, "trust": 10_000, "details": Details(), **more}
    assertion = Assertion(memory.key, valid_from=start, valid_until=end, **given)
    return Told(memory, replace(assertion, identity=identify(assertion)))


def link(kind: LinkKind, left: str | Told, right: str | Told, trust: int = 10_000) -> Link:
    newer, older = (end.memory.key.hex() if isinstance(end, Told) else end for end in (left, right))
    joined = Link(kind, newer, older, OPERATOR, 0, trust)
    return replace(joined, identity=identify_link(joined))


def withdrawn(target: Told | Link, origin: Origin = OPERATOR, trust: int = 10_000) -> Withdrawal:
    return Withdrawal(target.assertion.identity if isinstance(target, Told) else target.identity, origin, trust)


def records(*events: Event) -> Records:
    """These events, learned at 1, 2, 3 ... in this order."""
    told = [(at, event) for at, event in enumerate(events, 1)]
    memories = {event.memory.key: event.memory for event in events if isinstance(event, Told)}
    kept = [replace(memory, number=number) for number, memory in enumerate(memories.values(), 1)]
    return Records(
        tuple(kept),
        tuple(replace(event.assertion, learned_at=at) for at, event in told if isinstance(event, Told)),
        tuple(replace(event, learned_at=at) for at, event in told if isinstance(event, Link)),
        tuple(replace(event, learned_at=at) for at, event in told if isinstance(event, Withdrawal)),
    )


def line_of(statement: Statement, *events: Event, tiers: Tiers = GUARDED, known_at: int = FOREVER) -> Timeline:
    """The timeline of the chain that a statement belongs to."""
    key = statement.of("dudu").key
    lines = resolve(records(*events), tiers, known_at)
    return next(line for line in lines if key in {member.key for member in line.chain.members})


def _words(line: Timeline, statement: int) -> str | None:
    memory = line.standings[statement].representative
    if memory.nothing:
        return None
    return (memory.triple and memory.triple.object) or memory.content


def course(statement: Statement, *events: Event, **asked: Any) -> Course:
    """What is in force in the statement's chain: from, until (None for ever), the value (None for nothing)."""
    line = line_of(statement, *events, **asked)
    found = spells(line.segments)
    return [(s.start, None if s.end == FOREVER else s.end, _words(line, s.statement)) for s in found]


def shadowed(statement: Statement, *events: Event, **asked: Any) -> Course:
    """What the guard keeps out of force in the statement's chain."""
    line = line_of(statement, *events, **asked)
    found = shadows(line.segments, line.free_segments)
    return [(s.start, None if s.end == FOREVER else s.end, _words(line, s.statement)) for s in found]


def value_at(at: int, statement: Statement, *events: Event) -> str | None:
    """The value in force at an instant."""
    line = line_of(statement, *events)
    segment = in_force(line.segments, at)
    return _words(line, segment.statement) if segment else None
