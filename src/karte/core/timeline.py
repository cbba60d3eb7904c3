"""The fold: from the claims of one chain to what is in force at each instant.

At every instant the claim in force is the one covering it with the greatest rank
`(tier, valid_from, observed_at, trust, tie)`. Nothing else breaks a tie; arrival order never does. With the guard
off the tier is left out; where that changes the answer, a statement is shadowed.
"""

from __future__ import annotations

import heapq
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from karte.core.periods import FOREVER

Rank = tuple[int, int, int, int, int, int]


@dataclass(frozen=True, slots=True)
class Segment:
    """What one assertion claims for a stretch of time: all of its period, or the part in which it is in force.

    `statement` is the number of the memory that represents the statement; `expires_at` is when the claim is dropped
    for good.
    """

    start: int
    end: int
    rank: Rank
    statement: int
    expires_at: int | None = None

    def expired(self, now: int) -> bool:
        """Whether the claim is dropped for good by `now`."""
        return self.expires_at is not None and self.expires_at <= now

    def clipped(self, start: int, end: int) -> Segment:
        """The same claim for another stretch of time."""
        return Segment(start, end, self.rank, self.statement, self.expires_at)

    @property
    def unguarded(self) -> Segment:
        """The claim as it ranks with the tier guard off."""
        return Segment(self.start, self.end, (0, *self.rank[1:]), self.statement, self.expires_at)


@dataclass(frozen=True, slots=True)
class Spell:
    """A stretch of time in which one statement holds without a break."""

    start: int
    end: int
    statement: int


def fold(claims: Iterable[Segment]) -> list[Segment]:
    """Fold claims into disjoint segments in time order; O(n log n), one sweep with a heap."""
    waiting = sorted((c for c in claims if c.start < c.end), key=lambda c: c.start)
    if len(waiting) <= 1:
        return waiting
    places = {id(claim): place for place, claim in enumerate(sorted(waiting, key=lambda c: c.rank, reverse=True))}
    bounds = sorted({c.start for c in waiting} | {c.end for c in waiting if c.end != FOREVER})
    covering: list[tuple[int, Segment]] = []
    segments: list[Segment] = []
    arrived = 0
    for start, end in pairwise([*bounds, FOREVER]):
        while arrived < len(waiting) and waiting[arrived].start <= start:
            heapq.heappush(covering, (places[id(waiting[arrived])], waiting[arrived]))
            arrived += 1
        while covering and covering[0][1].end <= start:
            heapq.heappop(covering)
        if covering:
            _append(segments, covering[0][1].clipped(start, end))
    return segments


def _append(segments: list[Segment], segment: Segment) -> None:
    if segments and segments[-1].end == segment.start and segments[-1].rank == segment.rank:
        segment = segment.clipped(segments.pop().start, segment.end)
    segments.append(segment)


@dataclass(frozen=True, slots=True)
class Room:
    """Where a claim comes into force among segments: those it beats, and the gaps between them, within its period."""

    beaten: tuple[Segment, ...] = ()
    gaps: tuple[tuple[int, int], ...] = ()


def room_for(claim: Segment, segments: Iterable[Segment]) -> Room:
    """Find the room for a claim among segments in time order that cover at least its period."""
    beaten, gaps, reached = [], [], claim.start
    for segment in segments:
        if segment.end <= claim.start or segment.start >= claim.end:
            continue
        if segment.start > reached:
            gaps.append((reached, segment.start))
        if segment.rank < claim.rank:
            beaten.append(segment)
        reached = segment.end
    if reached < claim.end:
        gaps.append((reached, claim.end))
    return Room(tuple(beaten), tuple(gaps))


def insert(claim: Segment, room: Room) -> list[Segment]:
    """The segments that replace the beaten ones once a claim is folded in: equal to folding it with the rest."""
    pieces = [claim.clipped(start, end) for start, end in room.gaps]
    for segment in room.beaten:
        start, end = max(segment.start, claim.start), min(segment.end, claim.end)
        pieces += [segment.clipped(segment.start, start), claim.clipped(start, end), segment.clipped(end, segment.end)]
    merged: list[Segment] = []
    for piece in sorted((piece for piece in pieces if piece.start < piece.end), key=lambda piece: piece.start):
        _append(merged, piece)
    return merged


def spells(segments: Iterable[Segment]) -> list[Spell]:
    """Join neighbouring segments of one statement: the timeline as shown."""
    joined: list[Spell] = []
    for segment in segments:
        start = segment.start
        if joined and joined[-1].end == start and joined[-1].statement == segment.statement:
            start = joined.pop().start
        joined.append(Spell(start, segment.end, segment.statement))
    return joined


def in_force(segments: Sequence[Segment], at: int) -> Segment | None:
    """The segment that covers an instant."""
    place = bisect_right(segments, at, key=lambda s: s.start) - 1
    return segments[place] if place >= 0 and at < segments[place].end else None


def shadows(guarded: Sequence[Segment], free: Sequence[Segment]) -> list[Spell]:
    """Where the guard changes the answer: the spells of the statements that would be in force without it."""
    bounds = sorted({instant for s in (*guarded, *free) for instant in (s.start, s.end)})
    found: list[Spell] = []
    for start, end in pairwise(bounds):
        with_guard, without = in_force(guarded, start), in_force(free, start)
        if without and (with_guard is None or with_guard.statement != without.statement):
            statement = without.statement
            if found and found[-1].end == start and found[-1].statement == statement:
                start = found.pop().start  # noqa: PLW2901 - the spell before goes on
            found.append(Spell(start, end, statement))
    return found
