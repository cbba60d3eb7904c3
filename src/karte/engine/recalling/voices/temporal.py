"""The temporal voice: which memories were said at, or hold from, the time that the query asks for.

Inside the asked time a memory scores the weight of that reading, 1 for the likeliest one. Outside it halves with every
quarter of the asked length, at least every hour and at most every week, and is nothing beyond four such steps; beside
a period that is open at one end it halves every day. Sessions are exact: a turn is in the one asked for or it is not.

A time that is still to come is not one at which anything was said: of that, only what holds from then counts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Final, Self

from karte.core.moments import Kind, Moment, find_moments
from karte.core.periods import DAY, EARLIEST, FOREVER, HOUR, write_instant
from karte.engine.conversations import Conversations
from karte.ports import Turn

TEMPORAL: Final = "temporal"

_WEEK: Final = 7 * DAY
_SOFTNESS: Final = 4
"""A score halves with each such part of the asked length outside of it."""

_STEPS: Final = 4
"""So many halvings outside, a memory is not of the asked time any more."""

_GROWTH: Final = 4


@dataclass(frozen=True, slots=True)
class _Band:
    """A period whose memories score at most `best`."""

    best: float
    start: int
    end: int


class TemporalVoice:
    """One query that names a time, asked in one namespace."""

    name = TEMPORAL

    def __init__(self, conversations: Conversations, moments: Sequence[Moment], now: int) -> None:
        self._conversations = conversations
        self._now = now
        self._periods = [moment for moment in moments if moment.kind is not Kind.SESSION]
        self._sessions = self._named([moment for moment in moments if moment.kind is Kind.SESSION], now)

    @classmethod
    def hear(cls, conversations: Conversations, query: str, now: int, zone: tzinfo) -> Self | None:
        """The voice for a query; None where it names no time. Relative times count from `now`, days are of `zone`."""
        moments = find_moments(query, now, zone)
        return cls(conversations, moments, now) if moments else None

    def _named(self, moments: Sequence[Moment], now: int) -> dict[str, Moment]:
        """The sessions that are asked for, of those that had begun by now."""
        if not moments:
            return {}
        begun = [session for session, first in self._conversations.sessions() if first <= now]
        named: dict[str, Moment] = {}
        for moment in moments:
            for session in begun[_places(moment, len(begun))]:
                named[session] = max(named.get(session, moment), moment, key=lambda each: each.weight)
        return named

    def batches(self, first: int) -> Iterator[list[int]]:
        """All memories of the asked time, then those near it, best first; `first` is the size of the first batch."""
        seen: set[int] = set()
        pending: list[int] = []
        for numbers in self._drawn(first):
            fresh = [number for number in dict.fromkeys(numbers) if number not in seen]
            seen.update(fresh)
            pending += fresh
            if len(pending) >= first:
                yield pending
                pending, first = [], first * _GROWTH
        if pending:
            yield pending

    def _drawn(self, count: int) -> Iterator[list[int]]:
        for session in self._sessions:
            yield self._conversations.session(session)
        for band in sorted(map(_band, self._periods), key=_order):
            yield from self._in_band(band, count)
        for band in sorted((band for period in self._periods for band in _edges(period)), key=_order):
            yield from self._in_band(band, count)

    def _in_band(self, band: _Band, count: int) -> Iterator[list[int]]:
        episodes, namespace = self._conversations.episodes, self._conversations.namespace
        while True:
            turns = episodes.between(namespace, band.start, band.end, count)
            yield [turn.number for turn in turns if self._conversations.counts(turn) and self._is_near(turn)]
            if len(turns) < count:
                return
            count *= _GROWTH

    def score(self, numbers: Collection[int]) -> dict[int, float]:
        """The raw scores (0..1] of these memories, each by the best of its assertions that count."""
        return {number: score for number, (score, _) in self._best(numbers).items()}

    def evidence(self, numbers: Collection[int]) -> dict[int, str]:
        """Which time these memories were found by: the words of the query, and what they mean."""
        return {number: _described(moment) for number, (_, moment) in self._best(numbers).items()}

    def _best(self, numbers: Collection[int]) -> dict[int, tuple[float, Moment]]:
        best: dict[int, tuple[float, Moment]] = {}
        for turn in self._conversations.episodes.turns(self._conversations.namespace, numbers) if numbers else ():
            if self._conversations.counts(turn):
                for score, moment in self._scores(turn):
                    if score > best.get(turn.number, (0.0, moment))[0]:
                        best[turn.number] = score, moment
        return best

    def _scores(self, turn: Turn) -> Iterator[tuple[float, Moment]]:
        if turn.session in self._sessions:
            moment = self._sessions[turn.session]
            yield moment.weight, moment
        for moment in self._periods:
            near = max((closeness(moment, instant) for instant in self._instants(turn, moment)), default=0.0)
            yield near * moment.weight, moment

    def _is_near(self, turn: Turn) -> bool:
        return any(score > 0 for score, _ in self._scores(turn))

    def _instants(self, turn: Turn, moment: Moment) -> Iterator[int]:
        """When a turn was said, if that can be what is asked for, and the time it is said to hold from."""
        if moment.start <= self._now:
            yield turn.observed_at
        if turn.valid_from != turn.observed_at:
            yield turn.valid_from


def closeness(moment: Moment, instant: int) -> float:
    """How near an instant is to a period: 1 inside, halving outside, 0 where it is out of reach."""
    outside = max(moment.start - instant, instant - moment.end + 1, 0)
    half_life = _half_life(moment)
    return 0.0 if outside > _STEPS * half_life else 0.5 ** (outside / half_life)


def _half_life(moment: Moment) -> int:
    if moment.start == EARLIEST or moment.end == FOREVER:
        return DAY
    return min(max((moment.end - moment.start) // _SOFTNESS, HOUR), _WEEK)


def _places(moment: Moment, count: int) -> slice:
    """Where the asked sessions stand among all `count`; those before the first one are none."""
    start = moment.start - 1 if moment.start > 0 else max(count + moment.start, 0)
    end = moment.end - 1 if moment.end > 0 else count + moment.end
    return slice(start, max(end, 0))


def _band(moment: Moment) -> _Band:
    return _Band(moment.weight, moment.start, moment.end)


def _edges(moment: Moment) -> Iterator[_Band]:
    half_life = _half_life(moment)
    for step in range(_STEPS):
        near, far, best = step * half_life, (step + 1) * half_life, moment.weight * 0.5**step
        if moment.end != FOREVER:
            yield _Band(best, moment.end + near, moment.end + far)
        if moment.start != EARLIEST:
            yield _Band(best, moment.start - far, moment.start - near)


def _order(band: _Band) -> tuple[float, int]:
    return -band.best, -band.end


def _described(moment: Moment) -> str:
    if moment.kind is Kind.SESSION:
        return moment.text
    start = "" if moment.start == EARLIEST else f"from {write_instant(moment.start)}"
    end = "" if moment.end == FOREVER else f"until {write_instant(moment.end)}"
    return f"{moment.text} ({' '.join(filter(None, (start, end)))})"
