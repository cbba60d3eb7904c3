"""L6 through a whole workspace: a lower tier never silently overrides a higher one, and a person is asked about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from karte.core.origins import Origin
from karte.core.periods import instant_of
from karte.core.reviews import ReviewKind
from karte.core.trust import FULL, tier
from karte.testing.programs import TOLD, day
from tests.laws.opening import Desk, opened
from tests.laws.workspaces import Tiers
from tests.stores import Making

KINDS = {"operator": 1.0, "user_direct": 0.95, "import": 0.7, "agent_derived": 0.6, "channel": 0.3, "external": 0.2}
_FACTS = (("ada", "lives_in"), ("小雨", "住在"))
NOW = 365
"""So many days after the first instant the programs are told."""


@dataclass(frozen=True)
class Claim:
    """Somebody says that a fact has a value, for a time in days; each claim has a value of its own."""

    place: int
    fact: int
    kind: str
    start: int
    end: int | None
    observed: int

    @property
    def value(self) -> str:
        """What it says, which no other claim does."""
        return f"値{self.place}"

    @property
    def trust(self) -> int:
        """How far it is believed, in basis points."""
        return round(KINDS[self.kind] * FULL)

    def covers(self, instant: float) -> bool:
        """Whether it speaks of a day."""
        return self.start <= instant and (self.end is None or instant < self.end)

    @property
    def rank(self) -> tuple[int, int, int]:
        """What decides among claims of one tier; ties are left to the fold."""
        return (self.start, self.observed, self.trust)


Program = list[Claim]


@st.composite
def programs(draw: st.DrawFn, most: int = 8) -> Program:
    """Claims about two facts by sources of several tiers, in any order."""
    count = draw(st.integers(2, most))
    starts, ends = st.integers(NOW - 9, NOW + 3), st.sampled_from([None, None, 1, 4, 9])
    claims = []
    for place in range(count):
        start, length = draw(starts), draw(ends)
        end = None if length is None else start + length
        fact = draw(st.sampled_from([0, 0, 1]))
        kind, observed = draw(st.sampled_from(sorted(KINDS))), draw(st.integers(NOW - 4, NOW - 1))
        claims.append(Claim(place, fact, kind, start, end, observed))
    return claims


def _store(desk: Desk, claim: Claim) -> None:
    subject, predicate = _FACTS[claim.fact]
    receipt = desk.chart.store(
        f"{subject} {predicate} {claim.value}",
        subject=subject,
        predicate=predicate,
        object=claim.value,
        origin=Origin(claim.kind, f"box{claim.place}"),
        trust=KINDS[claim.kind],
        observed_at=day(claim.observed),
        valid_from=day(claim.start),
        valid_until=None if claim.end is None else day(claim.end),
    )
    assert receipt.status.kept, receipt


def overridden(program: Program, making: Making, tiers: Tiers) -> list[str]:
    """L6: where a lower tier is in force over a higher one, or a shadowed claim waits for nobody or in vain."""
    with opened(making, tiers) as desk:
        for claim in program:
            _store(desk, claim)
            desk.clock.advance()
        instants = [NOW + offset + half for offset in range(-10, 6) for half in (0.0, 0.5)]
        wrong = [
            found
            for fact in range(len(_FACTS))
            for instant in instants
            if (found := _in_force_wrongly(desk, program, fact, instant, tiers))
        ]
        return [*wrong, *(w for fact in range(len(_FACTS)) for w in _unreviewed(desk, program, fact, tiers))]


def _value(desk: Desk, fact: int, instant: float | None = None) -> str | None:
    found = desk.chart.at(*_FACTS[fact], None if instant is None else day(instant)).memories
    return found[0].object if found else None


def _in_force_wrongly(desk: Desk, program: Program, fact: int, instant: float, tiers: Tiers) -> str | None:
    covering = [claim for claim in program if claim.fact == fact and claim.covers(instant)]
    value = _value(desk, fact, instant)
    if not covering:
        return None if value is None else f"{value} at {instant}, where nobody claims anything"
    highest = max(tier(claim.trust, tiers) for claim in covering)
    best = [claim for claim in covering if tier(claim.trust, tiers) == highest]
    rank = max(claim.rank for claim in best)
    right = {claim.value for claim in best if claim.rank == rank}
    return None if value in right else f"{value} at {instant}, not one of {right}"


def _unreviewed(desk: Desk, program: Program, fact: int, tiers: Tiers) -> list[str]:
    """What would be in force now but for the guard waits for a person, and is in force once that one approves it."""
    covering = [claim for claim in program if claim.fact == fact and claim.covers(NOW)]
    if not covering:
        return []
    rank = max(claim.rank for claim in covering)
    free = {claim.value for claim in covering if claim.rank == rank}
    highest = max(tier(claim.trust, tiers) for claim in covering)
    if any(tier(claim.trust, tiers) == highest for claim in covering if claim.value in free):
        return []
    waiting: list[Any] = [
        shown
        for shown in desk.workspace.waiting()
        if shown.review.kind is ReviewKind.SHADOWED and shown.to_dict()["object"] in free
    ]
    if not waiting:
        return [f"nobody is asked about any of {free}"]
    shown = waiting[0]
    desk.workspace.approve(shown.review.id, shown.digest)
    value, instant = _value(desk, fact), instant_of(TOLD)
    assert instant < shown.review.expires_at
    return [] if value in free else [f"{value} is in force where {free} was approved"]
